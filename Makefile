# SPDX-License-Identifier: GPL-2.0-or-later
# make run, make check: install what they need, build, and show laf at work. `make help` lists the rest.

PREFIX  ?= /usr/local
DESTDIR ?=
ifeq ($(origin CC),default)
CC      := gcc
endif
CLANG   ?= clang
BPFTOOL ?= $(shell PATH="$$PATH:/usr/sbin" command -v bpftool || echo bpftool)
V       ?= 0
SANITIZE ?= 0
FUZZ    ?= 0
CFLAGS  ?= -O2 -g

# Each flavour has a folder of its own, so that none rebuilds what another has built.
B := build
PLAIN_B := $(B)
ifeq ($(FUZZ),1)
override B := $(B)/fuzz
CC := $(CLANG)
FLAVOUR := -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
else ifeq ($(SANITIZE),1)
override B := $(B)/sanitize
FLAVOUR := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-8s%s\n' '$(1)' '$(2)')

LAF_CFLAGS := -std=gnu11 -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-parameter \
              -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Iinclude -I$(B)/bpf $(FLAVOUR)
LIBS     := -lbpf -laudit -lcap-ng -lzstd -pthread
BPF_CFLAGS := -O2 -g -Wall -Wextra -Wno-unused-parameter -Wno-unused-function -std=gnu11 -target bpf -mcpu=v3 \
              -D__TARGET_ARCH_x86

LIB_SRC := $(wildcard src/error.c src/statefile.c src/worker.c src/rules/*.c src/control/*.c src/engine/*.c src/netlink/*.c src/event/*.c src/record/*.c \
             src/sink/*.c)
DAEMON_SRC := $(wildcard src/daemon/*.c)
CMD_SRC := $(DAEMON_SRC) $(wildcard src/cli/*.c)
BPF_SRC := $(wildcard src/bpf/*.bpf.c)
LIB_OBJ := $(LIB_SRC:%.c=$(B)/%.o)
CMD_OBJ := $(CMD_SRC:%.c=$(B)/%.o)
BPF_OBJ := $(BPF_SRC:src/bpf/%.c=$(B)/bpf/%.o)
SKELS   := $(BPF_SRC:src/bpf/%.bpf.c=$(B)/bpf/%.skel.h)
MAN     := $(patsubst man/%.scd,$(B)/man/%,$(wildcard man/*.scd))
# Every .c of tests/unit that is no test itself is a helper of all tests.
UNIT_SRC := $(wildcard tests/unit/test_*.c)
UNIT     := $(UNIT_SRC:%.c=$(B)/%)
UNIT_HELP := $(patsubst %.c,$(B)/%.o,$(filter-out $(UNIT_SRC),$(wildcard tests/unit/*.c)))
BENCH    := $(patsubst %.c,$(B)/%,$(filter-out %_plugin.c,$(wildcard bench/*.c))) $(B)/bench/count_plugin.so
FUZZERS  := $(patsubst %.c,$(B)/%,$(wildcard tests/fuzz/fuzz_*.c))

.PHONY: all man tests replayers fuzzers deps run check bench bench-vm bench-scale soak fuzz install clean help FORCE
.SECONDARY:
.DELETE_ON_ERROR:
all: $(B)/laf

# What a command line or the environment changes rebuilds everything: the flags are a file that objects depend on.
FLAGS = $(CC) $(LAF_CFLAGS) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(CLANG) $(BPF_CFLAGS)
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(FLAGS)' | cmp -s - $@ || echo '$(FLAGS)' > $@

$(BPF_OBJ): $(B)/bpf/%.o: src/bpf/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,BPF,$@)
	$(Q)$(CLANG) $(BPF_CFLAGS) -MMD -MP -c $< -o $@
$(SKELS): $(B)/bpf/%.skel.h: $(B)/bpf/%.bpf.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name $(subst -,_,$*)_bpf > $@

# The skeletons must be there before the first compile; from then on the .d files know who includes them.
$(B)/%.o: %.c $(B)/flags | $(SKELS)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(LAF_CFLAGS) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

LINK = $(CC) $(LAF_CFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(LIBS)
$(B)/liblaf.a: $(LIB_OBJ)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
# What tests link of the daemon.
$(B)/daemon.a: $(DAEMON_SRC:%.c=$(B)/%.o)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(B)/laf: $(CMD_OBJ) $(B)/liblaf.a
	$(call say,LD,$@)
	$(Q)$(LINK) -lauparse

$(B)/tests/unit/helpers.a: $(UNIT_HELP)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(UNIT): $(B)/%: $(B)/%.o $(B)/tests/unit/helpers.a $(B)/daemon.a $(B)/liblaf.a
	$(call say,LD,$@)
	$(Q)$(LINK) -lcmocka -Wl,--as-needed -lauparse
$(filter-out %.so,$(BENCH)): $(B)/%: $(B)/%.o $(B)/tests/unit/helpers.a $(B)/liblaf.a
	$(call say,LD,$@)
	$(Q)$(LINK)
# QEMU has what it calls.
$(B)/bench/%.so: bench/%.c bench/marks.h $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(LAF_CFLAGS) $(CFLAGS) -shared -fPIC -o $@ $<

# System tests: every .c a program of its own but the parts of the comparator; X_32.c is built for 32 bits.
SYSTEM_C := $(filter-out tests/system/compare_%.c tests/system/meaning_%.c,$(wildcard tests/system/*.c))
SYSTEM   := $(SYSTEM_C:%.c=$(B)/%)
SYSTEM_CFLAGS := -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -D_GNU_SOURCE
$(B)/tests/system/compare: $(wildcard tests/system/compare_*.c)
$(B)/tests/system/meaning: $(wildcard tests/system/meaning_*.c) $(B)/liblaf.a
$(SYSTEM): SYSTEM_LIBS := -Wl,--as-needed -laudit -lbpf -lm
$(B)/tests/system/meaning: SYSTEM_LIBS := $(LIBS)
$(B)/tests/system/meaning: SYSTEM_CFLAGS += -Iinclude $(FLAVOUR)
$(filter %_32,$(SYSTEM)): SYSTEM_CFLAGS += -m32 -static
$(filter %_32,$(SYSTEM)): SYSTEM_LIBS :=
# X_shim.c is a library to be loaded into a program under test.
$(filter %_shim,$(SYSTEM)): SYSTEM_CFLAGS += -shared -fPIC
$(SYSTEM): $(B)/%: %.c $(wildcard tests/system/*.h) $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(SYSTEM_CFLAGS) $(CFLAGS) -o $@ $(filter %.c,$^) $(filter %.a,$^) $(SYSTEM_LIBS)
tests: $(UNIT) $(SYSTEM)

# A fuzz target twice: with libFuzzer (FUZZ=1), and with a main that only feeds it files.
$(B)/tests/fuzz/replay_%: $(B)/tests/fuzz/fuzz_%.o $(B)/tests/fuzz/replay.o $(B)/daemon.a $(B)/liblaf.a
	$(call say,LD,$@)
	$(Q)$(LINK)
$(FUZZERS): $(B)/%: $(B)/%.o $(B)/daemon.a $(B)/liblaf.a
	$(call say,LD,$@)
	$(Q)$(LINK) -fsanitize=fuzzer
replayers: $(subst /fuzz_,/replay_,$(FUZZERS))
fuzzers: $(FUZZERS)

$(B)/man/%: man/%.scd
	@mkdir -p $(@D)
	$(call say,MAN,$@)
	$(Q)scdoc < $< > $@
man: $(MAN)

deps:
	@packaging/deps.sh build test

# A command of every day under a small file of rules. Needs nothing of the tests.
run:
	@packaging/deps.sh build
	@$(MAKE) --no-print-directory all
	@examples/run.sh $(B)/laf

check: deps
	@tests/run.sh $(PLAIN_B) $(if $(filter 1,$(SANITIZE)),sanitize/)
fuzz: deps
	@FUZZ_SECONDS=$${FUZZ_SECONDS:-600} tests/run.sh $(PLAIN_B) fuzz/
bench: deps
	@packaging/deps.sh bench
	@$(MAKE) --no-print-directory all $(BENCH)
	@bench/run.sh $(B)
bench-vm: deps
	@$(MAKE) --no-print-directory all $(BENCH)
	@B=$(B) bench/vm.sh $(KERNEL)
bench-scale: deps
	@$(MAKE) --no-print-directory all $(BENCH)
	@B=$(B) bench/scale.sh $(KERNEL)

soak: deps
	@$(MAKE) --no-print-directory all tests
	@B=$(B) bench/soak.sh

install: all man
	install -d $(DESTDIR)$(PREFIX)/sbin $(DESTDIR)$(PREFIX)/lib $(DESTDIR)$(PREFIX)/include/laf
	install -m 755 $(B)/laf $(DESTDIR)$(PREFIX)/sbin/laf
	install -d $(DESTDIR)$(PREFIX)/lib/laf
	ln -sf ../../sbin/laf $(DESTDIR)$(PREFIX)/lib/laf/auditctl
	install -m 644 $(B)/liblaf.a $(DESTDIR)$(PREFIX)/lib/liblaf.a
	install -m 644 include/laf/*.h src/bpf/wire.h $(DESTDIR)$(PREFIX)/include/laf
	sed -i 's,"../../src/bpf/wire.h",<laf/wire.h>,' $(DESTDIR)$(PREFIX)/include/laf/event.h
	install -d $(DESTDIR)$(PREFIX)/share/man/man5 $(DESTDIR)$(PREFIX)/share/man/man8
	install -m 644 $(filter %.5,$(MAN)) $(DESTDIR)$(PREFIX)/share/man/man5
	install -m 644 $(filter %.8,$(MAN)) $(DESTDIR)$(PREFIX)/share/man/man8
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/system
	sed 's,/usr/sbin/laf,$(PREFIX)/sbin/laf,' packaging/laf.service > $(DESTDIR)$(PREFIX)/lib/systemd/system/laf.service
	install -d $(DESTDIR)$(PREFIX)/share/doc/laf/examples
	install -m 644 README.md COPYING $(DESTDIR)$(PREFIX)/share/doc/laf
	install -m 644 examples/laf.conf examples/run.rules $(DESTDIR)$(PREFIX)/share/doc/laf/examples

clean:
	rm -rf $(B)

help:
	@echo 'make run      install what is missing (as root, with apt), build, audit a command and print what was seen'
	@echo 'make check    the same for the tests; its last line counts passed, failed, skipped'
	@echo 'make deps     only install the packages of packaging/debian-packages'
	@echo 'make all      build $(B)/laf'
	@echo 'make install  command, library, headers, man pages, examples; PREFIX=$(PREFIX) DESTDIR=$(DESTDIR)'
	@echo 'make bench    measure against no audit and the kernel audit; writes docs/benchmarks.md'
	@echo 'make bench-vm count the instructions that a call costs, in QEMU, into docs/benchmarks.md'
	@echo 'make bench-scale the same on 1 to 16 processors, into docs/scaling.md'
	@echo 'make soak     a day of events in MINUTES=60: is memory flat, is everything counted? into docs/benchmarks.md'
	@echo 'make fuzz     the fuzz targets for FUZZ_SECONDS=600 each'
	@echo 'make vm       a shell on another kernel, in QEMU; KERNEL=$(KERNEL), or another of tests/vm/kernels'
	@echo 'make clean    remove $(B)'
	@echo 'With V=1 commands are shown; SANITIZE=1 builds with ASan and UBSan in $(B)/sanitize.'

# A shell in the machine that the VM tests run in: make vm KERNEL=6.12
KERNEL ?= 6.1
vm: deps
	@$(MAKE) --no-print-directory all tests
	@B=$(B) tests/vm/run $(KERNEL)
.PHONY: vm

-include $(patsubst %.o,%.d,$(LIB_OBJ) $(CMD_OBJ) $(BPF_OBJ) $(UNIT_HELP) $(UNIT:=.o) $(addsuffix .o,$(filter-out %.so,$(BENCH))) \
	$(FUZZERS:=.o) $(B)/tests/fuzz/replay.o)
