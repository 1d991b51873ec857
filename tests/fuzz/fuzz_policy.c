// SPDX-License-Identifier: GPL-2.0-or-later
/* Rules of any shape into the policy compiler. Sound ones must decide as the kernel's filter does; of others
 * nothing is asked but a clean refusal, or code that runs to an end and stays inside. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/policy_model.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RULES_MAX 64

/* Bytes of the input; zeros behind its end. */
struct bytes {
	const uint8_t *at;
	size_t left;
};

static uint32_t take(struct bytes *in)
{
	if (!in->left)
		return 0;
	in->left--;
	return *in->at++;
}

static uint32_t below(struct bytes *in, uint32_t n)
{
	return take(in) % n;
}

/* Small numbers, large ones, and the edges. */
static uint32_t number(struct bytes *in)
{
	uint32_t n = take(in);

	switch (n >> 5) {
	case 7: return UINT32_MAX - (n & 31);
	case 6: return n << 24 | take(in) << 16 | take(in) << 8 | take(in);
	case 5: return 100 + (n & 3);
	}
	return n;
}

static const char *const paths[] = { "/", "/etc", "/etc/passwd", "/etc/nowhere", "/dev/null", "/proc",
				     "/usr/bin/", "/nowhere/x", "/etc/../etc/./passwd" };
#define PATHS (sizeof(paths) / sizeof(*paths))

static const uint32_t ops[] = {
	AUDIT_EQUAL, AUDIT_NOT_EQUAL, AUDIT_LESS_THAN, AUDIT_LESS_THAN_OR_EQUAL, AUDIT_GREATER_THAN,
	AUDIT_GREATER_THAN_OR_EQUAL, AUDIT_BIT_MASK, AUDIT_BIT_TEST, 0,
};

static void put_calls(struct bytes *in, struct audit_rule_data *rule)
{
	for (unsigned n = below(in, 4); n > 0; n--)
		rule_call(rule, model_calls[below(in, MODEL_CALLS)].nr);
	if (below(in, 3) == 0)
		memset(rule->mask, 0xff, sizeof(rule->mask) - 2); /* but for the bits of classes */
}

/* ---- any fields at all ---- */

static struct audit_rule_data *any_rule(struct bytes *in)
{
	struct audit_rule_data *rule = calloc(1, sizeof(*rule) + 4096);

	rule->flags = below(in, 8) ? AUDIT_FILTER_EXIT : below(in, 8);
	rule->action = below(in, 3);
	put_calls(in, rule);
	rule->buflen = below(in, 2) ? 4096 : take(in);
	for (uint32_t i = 0; i < rule->buflen; i += 8)
		memcpy(rule->buf + i, "/etc/./.", rule->buflen - i < 8 ? rule->buflen - i : 8);
	rule->field_count = below(in, 70);
	for (uint32_t i = 0; i < rule->field_count && i < AUDIT_MAX_FIELDS; i++) {
		rule->fields[i] = number(in);
		rule->fieldflags[i] = ops[below(in, 9)];
		rule->values[i] = number(in);
	}
	return rule;
}

/* ---- what auditctl and the kernel let through ---- */

static const uint8_t numbers[] = { AUDIT_ARG0, AUDIT_ARG1, AUDIT_ARG2, AUDIT_ARG3, AUDIT_PERS };
static const uint8_t compared[] = {
	AUDIT_UID,       AUDIT_EUID,      AUDIT_SUID,     AUDIT_FSUID,   AUDIT_GID,     AUDIT_EGID,
	AUDIT_SGID,      AUDIT_FSGID,     AUDIT_PID,      AUDIT_PPID,    AUDIT_EXIT,    AUDIT_SUCCESS,
	AUDIT_SESSIONID, AUDIT_SADDR_FAM, AUDIT_DEVMAJOR, AUDIT_OBJ_UID, AUDIT_OBJ_GID,
};

static void sound_field(struct bytes *in, struct audit_rule_data **rule)
{
	uint32_t same = ops[below(in, 2)];

	switch (below(in, 12)) {
	case 0: rule_field(*rule, numbers[below(in, sizeof(numbers))], ops[below(in, 8)], number(in)); break;
	case 1: rule_field(*rule, AUDIT_DEVMINOR, ops[below(in, 8)], number(in)); break;
	case 2: rule_field(*rule, AUDIT_PERM, same, below(in, 16)); break;
	case 3:
		rule_field(*rule, AUDIT_ARCH, same, below(in, 2) ? AUDIT_ARCH_X86_64 : AUDIT_ARCH_I386);
		break;
	case 4: rule_field(*rule, AUDIT_FILETYPE, same, below(in, 2) ? S_IFREG : S_IFDIR); break;
	case 5: rule_field(*rule, AUDIT_FIELD_COMPARE, same, 1 + below(in, 25)); break;
	case 6: rule_field(*rule, AUDIT_LOGINUID_SET, same, below(in, 2)); break;
	case 7: rule_field(*rule, AUDIT_LOGINUID, same, number(in)); break;
	case 8: rule_text(rule, AUDIT_SUBJ_TYPE, same, "t"); break;
	case 9:
		if (!model_has_field(*rule, AUDIT_EXE, 0))
			rule_text(rule, AUDIT_EXE, same, paths[below(in, PATHS)]);
		break;
	default:
		rule_field(*rule, compared[below(in, sizeof(compared))], ops[below(in, 6)], number(in));
		break;
	}
}

static struct audit_rule_data *sound_rule(struct bytes *in)
{
	struct audit_rule_data *rule = rule_new(below(in, 3) ? AUDIT_ALWAYS : AUDIT_NEVER);

	put_calls(in, rule);
	switch (below(in, 6)) {
	case 0: rule_text(&rule, AUDIT_WATCH, AUDIT_EQUAL, paths[below(in, PATHS)]); break;
	case 1: rule_text(&rule, AUDIT_DIR, AUDIT_EQUAL, paths[below(in, PATHS)]); break;
	case 2: rule_field(rule, AUDIT_INODE, ops[below(in, 2)], number(in)); break;
	}
	for (unsigned n = below(in, 5); n > 0; n--)
		sound_field(in, &rule);
	if (below(in, 2))
		rule_text(&rule, AUDIT_FILTERKEY, AUDIT_EQUAL, "k");
	return rule;
}

/* ---- calls ---- */

static void make_name(struct bytes *in, struct run_name *n)
{
	char above[64];
	struct run_inode inode;

	memset(n, 0, sizeof(*n));
	n->text = paths[below(in, PATHS - 2)];
	n->known = below(in, 4) && model_file(n->text, strlen(n->text), &inode);
	n->ino = UINT64_MAX;
	if (!n->known)
		return;
	n->ino = below(in, 3) ? inode.ino : number(in);
	n->dev = inode.dev;
	n->rdev = below(in, 4) << 20 | below(in, 4);
	n->uid = number(in);
	n->gid = number(in);
	n->mode = below(in, 2) ? S_IFREG : S_IFDIR;
	strcpy(above, n->text);
	if (strrchr(above, '/') != above)
		*strrchr(above, '/') = 0;
	if (model_file(above, strlen(above), &inode))
		n->above[n->n_above++] = inode;
}

static struct run_event make_event(struct bytes *in, const struct model_call *call)
{
	struct run_event e = { .abi = call->abi, .nr = call->nr, .returns = call->sort != 'e', .family = -1 };
	uint32_t *ids[] = { &e.pid,  &e.ppid,  &e.pers, &e.auid, &e.ses,  &e.uid,  &e.euid,
			    &e.suid, &e.fsuid, &e.gid,  &e.egid, &e.sgid, &e.fsgid };

	for (unsigned i = 0; i < 4; i++)
		e.args[i] = number(in);
	e.exit = (int32_t)number(in);
	e.opens = call->sort == 'o';
	e.open_flags = below(in, 4);
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		*ids[i] = number(in);
	e.n_groups = below(in, 3);
	for (unsigned i = 0; i < e.n_groups; i++)
		e.groups[i] = number(in);
	if (call->address && below(in, 2))
		e.family = below(in, 4);
	e.n_names = call->names ? below(in, call->names + 1) : 0;
	for (unsigned i = 0; i < e.n_names; i++)
		make_name(in, &e.names[i]);
	return e;
}

/* Let user space have a word, too: it must hold whatever was sent. */
static void decide(const struct laf_policy *policy, const struct run_event *event,
		   const struct run_result *found)
{
	struct laf_wire_name names[RUN_NAMES_MAX] = { 0 };
	struct laf_wire_event wire = {
		.flags = LAF_EV_CANDIDATE, .nr = event->nr, .rule = found->rule, .key_rule = found->key_rule,
		.arch = event->abi ? AUDIT_ARCH_I386 : AUDIT_ARCH_X86_64, .position = found->position,
	};
	struct laf_event sent = { .wire = &wire, .n_names = event->n_names, .conds = found->conds,
				  .n_conds = LAF_CONDS_MAX / 64 };

	for (unsigned i = 0; i < event->n_names; i++) {
		names[i].text_len = strlen(event->names[i].text);
		sent.names[i] = (struct laf_name){ &names[i], event->names[i].text, { 0 } };
	}
	laf_policy_decide(policy, &sent);
}

static void run_calls(struct bytes *in, const struct laf_rules *rules, const struct laf_policy *policy,
		      bool sound)
{
	for (unsigned i = 0; i < 8; i++) {
		const struct model_call *call = &model_calls[below(in, MODEL_CALLS)];
		struct run_event event = make_event(in, call);
		struct run_result got = run_policy(policy, &event);
		struct model_result want;

		decide(policy, &event, &got);
		if (!sound)
			continue;
		want = model_decide(rules, &event, call, false);
		if (want.recorded != got.recorded ||
		    (want.recorded && (want.rule != got.rule || want.key_rule != got.key_rule)))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes in = { data, size };
	struct laf_rules rules = { 0 };
	struct laf_policy *policy = NULL;
	struct laf_error err = { .text = "" };
	bool sound = below(&in, 4);
	int error;

	for (unsigned n = below(&in, RULES_MAX); n > 0 && in.left; n--)
		rules_put(&rules, sound ? sound_rule(&in) : any_rule(&in));
	error = laf_policy_compile(&rules, &policy, &err);
	if (error && (sound || policy || !err.text[0]))
		abort();
	if (!error)
		run_calls(&in, &rules, policy, sound);
	laf_policy_free(policy);
	rules_free(&rules);
	return 0;
}
