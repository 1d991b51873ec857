// SPDX-License-Identifier: GPL-2.0-or-later
/* The records of an event, in the kernel's order (audit_log_exit). EOE is not for files. */
#include <libaudit.h>

#include "formatter.h"

/* BPRM_FCAPS comes before EXECVE, the others after it. */
static int put_specials(struct laf_formatter *f, const struct laf_event *e, bool before_execve, int err)
{
	for (unsigned i = 0; !err && i < e->n_specials; i++) {
		unsigned type = e->specials[i]->type;

		if ((type == AUDIT_BPRM_FCAPS) == before_execve && !laf_event_excludes(e, type))
			err = laf_record_special(f, e->specials[i]);
	}
	return err;
}

int laf_format_standard(struct laf_formatter *f, const struct laf_event *e)
{
	int err = laf_record_syscall(f, e); /* without it no other is written: laf_policy_decide() */

	err = put_specials(f, e, true, err);
	if (!err && e->argv && !laf_event_excludes(e, AUDIT_EXECVE))
		err = laf_record_execve(f, e);
	err = put_specials(f, e, false, err);
	if (!err && e->saddr_len && !laf_event_excludes(e, AUDIT_SOCKADDR))
		err = laf_record_sockaddr(f, e);
	if (!err && e->n_names && e->cwd.components && !laf_event_excludes(e, AUDIT_CWD))
		err = laf_record_cwd(f, e);
	for (unsigned i = 0; !err && i < e->n_names && !laf_event_excludes(e, AUDIT_PATH); i++)
		if (!(e->names[i].wire->flags & LAF_NAME_HIDDEN))
			err = laf_record_name(f, e, i);
	if (!err && !laf_event_excludes(e, AUDIT_PROCTITLE))
		err = laf_record_proctitle(f, e);
	return err;
}
