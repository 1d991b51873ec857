/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How golden/execve.txt tells the EXECVE records of a list: written by the capture, compared by the test. */
#ifndef LAF_GOLDEN_H
#define LAF_GOLDEN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define GOLDEN_TEXT_MAX 200 /* bytes of records that are kept as text, not only as a sum */

/* FNV-1a over the records' bodies, each ended by '\n'. */
static inline uint64_t golden_sum(const char *text, size_t len)
{
	uint64_t sum = 0xcbf29ce484222325u;

	for (size_t i = 0; i < len; i++)
		sum = (sum ^ (uint8_t)text[i]) * 0x100000001b3u;
	return sum;
}

/* "NAME records=N bytes=B sum=S", and short records below it. */
static inline void golden_write(FILE *to, const char *name, unsigned records, const char *text, size_t len)
{
	fprintf(to, "%s records=%u bytes=%zu sum=%016llx\n", name, records, len,
		(unsigned long long)golden_sum(text, len));
	if (len <= GOLDEN_TEXT_MAX)
		fwrite(text, 1, len, to);
}

#endif
