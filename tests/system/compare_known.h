/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a known difference is written down. */
#ifndef COMPARE_KNOWN_H
#define COMPARE_KNOWN_H

#include "compare.h"

enum outcome { EITHER, SUCCEEDED, FAILED };

struct known {
	const char *id;
	const char *engine;   /* "tracepoint"; NULL = every engine of laf */
	const char *calls;    /* space-separated names, #N for a number libaudit has no name for; NULL = every call */
	enum outcome outcome;
	bool (*apply)(const struct known *k, struct event *kernel, const struct event *ours); /* true = changed */
	const char *argument; /* for `apply` */
	const char *why;
	unsigned long used;
};

/* Known differences in which events are written at all. Applies where `fits` says so; not to be changed. */
struct known_choice {
	const char *id;
	const char *engine;
	bool extra;           /* ours alone; else the kernel's alone */
	const char *set;      /* "text": only where rules go by path= or dir= */
	bool (*fits)(const struct known_choice *k, const struct event *e);
	const char *argument; /* for `fits` */
	const char *why;
	unsigned long used;
};

/* compare_names.c: the PATH records of a call whose names were not opened become what the caller gave. */
bool names_as_given(const struct known *k, struct event *kernel, const struct event *ours);
/* Only the first of them: what the kernel looked up on its way besides is left out. */
bool first_name_as_given(const struct known *k, struct event *kernel, const struct event *ours);
/* The second name only where our own event has one. */
bool second_name_if_ours(const struct known *k, struct event *kernel, const struct event *ours);
/* A second name that the kernel did not come to is in ours. */
bool second_name_unseen(const struct known *k, struct event *kernel, const struct event *ours);
/* The last of them (one name that the kernel shows twice); a name before it is left out. */
bool device_as_given(const struct known *k, struct event *kernel, const struct event *ours);
bool folder_of_old_left_out(const struct known *k, struct event *kernel, const struct event *ours);
bool empty_name_left_out(const struct known *k, struct event *kernel, const struct event *ours);
/* compare_opened.c: the PATH records of calls that led to a file, where the way there is not seen. */
bool loader_by_file(const struct known *k, struct event *kernel, const struct event *ours);
bool repeated_left_out(const struct known *k, struct event *kernel, const struct event *ours);
bool script_by_name(const struct known *k, struct event *kernel, const struct event *ours);
bool only_the_opened(const struct known *k, struct event *kernel, const struct event *ours);
bool created_through_link(const struct known *k, struct event *kernel, const struct event *ours);

/* Put n records in the place of all PATH records, and say so in items=. */
void replace_paths(struct event *e, char **bodies, size_t n);
/* A PATH record without inode; text NULL gives (null). Freed by nobody. */
char *given_record(size_t item, const char *text);
/* Put other text in the place of name=… and item=…. */
char *renamed_record(const char *body, size_t item, const char *text);


/* Take record i out of the event. */
void drop_record(struct event *e, size_t i);

#endif
