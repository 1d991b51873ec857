// SPDX-License-Identifier: GPL-2.0-or-later
/* What another version left recording: its rings, read and counted by its pinned maps. Of its programs' variables a few are known, by
 * name: self_tgid, generation, audited, hooks_skippable (src/bpf/maps.bpf.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>

#include "bpf.h"
#include "counts.h"
#include "engine.h"
#include "hooks.h"
#include "pins.h"

/* The variables of an object, as a map. */
struct variables {
	void *at; /* mapped; NULL = not */
	size_t bytes;
	uint32_t btf_id, section; /* where they are described */
};

struct former {
	struct laf_pins pins;
	struct variables bss, rodata;
	int counts_fd, scratches_fd, lost_fd;
	unsigned n_cpus;
	int *programs; /* those that must not miss a call */
	size_t n_programs, room;
	bool hooks_skippable;
	bool stubs; /* of the fexit engine */
	uint64_t *audited;
	size_t audited_bytes;
};

static int map_variables(const struct laf_pins *pins, const char *name, int protection, struct variables *ret)
{
	struct bpf_map_info info = { 0 };
	uint32_t size = sizeof(info);
	long page = sysconf(_SC_PAGESIZE);
	int fd = laf_pins_find_map(pins, name), r = 0;
	void *at;

	if (fd < 0)
		return fd;
	if (bpf_obj_get_info_by_fd(fd, &info, &size))
		r = -errno;
	ret->bytes = (info.value_size + page - 1) & ~(page - 1);
	at = r ? MAP_FAILED : mmap(NULL, ret->bytes, protection, MAP_SHARED, fd, 0);
	if (!r && at == MAP_FAILED)
		r = -errno;
	close(fd);
	if (r)
		return r;
	ret->at = at;
	ret->btf_id = info.btf_id;
	ret->section = info.btf_value_type_id;
	return 0;
}

/* Returns where the variable is, or NULL. */
static void *find_in(const struct btf *btf, const struct variables *variables, const char *name, size_t *ret_bytes)
{
	const struct btf_type *section = btf__type_by_id(btf, variables->section);
	const struct btf_var_secinfo *var;

	if (!section || !btf_is_datasec(section))
		return NULL;
	var = btf_var_secinfos(section);
	for (unsigned i = 0; i < btf_vlen(section); i++, var++) {
		if (strcmp(btf__name_by_offset(btf, btf__type_by_id(btf, var->type)->name_off), name))
			continue;
		*ret_bytes = var->size;
		return (size_t)var->offset + var->size <= variables->bytes ? (char *)variables->at + var->offset : NULL;
	}
	return NULL;
}

static void *find(const struct variables *variables, const char *name, size_t *ret_bytes)
{
	struct btf *btf = btf__load_from_kernel_by_id(variables->btf_id);
	void *at = btf ? find_in(btf, variables, name, ret_bytes) : NULL;

	btf__free(btf);
	return at;
}

static uint32_t *find_word(const struct variables *variables, const char *name)
{
	size_t bytes = 0;
	uint32_t *at = find(variables, name, &bytes);

	return bytes == sizeof(*at) ? at : NULL;
}

/* Our own calls are not audited, as those of the daemon before us were not. */
static int open_variables(struct laf_engine *engine, struct former *f)
{
	uint32_t *self, *generation, *skippable;
	int r = map_variables(&f->pins, "calls_bp.bss", PROT_READ | PROT_WRITE, &f->bss);

	if (!r)
		r = map_variables(&f->pins, "calls_bp.rodata", PROT_READ, &f->rodata);
	if (r)
		return r;
	self = find_word(&f->bss, "self_tgid");
	generation = find_word(&f->bss, "generation");
	skippable = find_word(&f->rodata, "hooks_skippable");
	f->audited = find(&f->bss, "audited", &f->audited_bytes);
	if (!self || !generation || !skippable || !f->audited)
		return -ESTALE;
	engine->generation = *generation;
	f->hooks_skippable = *skippable;
	*self = getpid();
	return 0;
}

static int open_map(const struct former *f, const char *name, int *ret)
{
	*ret = laf_pins_find_map(&f->pins, name);
	return *ret < 0 ? *ret : 0;
}

/* They stay when they are mapped: nobody waits for them. */
static int open_rings(struct laf_engine *engine, struct former *f)
{
	int *fds = laf_ring_fds_new(f->n_cpus), rings_fd = -1;
	int r = fds ? open_map(f, "rings", &rings_fd) : -ENOMEM;
	uint32_t bytes;

	if (!r)
		r = laf_counts_rings(rings_fd, f->n_cpus, fds, &bytes);
	if (!r)
		r = laf_rings_open(&engine->rings, fds, f->n_cpus, bytes);
	if (rings_fd >= 0)
		close(rings_fd);
	laf_ring_fds_free(fds, f->n_cpus);
	return r;
}

/* Now: a daemon that runs may not ask for programs any more. */
static int open_program(void *arg, const char *link, int fd)
{
	struct former *f = arg;
	size_t room = f->room ? f->room * 2 : 64;
	int *programs;

	f->stubs |= !strncmp(link, LAF_STUB, strlen(LAF_STUB));
	if (f->hooks_skippable && laf_hooks_has(link))
		return 0;
	if (f->n_programs == f->room) {
		programs = realloc(f->programs, room * sizeof(*programs));
		if (!programs)
			return -ENOMEM;
		f->programs = programs;
		f->room = room;
	}
	fd = laf_bpf_program_of(fd);
	if (fd >= 0)
		f->programs[f->n_programs++] = fd;
	return fd < 0 ? fd : 0;
}

static int open_all(struct laf_engine *engine, struct former *f)
{
	int r = open_map(f, "counts", &f->counts_fd);

	if (!r)
		r = open_map(f, "scratches", &f->scratches_fd);
	if (!r)
		r = open_map(f, "lost_by_rule", &f->lost_fd);
	if (!r)
		r = open_rings(engine, f);
	if (!r)
		r = open_variables(engine, f);
	return r ? r : laf_pins_each_link(&f->pins, open_program, f);
}

int laf_engine_open_former(const char *pins, const struct laf_engine *engine, struct laf_engine **ret, struct laf_error *err)
{
	struct laf_engine *former;
	struct laf_pins found;
	struct former *f;
	int n = laf_pins_find_other(pins, laf_engine_layout(engine), &found), r;

	if (!n)
		return -ENOENT;
	former = calloc(1, sizeof(*former));
	f = calloc(1, sizeof(*f));
	if (!former || !f) {
		free(former);
		free(f);
		return laf_error_set(err, -ENOMEM, "engine: out of memory");
	}
	*former = (struct laf_engine){
		.ops = &laf_engine_former, .state = f, .rings.epoll_fd = -1, .hold = true, .resumed = true, .beside = n > 1,
		.layout = f->pins.layout,
	};
	*f = (struct former){
		.pins = found, .counts_fd = -1, .scratches_fd = -1, .lost_fd = -1, .n_cpus = libbpf_num_possible_cpus(),
	};
	r = n < 0 ? n : open_all(former, f);
	if (r) {
		laf_engine_leave(former);
		return laf_error_set(err, r, "engine: taking over what %s recorded: %s", found.folder, strerror(-r));
	}
	/* the kernel skips the programs at the end of a function that is under way when another is attached (bpf_tramp_image_put()) */
	former->blind = f->stubs && engine->ops == &laf_engine_fexit;
	*ret = former;
	return 0;
}

/* A call that has begun is in its task's context: its end needs no more. */
void laf_engine_retire(struct laf_engine *former)
{
	struct former *f = former->state;

	memset(f->audited, 0, f->audited_bytes);
	laf_engine_settle();
}

static void close_former(struct laf_engine *engine)
{
	struct former *f = engine->state;

	if (!engine->leaving)
		laf_pins_close(&f->pins);
	if (f->bss.at)
		munmap(f->bss.at, f->bss.bytes);
	if (f->rodata.at)
		munmap(f->rodata.at, f->rodata.bytes);
	if (f->counts_fd >= 0)
		close(f->counts_fd);
	if (f->scratches_fd >= 0)
		close(f->scratches_fd);
	if (f->lost_fd >= 0)
		close(f->lost_fd);
	while (f->n_programs)
		close(f->programs[--f->n_programs]);
	free(f->programs);
	free(f);
}

static int get_stats(struct laf_engine *engine, struct laf_engine_stats *ret)
{
	struct former *f = engine->state;
	struct laf_bpf_runs runs = { 0 };

	for (size_t i = 0; i < f->n_programs; i++)
		laf_bpf_add_runs(f->programs[i], &runs);
	ret->lost[LAF_LOSS_MISSED] += runs.missed;
	return laf_counts_add(f->counts_fd, f->scratches_fd, f->n_cpus, ret);
}

static int losses(struct laf_engine *engine, uint32_t generation, bool forget, laf_loss_fn fn, void *arg)
{
	struct former *f = engine->state;

	return laf_counts_losses(f->lost_fd, f->n_cpus, generation, forget, fn, arg);
}

const struct laf_engine_ops laf_engine_former = {
	.name = "former",
	.close = close_former,
	.losses = losses,
	.get_stats = get_stats,
};
