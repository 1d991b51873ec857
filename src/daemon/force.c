// SPDX-License-Identifier: GPL-2.0-or-later
/* What is asked is carried out on a copy; the copy comes in force in one step, or nothing does; and the change is logged. */
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../netlink/kaudit.h"
#include "../rules/lines.h"
#include "../rules/list.h"
#include "aside.h"
#include "force.h"
#include "locked.h"
#include "readrules.h"

#define LOCKED 2 /* settings.enabled */

const struct laf_rules *laf_force_rules(const struct laf_force *force)
{
	return force->settings.enabled ? &force->rules : &force->none;
}

/* ---- The texts that come of an execution ---- */

enum { OUT, ERR, CHANGES, REFUSALS, TEXTS };

struct texts {
	FILE *streams[TEXTS];
	char *text[TEXTS];
	size_t bytes[TEXTS];
};

static int open_texts(struct texts *t, struct laf_execution *x)
{
	memset(t, 0, sizeof(*t));
	for (int i = 0; i < TEXTS; i++) {
		t->streams[i] = open_memstream(&t->text[i], &t->bytes[i]);
		if (!t->streams[i])
			return -ENOMEM;
	}
	x->out = t->streams[OUT];
	x->err = t->streams[ERR];
	x->changes = t->streams[CHANGES];
	x->refusals = t->streams[REFUSALS];
	return 0;
}

static void close_texts(struct texts *t)
{
	for (int i = 0; i < TEXTS; i++)
		if (t->streams[i])
			fclose(t->streams[i]);
}

static void free_texts(struct texts *t)
{
	for (int i = 0; i < TEXTS; i++)
		free(t->text[i]);
}

/* ---- The start ---- */

static void say_left_out(const struct laf_execution *x, const char *file)
{
	if (x->left_out)
		fprintf(stderr, "laf: %s: %u %s left out, as -i or -c in the file asks; 'laf rules check %s' shows why\n",
			file, x->left_out, x->left_out == 1 ? "line is" : "lines are", file);
}

static int load_file(struct laf_execution *x, const char *file, struct laf_error *err)
{
	FILE *f;
	int r = laf_lines_open(file, &f, err);

	if (r)
		return r;
	x->left_out = 0;
	x->ignores_errors = x->reports_errors = false;
	r = laf_execute_file(x, f, file, err);
	fclose(f);
	say_left_out(x, file);
	return r < 0 ? r : 0;
}

static int load_files(struct laf_force *force, struct laf_error *err)
{
	struct laf_who who;
	struct laf_live live = { .pid = getpid() };
	struct laf_execution x = { .settings = force->settings, .who = &who, .live = &live, .places = true };
	struct texts texts;
	int r = open_texts(&texts, &x);

	laf_who_read(getpid(), &who);
	for (unsigned i = 0; i < force->config->n_rules && !r; i++)
		r = load_file(&x, force->config->rules[i], err);
	close_texts(&texts);
	if (r) {
		laf_rules_clear(&x.rules);
	} else {
		force->rules = x.rules;
		force->settings = x.settings;
		force->records = texts.text[CHANGES];
		texts.text[CHANGES] = NULL;
	}
	free_texts(&texts);
	return r;
}

/* -e 2 of the kernel's own audit: who locked that wants no change of what is audited. */
static bool kernel_is_locked(void)
{
	struct audit_status status;
	int fd = laf_kaudit_open();
	bool locked = fd >= 0 && !laf_kaudit_get(fd, &status) && status.enabled == LOCKED;

	if (fd >= 0)
		close(fd);
	return locked;
}

int laf_force_load(struct laf_force *force, struct laf_error *err)
{
	int r = laf_locked_read(force->folder, &force->rules, &force->settings, err);

	if (r < 0)
		return r;
	if (!r) {
		r = load_files(force, err);
		if (r)
			return r;
		if (kernel_is_locked())
			force->settings.enabled = LOCKED;
		if (force->settings.enabled == LOCKED)
			r = laf_locked_write(force->folder, &force->rules, &force->settings, err);
	}
	return r < 0 ? r : 0;
}

/* ---- Changes ---- */

static uint64_t lost_in_all(struct laf_force *force)
{
	struct laf_recorder_loss loss;

	return laf_recorder_get_loss(force->recorder, &loss) ? 0 : loss.total;
}

static const uint32_t loginuid_bit = AUDIT_FEATURE_TO_MASK(AUDIT_FEATURE_LOGINUID_IMMUTABLE);

static void read_features(struct laf_live *live)
{
	struct audit_features features;
	int fd = laf_kaudit_open();

	if (fd < 0)
		return;
	if (!laf_kaudit_get_features(fd, &features)) {
		live->loginuid_immutable = features.features & loginuid_bit;
		live->loginuid_locked = features.lock & loginuid_bit;
	}
	close(fd);
}

/* --loginuid-immutable is the kernel's to heed. */
static int fix_loginuid(void)
{
	const struct audit_features features = {
		.vers = AUDIT_FEATURE_VERSION, .mask = loginuid_bit, .features = loginuid_bit, .lock = loginuid_bit,
	};
	int fd = laf_kaudit_open(), r;

	if (fd < 0)
		return fd;
	r = laf_kaudit_set_features(fd, &features);
	close(fd);
	return r;
}

void laf_force_live(struct laf_force *force, struct laf_live *ret)
{
	int64_t waiting = 0;

	*ret = (struct laf_live){ .pid = getpid(), .lost = lost_in_all(force) - force->lost_before };
	if (!laf_recorder_check(force->recorder, &waiting) && waiting > 0)
		ret->backlog = waiting;
	read_features(ret);
}

static void write_records(struct laf_force *force, char *bodies)
{
	char *body;

	while ((body = strsep(&bodies, "\n")))
		if (*body)
			force->write_record(force->arg, "CONFIG_CHANGE", body);
}

void laf_force_tell(struct laf_force *force)
{
	write_records(force, force->records);
	free(force->records);
	force->records = NULL;
}

static int follow_rules(struct laf_force *force, struct laf_error *err)
{
	int r;

	force->recorder->rules = laf_force_rules(force);
	r = laf_recorder_reload(force->recorder, err);
	if (!r)
		laf_repath_renew(force->repath);
	return r;
}

/* What can fail, the lock first: rules that are in force and can't be locked would be worse than a lock on rules that are not. */
static int take_effect(struct laf_force *force, const struct laf_execution *x, bool locks, struct laf_error *err)
{
	int r = 0;

	if (x->sets_loginuid)
		r = fix_loginuid();
	if (r)
		return laf_error_set(err, r, "Error sending set_feature request (%s)", strerror(-r));
	if (locks)
		r = laf_locked_write(force->folder, &force->rules, &force->settings, err);
	if (!r && x->changes_rules)
		r = follow_rules(force, err);
	if (r && locks)
		laf_locked_remove(force->folder);
	return r;
}

/* Of the kernel's memory a record that waits takes as much: a buffer (AUDIT_BUFSIZ, 1 KiB) and what goes with it. */
#define RECORD_BYTES 2048ull

/* What nobody has set is no limit. */
static uint64_t backlog_bytes(uint32_t records)
{
	static const struct laf_settings initial = LAF_SETTINGS_INIT;

	return records == initial.backlog_limit ? 0 : records * RECORD_BYTES;
}

void laf_force_limit(struct laf_force *force)
{
	const struct laf_settings *s = &force->settings;
	struct audit_status limits = { .failure = s->failure, .rate_limit = s->rate_limit, .backlog_limit = s->backlog_limit };
	int r = force->recorder->netlink ? laf_netlink_limit(force->recorder->netlink, &limits) : 0;

	force->recorder->rate.limit = s->rate_limit;
	laf_engine_limit(force->recorder->engine, backlog_bytes(s->backlog_limit));
	if (r)
		snprintf(force->last_error, sizeof(force->last_error), "kernel audit: setting its limits: %s", strerror(-r));
}

/* Takes over the rules of `x` and leaves the former ones there; on failure nothing has changed. */
static int put_in_force(struct laf_force *force, struct laf_execution *x)
{
	struct laf_rules rules = force->rules;
	struct laf_settings settings = force->settings;
	struct laf_error err = { 0 };

	force->rules = x->rules;
	force->settings = x->settings;
	if (take_effect(force, x, x->settings.enabled == LOCKED && settings.enabled != LOCKED, &err)) {
		force->rules = rules;
		force->settings = settings;
		force->recorder->rules = laf_force_rules(force);
		snprintf(force->last_error, sizeof(force->last_error), "%.*s", 250, err.text);
		fprintf(x->err, "%s\n", err.text);
		return -EIO;
	}
	laf_force_limit(force);
	if (x->resets_lost)
		force->lost_before = lost_in_all(force);
	x->rules = rules;
	return 0;
}

struct job {
	const struct laf_rules *rules;
	struct laf_execution *x;
	const struct laf_control_request *request;
	int status;
	bool commit;
};

static void execute(void *arg)
{
	struct job *job = arg;

	if (!laf_rules_copy(job->rules, &job->x->rules))
		job->status = laf_execute_request(job->x, job->request, &job->commit);
}

/* Returns auditctl's exit status; *ret_commit: the change is in force. */
static int change(struct laf_force *force, struct laf_execution *x, const struct laf_control_request *request,
		  bool *ret_commit)
{
	struct job job = { .rules = &force->rules, .x = x, .request = request, .status = LAF_EXECUTE_REFUSED };

	laf_aside(force->recorder, execute, &job);
	*ret_commit = job.commit && !put_in_force(force, x);
	return job.commit && !*ret_commit ? LAF_EXECUTE_REFUSED : job.status;
}

void laf_force_change(struct laf_force *force, pid_t pid, const struct laf_control_request *request,
		      struct laf_control_reply *ret)
{
	struct laf_who who;
	struct laf_live live;
	struct laf_execution x = { .settings = force->settings, .who = &who, .live = &live };
	struct texts texts;
	bool commit = false;

	ret->status = LAF_EXECUTE_REFUSED;
	laf_who_read(pid, &who);
	laf_force_live(force, &live);
	if (!open_texts(&texts, &x))
		ret->status = change(force, &x, request, &commit);
	laf_rules_clear(&x.rules);
	if (x.changes_rules)
		malloc_trim(0); /* a large set is there twice for a while */
	close_texts(&texts);
	if (commit)
		write_records(force, texts.text[CHANGES]);
	write_records(force, texts.text[REFUSALS]);
	ret->out = texts.text[OUT];
	ret->out_bytes = texts.bytes[OUT];
	ret->err = texts.text[ERR];
	ret->err_bytes = texts.bytes[ERR];
	free(texts.text[CHANGES]);
	free(texts.text[REFUSALS]);
}

void laf_force_clear(struct laf_force *force)
{
	laf_rules_clear(&force->rules);
	free(force->records);
}
