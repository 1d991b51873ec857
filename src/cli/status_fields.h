/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the daemon tells of itself: the kind and the meaning of each value. */
#ifndef LAF_STATUS_FIELDS_H
#define LAF_STATUS_FIELDS_H

enum laf_status_kind {
	LAF_STATUS_NUMBER,  /* goes up and down */
	LAF_STATUS_COUNTER, /* only grows while the daemon runs */
	LAF_STATUS_TEXT,
};

struct laf_status_field {
	const char *name;   /* as the daemon tells it; one that ends with '_' is the begin of several, whose rest says which */
	enum laf_status_kind kind;
	const char *metric; /* Prometheus' name without "laf_"; NULL: it is not told there, as others add up to it */
	const char *label;  /* Prometheus' name for what says which, where there are several */
	const char *help;
};

/* What is known of a name. Never NULL: of others it is a number without a metric of its own. */
const struct laf_status_field *laf_status_field(const char *name);

#endif
