/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Engines: the ways to see a system call. What stands above does not know which one runs. */
#ifndef LAF_ENGINE_H
#define LAF_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <laf/error.h>
#include <laf/event.h>

struct laf_policy; /* src/rules/policy.h */
struct laf_watch_key; /* src/bpf/policy.h */
struct laf_watch;
struct laf_engine;

#define LAF_ENGINE_KERNEL "kernel" /* the engine that is the kernel's own audit: its events do not come through this interface */

struct laf_engine_options {
	const char *name;    /* force this engine; NULL = the best that the machine allows */
	uint32_t ring_bytes; /* of each processor's ring, a power of two; 0 = LAF_RING_BYTES */
	bool no_kernel;      /* without a name: not the kernel engine, even if no other can run here */
	uint32_t idle_ms;    /* how long a program must not have been needed before laf_engine_detach_idle() takes it off; 0 = ten seconds */
	bool hold;           /* keep the room that events take in the rings until laf_engine_release(): what was handed out is not lost by a crash */
	const char *pins;    /* a folder that keeps what is in the kernel beyond our end; NULL = nothing is kept */
	bool scoped;         /* audit only the tasks given to laf_engine_mark() and their descendants */
};

#define LAF_RING_BYTES (16u << 20) /* some 40,000 recorded opens: what a loop makes in 60 ms */

/* What the engine has done since it was opened. */
struct laf_engine_stats {
	uint64_t produced;  /* events that the policy wanted or could not rule out */
	uint64_t delivered; /* handed out by laf_engine_read() */
	uint64_t lost[LAF_LOSS_CAUSES];
	uint64_t malformed; /* messages that made no sense: lost, too */
	uint64_t ring_bytes;  /* the size of each ring */
	uint64_t ring_unread; /* of these, taken up in the fullest */
	uint64_t runs, run_ns; /* of the programs, and the time they took: counted while somebody has it measured (bpf_enable_stats()) */
	uint64_t marked;    /* scoped: tasks that were, or are, in the scope */
	uint64_t ended;     /* of these, how many have ended */
	uint64_t unmarked;  /* tasks of the scope that could not be marked: their calls are not seen */
};

/* Load the programs with `policy` in force and attach what it needs. Needs CAP_BPF, CAP_PERFMON and CAP_SYS_RESOURCE.
 * The policy is copied. Returns 0 or a negative errno with err filled:
 * -ENOTSUP no such engine here, -EPERM the kernel refuses, -ENOMEM. */
int laf_engine_open(const struct laf_engine_options *options, const struct laf_policy *policy,
		    struct laf_engine **ret, struct laf_error *err);
void laf_engine_close(struct laf_engine *engine); /* detaches; NULL is allowed */

/* The name of the engine that laf_engine_open() takes for the whole machine where none is forced; NULL where none can run. `why` (may
 * be NULL) gets the reason. */
const char *laf_engine_best(char *why, size_t size);

const char *laf_engine_name(const struct laf_engine *engine);

/* Put another policy in force in one step; events carry the number of the one that decided them
 * (wire.policy, laf_engine_generation()). Returns 0 or a negative errno; on failure the old one stays: -EAGAIN when watched names
 * have changed since the policy was compiled (policy->changes is not laf_engine_changes() any more). */
int laf_engine_set_policy(struct laf_engine *engine, const struct laf_policy *policy, struct laf_error *err);
/* Take off programs that no policy has needed for options.idle_ms: a few, as each takes the kernel a tenth of a second or more. May run in
 * another thread beside all of these but laf_engine_close(). Returns how many came off. */
int laf_engine_detach_idle(struct laf_engine *engine);

/* No more than so many bytes of events are to wait in each ring, but for those that the reserve is kept for: others are lost, for LAF_LOSS_BACKLOG.
 * 0: no limit but the ring. */
void laf_engine_limit(struct laf_engine *engine, uint64_t bytes);

uint32_t laf_engine_generation(const struct laf_engine *engine);

/* Wait until every program that runs now has ended: what was decided by a policy that is out of force is in the rings then. */
void laf_engine_settle(void);

/* How many changes of watched names this engine has followed by itself. */
uint64_t laf_engine_changes(struct laf_engine *engine);

/* Say whether all folders of watched names have inotify marks (`marked`, for create, delete and both moves): where they have,
 * an engine may follow the names by itself, at the moment when they change. Returns whether it does. *ret_misfits: how many of
 * the changes only compiling the rules anew sets right. */
bool laf_engine_follow(struct laf_engine *engine, bool marked, uint64_t *ret_misfits);

/* Which file the engine knows under a watched name. Returns 0, or -ENOENT where the name is not watched. */
int laf_engine_watch(struct laf_engine *engine, const struct laf_watch_key *key, struct laf_watch *ret);

/* Scoped engines: the task behind this pidfd, and all it starts from now on, are audited. */
int laf_engine_mark(struct laf_engine *engine, int pidfd, struct laf_error *err);

/* Wait until a ring holds enough to be worth a look or `timeout_ms` has passed. Returns 0, -EINTR. */
int laf_engine_wait(struct laf_engine *engine, int timeout_ms);

/* Readable when laf_engine_wait() would return; for poll(). Owned by the engine. */
int laf_engine_fd(const struct laf_engine *engine);

/* Hand out events in order of time, each whole. The event is valid during the call. Return not 0 to stop; the
 * event counts as delivered. */
typedef int (*laf_event_fn)(void *arg, struct laf_event *event);

#define LAF_ENGINE_HOLD_NS 1000000ull /* an event may be that long between its time stamp and the ring */

/* Drain the rings: everything older than the moment of the call (less LAF_ENGINE_HOLD_NS, for events still on their way);
 * with `all`, everything. Returns 0, what fn returned, or -EBADMSG for a message that makes no sense (skipped and counted). */
int laf_engine_read(struct laf_engine *engine, bool all, laf_event_fn fn, void *arg);

/* With options.hold: give back the room of events, up to an end (event.ring_end) in each of laf_engine_rings() rings, or, with NULL, that of
 * all which were handed out. */
void laf_engine_release(struct laf_engine *engine, const uint64_t *ends);
unsigned laf_engine_rings(const struct laf_engine *engine);

/* An engine that was opened with options.pins goes on recording when its process ends, however it ends, until somebody opens it again
 * or laf_engine_close() takes it down (which options.pins does not keep it from). resumed: it was there; the policy given to
 * laf_engine_open() was not put in force, and its generation is the one that is. keep: before the first read, see to it that the
 * next process can read on (files in `folder`), from `ends` on where they are not NULL; `go_on`: those files are there and hold.
 * complete: all is ready for a next one. Each returns 0 or a negative errno. */
bool laf_engine_resumed(const struct laf_engine *engine);
int laf_engine_keep(struct laf_engine *engine, const char *folder, bool go_on, const uint64_t *ends);
int laf_engine_complete(struct laf_engine *engine);

/* The name of what it keeps in options.pins; "" = nothing is kept. */
const char *laf_engine_layout(const struct laf_engine *engine);

/* beside: in options.pins is what a process of another version, or with another engine, left to record on; the policy given to laf_engine_open()
 * was not put in force, and none is; or, of a former one: there is another. open_former: open that one. It is read as any other, after
 * laf_engine_keep(). blind: it does not see calls end that were under way when ours was attached: these are not recorded. retire: from now
 * on it sees no call begin, only those end that it saw begin; what was recorded before is in the rings. laf_engine_close() takes it down, laf_engine_leave() does not. Returns 0, -ENOENT if there is none, or another
 * negative errno with err filled. */
bool laf_engine_beside(const struct laf_engine *engine);
int laf_engine_open_former(const char *pins, const struct laf_engine *engine, struct laf_engine **ret, struct laf_error *err);
bool laf_engine_blind(const struct laf_engine *former);
void laf_engine_retire(struct laf_engine *former);

/* Close it, and let it go on recording. */
void laf_engine_leave(struct laf_engine *engine);

/* What was lost in the kernel behind the decisions of one policy, by call and rule: calls fn for each pair. With `forget`, which is for a policy that
 * decides nothing any more, the counters are gone then. Returns 0 or a negative errno. */
typedef void (*laf_loss_fn)(void *arg, const struct laf_wire_lost *lost, uint64_t n);
int laf_engine_losses(struct laf_engine *engine, uint32_t generation, bool forget, laf_loss_fn fn, void *arg);

int laf_engine_get_stats(struct laf_engine *engine, struct laf_engine_stats *ret);

/* One line of `laf probe`. */
struct laf_probe_line {
	const char *name; /* the capability */
	bool ok;
	char text[160];   /* what it is good for, or the kernel's own answer */
};
#define LAF_PROBE_LINES 24

/* Find out what this machine allows. Returns the number of lines filled. */
unsigned laf_probe(struct laf_probe_line lines[LAF_PROBE_LINES]);

#endif
