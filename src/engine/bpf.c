// SPDX-License-Identifier: GPL-2.0-or-later
/* What the BPF engines share: loading src/bpf/calls.bpf.c, rings, policies, counters. How calls are hooked is each engine's own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "../clock.h"
#include "../rules/calls.h"
#include "bpf.h"
#include "counts.h"
#include "hooks.h"
#include "label.h"
#include "policymaps.h"

#define DESCRIPTORS 8192     /* for four a call, of all calls of both ABIs */
#define IDLE_MS 10000        /* what no policy has needed for so long is detached */
#define DETACHED_AT_ONCE 4   /* each takes a tenth of a second, or more */
#define DESCRIPTORS_LEAST 64 /* for the maps and programs; one ring a processor comes to it */

#define RESERVE(ring_bytes) ((ring_bytes) / 8) /* for new programs and identities */

/* libbpf talks through one process-wide function; this keeps its first warning: what follows are others' words for it. */
static __thread char *log_to;
static __thread size_t log_room;

static int keep_warning(enum libbpf_print_level level, const char *format, va_list args)
{
	if (level == LIBBPF_WARN && log_to && !log_to[0])
		return vsnprintf(log_to, log_room, format, args);
	return 0;
}

static const char *last_words(struct bpf_engine *t)
{
	char *end = strchr(t->log, '\n');

	if (end)
		*end = 0;
	return t->log[0] ? t->log : "no more was said";
}

/* LAF_KERNEL() of the running one; if it can't be told, as of one newer than all. */
static uint32_t running_kernel(void)
{
	unsigned major = 0, minor = 0;
	struct utsname u;

	if (uname(&u) || sscanf(u.release, "%u.%u", &major, &minor) != 2)
		return UINT32_MAX;
	return LAF_KERNEL(major, minor);
}

static void set_constants(struct bpf_engine *t, const struct laf_engine_options *options)
{
	struct laf_call_shape *shapes = (void *)t->bpf->rodata->shapes;
	struct timespec tick;
	uint32_t kernel = running_kernel();

	t->bpf->rodata->scoped = options->scoped;
	/* before 6.12 an O_CREAT of an old file always gave a PARENT record (fs/namei.c, lookup_fast_for_open()) */
	t->bpf->rodata->creat_parent = kernel < LAF_KERNEL(6, 12);
	t->bpf->rodata->fd_first = kernel < LAF_KERNEL(6, 13);
	t->bpf->rodata->strip_slashes = kernel >= LAF_KERNEL(6, 14);
	t->bpf->rodata->can_cast = kernel >= LAF_KERNEL(6, 2);
	t->bpf->rodata->wake_bytes = t->ring_bytes / 8;
	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	t->bpf->rodata->tick_ns = tick.tv_nsec;
	laf_calls_shapes_of(kernel, shapes);
	t->bpf->rodata->apparmor_sizes = laf_label_apparmor_sizes();
	bpf_map__set_max_entries(t->bpf->maps.scratches, t->n_cpus);
	bpf_map__set_max_entries(t->bpf->maps.rings, t->n_cpus);
}

static int make_rings(struct bpf_engine *t)
{
	uint32_t i;
	int r;

	t->ring_fds = laf_ring_fds_new(t->n_cpus);
	if (!t->ring_fds)
		return -ENOMEM;
	if (t->pins.found)
		return laf_counts_rings(bpf_map__fd(t->bpf->maps.rings), t->n_cpus, t->ring_fds, &t->ring_bytes);
	for (i = 0; i < t->n_cpus; i++) {
		t->ring_fds[i] = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "laf_ring", 0, 0, t->ring_bytes, NULL);
		if (t->ring_fds[i] < 0)
			return t->ring_fds[i];
		r = bpf_map_update_elem(bpf_map__fd(t->bpf->maps.rings), &i, &t->ring_fds[i], 0);
		if (r)
			return r;
	}
	return 0;
}

/* The bitmaps of a policy. After an exec the number at the call's end is that of execve in the new program's ABI. */
struct bitmaps {
	__u64 any[LAF_ABI_CALLS / 64];
	__u64 audited[LAF_ABIS][LAF_ABI_CALLS / 64];
	__u64 ending[LAF_ABIS][LAF_ABI_CALLS / 64];
};

static void set_bit(__u64 *bits, uint32_t nr)
{
	bits[nr / 64] |= 1ull << nr % 64;
}

static void make_bitmaps(const struct laf_policy *policy, struct bitmaps *ret)
{
	static const uint32_t exec_numbers[LAF_ABIS][2] = { { 59, 322 }, { 11, 358 } };
	bool exec = false;
	uint32_t abi, nr;

	memset(ret, 0, sizeof(*ret));
	for (abi = 0; abi < LAF_ABIS; abi++) {
		for (nr = 0; nr < LAF_ABI_CALLS; nr++)
			if (laf_policy_audits(policy, abi, nr)) {
				set_bit(ret->any, nr);
				set_bit(ret->audited[abi], nr);
				set_bit(ret->ending[abi], nr);
			}
		exec |= laf_policy_audits(policy, abi, exec_numbers[abi][0]) ||
			laf_policy_audits(policy, abi, exec_numbers[abi][1]);
	}
	for (abi = 0; exec && abi < LAF_ABIS; abi++) {
		set_bit(ret->any, exec_numbers[abi][0]);
		set_bit(ret->ending[abi], exec_numbers[abi][0]);
	}
}

/* First everything that the old or the new policy wants, then the switch, then the new alone: no call is missed. What the task
 * list has decided stays decided. */
static void switch_policy(struct laf_engine *engine, const struct laf_policy *policy, uint32_t generation)
{
	const struct laf_policy_lists *lists = laf_policy_lists(policy);
	struct bpf_engine *t = engine->state;
	struct calls_bpf__bss *bss = t->bpf->bss;
	struct bitmaps want;
	unsigned i, abi;

	make_bitmaps(policy, &want);
	bss->tasks_decided |= lists->task != 0;
	bss->filesystems_chosen |= lists->filesystems != 0;
	bss->who_wanted |= lists->flags & LAF_LISTS_WHO;
	bss->inodes_ruled |= policy->n_inodes != 0;
	for (i = 0; i < LAF_ABI_CALLS / 64; i++) {
		for (abi = 0; abi < LAF_ABIS; abi++) {
			bss->ending[abi][i] |= want.ending[abi][i];
			bss->audited[abi][i] |= want.audited[abi][i];
		}
		bss->audited_any[i] |= want.any[i];
	}
	__atomic_store_n(&bss->generation, generation, __ATOMIC_SEQ_CST);
	bss->filesystems_chosen = lists->filesystems != 0;
	bss->who_wanted = lists->flags & LAF_LISTS_WHO;
	bss->inodes_ruled = policy->n_inodes != 0;
	for (i = 0; i < LAF_ABI_CALLS / 64; i++) {
		bss->audited_any[i] = want.any[i];
		for (abi = 0; abi < LAF_ABIS; abi++) {
			bss->audited[abi][i] = want.audited[abi][i];
			bss->ending[abi][i] = want.ending[abi][i];
		}
	}
	engine->generation = generation;
}

static struct bpf_link **links_of(struct bpf_engine *t)
{
	return (struct bpf_link **)&t->bpf->links;
}

int laf_bpf_program_of(int link_fd)
{
	struct bpf_link_info info = { 0 };
	uint32_t size = sizeof(info);

	return bpf_obj_get_info_by_fd(link_fd, &info, &size) ? -errno : bpf_prog_get_fd_by_id(info.prog_id);
}

/* What a daemon before us attached stays: the kernel runs that one's program, the same as ours. */
int laf_bpf_attach(struct bpf_engine *t, struct bpf_program *program, struct bpf_link **link)
{
	struct laf_use *use = &t->uses[link - links_of(t)];
	int r;

	use->needed = true;
	if (*link)
		return 0;
	r = laf_pins_find_link(&t->pins, bpf_program__name(program), link);
	if (!r)
		use->found_fd = laf_bpf_program_of(bpf_link__fd(*link));
	if (r != -ENOENT)
		return r;
	*link = bpf_program__attach(program);
	return *link ? laf_pins_keep_link(&t->pins, bpf_program__name(program), *link) : -errno;
}

static int attach_scope(struct bpf_engine *t)
{
	int r;

	if (!t->scoped)
		return 0;
	r = laf_bpf_attach(t, t->bpf->progs.laf_task_exit, &t->bpf->links.laf_task_exit);
	return r ? r : laf_bpf_attach(t, t->bpf->progs.laf_fork, &t->bpf->links.laf_fork);
}

/* Of the slot that is not in force. */
static void fill_filter(struct bpf_engine *t, const struct laf_policy *policy, uint32_t slot)
{
	__u64 *filter = t->bpf->bss->inode_filter[slot];

	memset(filter, 0, LAF_FILTER_BITS / 8);
	for (uint32_t i = 0; i < policy->n_inodes; i++)
		if (policy->inodes[i].rules.watch || policy->inodes[i].rules.tree)
			set_bit(filter, laf_filter_bit(policy->inodes[i].key.ino, policy->inodes[i].key.dev));
}

/* New tasks are looked at while there are task rules. */
static int attach_tasks(struct bpf_engine *t, const struct laf_policy *policy)
{
	if (!laf_policy_lists(policy)->task)
		return 0;
	return laf_bpf_attach(t, t->bpf->progs.laf_task_new, &t->bpf->links.laf_task_new);
}

uint64_t laf_bpf_changes(struct laf_engine *engine)
{
	struct bpf_engine *t = engine->state;

	return __atomic_load_n(&t->bpf->data_changes->watch_changes, __ATOMIC_SEQ_CST);
}

bool laf_bpf_follow(struct laf_engine *engine, bool marked, uint64_t *ret_misfits)
{
	struct bpf_engine *t = engine->state;

	*ret_misfits = t->bpf->data_changes->watch_misfits;
	t->bpf->bss->names_followed = marked && t->bpf->links.laf_name_changed;
	return t->bpf->bss->names_followed;
}

int laf_bpf_watch(struct laf_engine *engine, const struct laf_watch_key *key, struct laf_watch *ret)
{
	struct bpf_engine *t = engine->state;
	uint32_t slot = engine->generation & 1, id;
	int fd, r;

	r = bpf_map_lookup_elem(bpf_map__fd(t->bpf->maps.watch_tables), &slot, &id);
	if (r)
		return r;
	fd = bpf_map_get_fd_by_id(id);
	if (fd < 0)
		return fd;
	r = bpf_map_lookup_elem(fd, key, ret);
	close(fd);
	return r;
}

static void forget_needs(struct bpf_engine *t)
{
	size_t i;

	for (i = 0; i < LAF_OBJECT_LINKS; i++)
		t->uses[i].needed = false;
}

/* Detaching takes the kernel long: what the new policy does not need is left to laf_bpf_detach_idle(). */
static void settle(struct bpf_engine *t)
{
	uint64_t now = clock_ns(CLOCK_MONOTONIC);
	size_t i;

	for (i = 0; i < LAF_OBJECT_LINKS; i++)
		laf_use_settle(&t->uses[i], now);
	t->plan->settle(t, now);
}

static int set_policy(struct laf_engine *engine, const struct laf_policy *policy, struct laf_error *err)
{
	struct bpf_engine *t = engine->state;
	const struct laf_policymaps maps = {
		.codes_fd = bpf_map__fd(t->bpf->maps.codes),
		.inodes_fd = bpf_map__fd(t->bpf->maps.inode_tables),
		.watches_fd = bpf_map__fd(t->bpf->maps.watch_tables),
	};
	uint32_t generation = engine->generation + 1;
	int r;

	fill_filter(t, policy, generation & 1); /* first: names that change meanwhile are added to it */
	t->log[0] = 0;
	forget_needs(t);
	r = laf_policymaps_load(policy, &maps, generation & 1, err);
	if (r)
		return r;
	r = attach_scope(t);
	if (!r)
		r = attach_tasks(t, policy);
	if (!r)
		r = t->plan->attach(t, policy);
	if (r)
		return laf_error_set(err, r, "engine: attaching the programs: %s (%s)", strerror(-r), last_words(t));
	if (engine->generation && policy->changes != laf_bpf_changes(engine))
		return laf_error_set(err, -EAGAIN, "engine: watched names changed while their files were looked up");
	switch_policy(engine, policy, generation);
	settle(t);
	return 0;
}

int laf_bpf_set_policy(struct laf_engine *engine, const struct laf_policy *policy, struct laf_error *err)
{
	struct bpf_engine *t = engine->state;
	int r;

	pthread_mutex_lock(&t->lock);
	while (t->detaching) /* the kernel takes no program a second time */
		pthread_cond_wait(&t->gone, &t->lock);
	r = set_policy(engine, policy, err);
	pthread_mutex_unlock(&t->lock);
	return r;
}

static bool pick_link(struct bpf_engine *t, uint64_t before_ns, struct laf_leaving *ret)
{
	struct bpf_link **links = links_of(t);
	size_t i;

	for (i = 0; i < LAF_OBJECT_LINKS; i++)
		if (links[i] && t->uses[i].idle_ns && t->uses[i].idle_ns < before_ns) {
			*ret = (struct laf_leaving){ .link = links[i], .fds = { -1, -1, -1, -1 } };
			laf_bpf_add_runs(t->uses[i].found_fd, &t->gone_runs);
			if (t->uses[i].found_fd >= 0)
				close(t->uses[i].found_fd);
			t->uses[i].found_fd = -1;
			bpf_link__unpin(links[i]); /* fails where it is not pinned */
			links[i] = NULL;
			return true;
		}
	return false;
}

/* Take one from what is attached. */
static bool pick(struct bpf_engine *t, struct laf_leaving *ret)
{
	uint64_t before_ns = clock_ns(CLOCK_MONOTONIC) - t->idle_ns;

	pthread_mutex_lock(&t->lock);
	t->detaching = pick_link(t, before_ns, ret) || (t->plan->pick && t->plan->pick(t, before_ns, ret));
	pthread_mutex_unlock(&t->lock);
	return t->detaching;
}

int laf_bpf_detach_idle(struct laf_engine *engine)
{
	struct bpf_engine *t = engine->state;
	struct laf_leaving leaving;
	unsigned i;
	int n;

	for (n = 0; n < DETACHED_AT_ONCE && pick(t, &leaving); n++) {
		bpf_link__destroy(leaving.link);
		for (i = 0; i < 4; i++)
			if (leaving.fds[i] >= 0)
				close(leaving.fds[i]);
		pthread_mutex_lock(&t->lock);
		t->detaching = false;
		pthread_cond_broadcast(&t->gone);
		pthread_mutex_unlock(&t->lock);
	}
	return n;
}

static int refused(struct bpf_engine *t, int r, struct laf_error *err)
{
	if (r == -EPERM || r == -EACCES)
		return laf_error_set(err, r, "engine: the kernel refuses BPF programs: %s; "
				     "run as root, or with CAP_BPF, CAP_PERFMON and CAP_SYS_RESOURCE (%s)",
				     strerror(-r), last_words(t));
	return laf_error_set(err, r, "engine: loading the BPF programs: %s (%s); 'laf probe' says what is missing",
			     strerror(-r), last_words(t));
}

/* libbpf takes a lack of descriptors, found while it tries what the kernel can do, for a lack of features. */
static int allow_descriptors(struct bpf_engine *t, struct laf_error *err)
{
	rlim_t least = DESCRIPTORS_LEAST + t->n_cpus;
	struct rlimit limit, raised;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return laf_error_set(err, -errno, "engine: reading the limit of open files: %s", strerror(errno));
	raised = limit;
	if (raised.rlim_max < DESCRIPTORS)
		raised.rlim_max = DESCRIPTORS;
	raised.rlim_cur = raised.rlim_max;
	if (setrlimit(RLIMIT_NOFILE, &raised)) {
		raised.rlim_cur = raised.rlim_max = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &raised);
	}
	if (raised.rlim_cur < least)
		return laf_error_set(err, -EMFILE, "engine: %s: %llu may be open, at least %llu are needed (ulimit -Hn)",
				     strerror(EMFILE), (unsigned long long)raised.rlim_cur, (unsigned long long)least);
	return 0;
}

static int use_pins(struct bpf_engine *t, const char *folder, struct laf_error *err)
{
	size_t bytes;
	const void *object = calls_bpf__elf_bytes(&bytes);
	int r;

	if (!folder)
		return 0;
	r = laf_pins_open(&t->pins, folder, t->plan->name, object, bytes, err);
	if (r)
		return r;
	r = laf_pins_use_maps(&t->pins, t->bpf->obj);
	return r ? laf_error_set(err, r, "engine: pinning to %s: %s", folder, strerror(-r)) : 0;
}

int laf_bpf_open(struct laf_engine *engine, const struct laf_bpf_plan *plan,
		 const struct laf_engine_options *options, const struct laf_policy *policy, struct laf_error *err)
{
	const struct rlimit unlimited = { RLIM_INFINITY, RLIM_INFINITY };
	struct bpf_engine *t = calloc(1, sizeof(*t));
	LIBBPF_OPTS(bpf_test_run_opts, run);
	struct laf_pins other;
	size_t i;
	int r;

	if (!t)
		return laf_error_set(err, -ENOMEM, "engine: out of memory");
	pthread_mutex_init(&t->lock, NULL);
	pthread_cond_init(&t->gone, NULL);
	engine->state = t;
	for (i = 0; i < LAF_OBJECT_LINKS; i++)
		t->uses[i].found_fd = -1;
	t->plan = plan;
	t->scoped = options->scoped;
	t->forced = options->name;
	t->idle_ns = (options->idle_ms ? options->idle_ms : IDLE_MS) * 1000000ull;
	t->n_cpus = libbpf_num_possible_cpus();
	t->ring_bytes = options->ring_bytes ? options->ring_bytes : LAF_RING_BYTES;
	log_to = t->log;
	log_room = sizeof(t->log);
	libbpf_set_print(keep_warning);
	r = allow_descriptors(t, err);
	if (r)
		return r;
	setrlimit(RLIMIT_MEMLOCK, &unlimited); /* before 5.11 maps are charged to it */
	t->bpf = calls_bpf__open();
	if (!t->bpf)
		return refused(t, -errno, err);
	set_constants(t, options);
	plan->choose(t);
	r = use_pins(t, options->pins, err);
	if (r)
		return r;
	r = calls_bpf__load(t->bpf);
	if (r)
		return refused(t, r, err);
	t->bpf->bss->self_tgid = getpid();
	if (!t->pins.found)
		bpf_prog_test_run_opts(bpf_program__fd(t->bpf->progs.laf_find_symbols), &run); /* it does without what is not found */
	r = make_rings(t);
	if (r)
		return laf_error_set(err, r, "engine: making rings of %u bytes: %s", t->ring_bytes, strerror(-r));
	r = laf_rings_open(&engine->rings, t->ring_fds, t->n_cpus, t->ring_bytes);
	if (!r)
		r = laf_rings_watch(&engine->rings, t->ring_fds);
	if (r)
		return laf_error_set(err, r, "engine: mapping the rings: %s", strerror(-r));
	laf_bpf_limit(engine, 0);
	engine->layout = t->pins.layout;
	engine->beside = !t->pins.found && options->pins && laf_pins_find_other(options->pins, t->pins.layout, &other) > 0;
	if (engine->beside)
		return 0;
	if (!t->pins.found)
		return laf_bpf_set_policy(engine, policy, err);
	engine->resumed = true;
	engine->generation = t->bpf->bss->generation;
	return 0;
}

void laf_bpf_limit(struct laf_engine *engine, uint64_t bytes)
{
	struct bpf_engine *t = engine->state;
	uint64_t room = t->ring_bytes - RESERVE(t->ring_bytes);
	bool limited = bytes && bytes < room;

	t->bpf->bss->backlog_limited = limited;
	__atomic_store_n(&t->bpf->bss->common_room, limited ? bytes : room, __ATOMIC_RELEASE);
}

int laf_bpf_losses(struct laf_engine *engine, uint32_t generation, bool forget, laf_loss_fn fn, void *arg)
{
	struct bpf_engine *t = engine->state;

	return laf_counts_losses(bpf_map__fd(t->bpf->maps.lost_by_rule), t->n_cpus, generation, forget, fn, arg);
}

int laf_bpf_complete(struct laf_engine *engine)
{
	struct bpf_engine *t = engine->state;

	return laf_pins_complete(&t->pins);
}

void laf_bpf_close(struct laf_engine *engine)
{
	struct bpf_engine *t = engine->state;
	unsigned i;

	if (!t)
		return;
	if (t->pins.folder[0] && !engine->leaving && t->pins.found == engine->resumed)
		laf_pins_close(&t->pins);
	if (t->bpf)
		t->plan->detach(t);
	calls_bpf__destroy(t->bpf);
	for (i = 0; i < LAF_OBJECT_LINKS; i++)
		if (t->uses[i].found_fd >= 0)
			close(t->uses[i].found_fd);
	laf_ring_fds_free(t->ring_fds, t->n_cpus);
	pthread_cond_destroy(&t->gone);
	pthread_mutex_destroy(&t->lock);
	free(t);
	log_to = NULL;
}

int laf_bpf_mark(struct laf_engine *engine, int pidfd, struct laf_error *err)
{
	struct bpf_engine *t = engine->state;
	struct bpf_map *contexts = t->bpf->maps.contexts;
	uint64_t *value = calloc(1, bpf_map__value_size(contexts)); /* struct laf_context: `scoped` comes first */
	int r;

	if (!value)
		return laf_error_set(err, -ENOMEM, "engine: out of memory");
	value[0] = 1;
	r = bpf_map_update_elem(bpf_map__fd(contexts), &pidfd, value, BPF_ANY);
	free(value);
	if (r)
		return laf_error_set(err, r, "engine: marking the command: %s", strerror(-r));
	t->marked++;
	return 0;
}

void laf_bpf_add_runs(int fd, struct laf_bpf_runs *runs)
{
	struct bpf_prog_info info = { 0 };
	uint32_t size = sizeof(info);

	if (fd < 0 || bpf_obj_get_info_by_fd(fd, &info, &size))
		return;
	runs->missed += info.recursion_misses;
	runs->n += info.run_cnt;
	runs->ns += info.run_time_ns;
}

/* Where a program may be skipped, nothing is missed. */
static void add_runs(int fd, bool skippable, struct laf_bpf_runs *runs)
{
	uint64_t missed = runs->missed;

	laf_bpf_add_runs(fd, runs);
	if (skippable)
		runs->missed = missed;
}

/* Ends are read before starts: of a task that comes and goes meanwhile not the end alone. */
static int add_scope(struct bpf_engine *t, struct laf_engine_stats *ret)
{
	struct laf_wire_scope *counts = calloc(t->n_cpus, sizeof(*counts));
	int fd = bpf_map__fd(t->bpf->maps.scope_counts);
	uint32_t zero = 0, cpu;
	int r = counts ? bpf_map_lookup_elem(fd, &zero, counts) : -ENOMEM;

	for (cpu = 0; !r && cpu < t->n_cpus; cpu++)
		ret->ended += counts[cpu].ended;
	if (!r)
		r = bpf_map_lookup_elem(fd, &zero, counts);
	ret->marked = t->marked;
	for (cpu = 0; !r && cpu < t->n_cpus; cpu++) {
		ret->marked += counts[cpu].started;
		ret->unmarked += counts[cpu].unmarked;
	}
	free(counts);
	return r;
}

int laf_bpf_get_stats(struct laf_engine *engine, struct laf_engine_stats *ret)
{
	struct bpf_engine *t = engine->state;
	struct laf_bpf_runs runs = t->gone_runs;
	struct bpf_program *program;
	int r = laf_counts_add(bpf_map__fd(t->bpf->maps.counts), bpf_map__fd(t->bpf->maps.scratches), t->n_cpus, ret);
	size_t i;

	if (r)
		return r;
	bpf_object__for_each_program(program, t->bpf->obj)
		add_runs(bpf_program__fd(program), laf_hooks_skippable(t, program, NULL), &runs);
	for (i = 0; i < LAF_OBJECT_LINKS; i++)
		add_runs(t->uses[i].found_fd, laf_hooks_skippable(t, NULL, &links_of(t)[i]), &runs);
	pthread_mutex_lock(&t->lock);
	if (t->plan->runs)
		t->plan->runs(t, &runs);
	pthread_mutex_unlock(&t->lock);
	ret->lost[LAF_LOSS_MISSED] += runs.missed;
	ret->runs = runs.n;
	ret->run_ns = runs.ns;
	return add_scope(t, ret);
}
