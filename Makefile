# SPDX-License-Identifier: GPL-2.0-or-later
# make run, make check: install what they need, build, and show laf at work. `make help` lists the rest.

PREFIX  ?= /usr/local
DESTDIR ?=
CC      ?= gcc
CLANG   ?= clang
BPFTOOL ?= $(shell command -v bpftool || echo /usr/sbin/bpftool)
V       ?= 0
SANITIZE ?= 0

B := build
ifeq ($(SANITIZE),1)
B := build/sanitize
SANFLAGS := -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
endif
Q := $(if $(filter 1,$(V)),,@)
say = $(if $(filter 1,$(V)),,@printf '  %-8s%s\n' '$(1)' '$(2)')

CFLAGS   ?= -O2 -g
LAF_CFLAGS := -std=gnu11 -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-parameter \
              -D_GNU_SOURCE -D_FILE_OFFSET_BITS=64 -Iinclude -I$(B)/bpf $(SANFLAGS)
LIBS     := -lbpf -laudit -lcap-ng
BPF_CFLAGS := -O2 -g -Wall -Wextra -Wno-unused-parameter -Wno-unused-function -std=gnu11 -target bpf -mcpu=v3 -D__TARGET_ARCH_x86

LIB_SRC := $(wildcard src/error.c src/rules/*.c src/engine/*.c src/event/*.c src/record/*.c src/sink/*.c)
CMD_SRC := $(wildcard src/daemon/*.c src/cli/*.c)
BPF_SRC := $(wildcard src/bpf/*.bpf.c)
LIB_OBJ := $(LIB_SRC:%.c=$(B)/%.o)
CMD_OBJ := $(CMD_SRC:%.c=$(B)/%.o)
SKELS   := $(BPF_SRC:src/bpf/%.bpf.c=$(B)/bpf/%.skel.h)
UNIT    := $(patsubst tests/unit/%.c,$(B)/tests/unit/%,$(wildcard tests/unit/test_*.c))

.PHONY: all deps run check bench install clean help
all: $(B)/laf

$(B)/bpf/%.bpf.o: src/bpf/%.bpf.c $(wildcard src/bpf/*.h)
	@mkdir -p $(@D)
	$(call say,BPF,$@)
	$(Q)$(CLANG) $(BPF_CFLAGS) -c $< -o $@
$(B)/bpf/%.skel.h: $(B)/bpf/%.bpf.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name $(subst -,_,$*)_bpf > $@.new && mv $@.new $@

$(B)/%.o: %.c | $(SKELS)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(LAF_CFLAGS) $(CFLAGS) -MMD -MP -c $< -o $@

$(B)/liblaf.a: $(LIB_OBJ)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(B)/laf: $(CMD_OBJ) $(B)/liblaf.a
	$(call say,LD,$@)
	$(Q)$(CC) $(LAF_CFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)

# What several unit tests use: every .c there that is no test itself.
UNIT_HELP := $(patsubst %.c,$(B)/%.o,$(filter-out tests/unit/test_%,$(wildcard tests/unit/*.c)))
$(B)/tests/unit/helpers.a: $(UNIT_HELP)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(B)/tests/unit/%: $(B)/tests/unit/%.o $(B)/tests/unit/helpers.a $(B)/liblaf.a
	$(call say,LD,$@)
	$(Q)$(CC) $(LAF_CFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS) -lcmocka

# System tests: every .c a program of its own but the parts of the comparator; X_32.c is built for 32 bits.
SYSTEM_C := $(filter-out tests/system/compare_%.c,$(wildcard tests/system/*.c))
SYSTEM   := $(SYSTEM_C:%.c=$(B)/%)
SYSTEM_CFLAGS := -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -D_GNU_SOURCE
$(B)/tests/system/compare: $(wildcard tests/system/compare_*.c)
$(SYSTEM): SYSTEM_LIBS := -Wl,--as-needed -laudit -lm
$(filter %_32,$(SYSTEM)): SYSTEM_CFLAGS += -m32 -static
$(filter %_32,$(SYSTEM)): SYSTEM_LIBS :=
$(SYSTEM): $(B)/%: %.c $(wildcard tests/system/*.h)
	@mkdir -p $(@D)
	$(call say,CC,$@)
	$(Q)$(CC) $(SYSTEM_CFLAGS) $(CFLAGS) -o $@ $(filter %.c,$^) $(SYSTEM_LIBS)

clean:
	rm -rf build

-include $(LIB_OBJ:.o=.d) $(CMD_OBJ:.o=.d)
