// SPDX-License-Identifier: GPL-2.0-or-later
/* Two checkpoints in a mapped file, one of them in force: a daemon that is killed between two instructions leaves a whole one. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../bpf/wire.h"
#include "../statefile.h"
#include "journal.h"

#define MAGIC 0x6c61666a6f75726eull /* "lafjourn" */

struct laf_journal_file {
	uint64_t magic;
	uint32_t layout; /* LAF_WIRE_LAYOUT */
	uint32_t n_rings;
	uint64_t count; /* checkpoints so far; the last one is in slot count % 2 */
	uint64_t lost;
	uint64_t slots[];
};

static size_t slot_bytes(unsigned n_rings)
{
	return sizeof(struct laf_checkpoint) + n_rings * sizeof(uint64_t);
}

static struct laf_checkpoint *slot(const struct laf_journal *journal, uint64_t count)
{
	return (void *)((char *)journal->file->slots + count % 2 * slot_bytes(journal->n_rings));
}

int laf_journal_open(struct laf_journal *journal, const char *path, unsigned n_rings, struct laf_error *err)
{
	struct laf_journal_file *file;
	void *at;
	int r;

	*journal = (struct laf_journal){
		.n_rings = n_rings, .bytes = sizeof(*file) + 2 * slot_bytes(n_rings),
	};
	r = laf_statefile_map(path, journal->bytes, &at);
	if (r)
		return laf_error_set(err, r, "journal: opening %s: %s", path, strerror(-r));
	journal->file = file = at;
	if (file->magic != MAGIC || file->layout != LAF_WIRE_LAYOUT || file->n_rings != n_rings)
		laf_journal_clear(journal);
	return 0;
}

void laf_journal_clear(struct laf_journal *journal)
{
	memset(journal->file, 0, journal->bytes);
	journal->file->magic = MAGIC;
	journal->file->layout = LAF_WIRE_LAYOUT;
	journal->file->n_rings = journal->n_rings;
}

const struct laf_checkpoint *laf_journal_last(const struct laf_journal *journal)
{
	return slot(journal, journal->file->count);
}

void laf_journal_note(struct laf_journal *journal, int fd, uint64_t bytes, uint32_t serial, const uint64_t *ends, unsigned n)
{
	struct laf_checkpoint *next = slot(journal, journal->file->count + 1);
	struct stat st;

	if (fstat(fd, &st))
		return; /* there is no file to write to */
	next->log_dev = st.st_dev;
	next->log_ino = st.st_ino;
	next->log_from = st.st_size;
	next->log_to = st.st_size + bytes;
	next->told_lost = journal->told_lost;
	next->serial = serial;
	memset(next->ends, 0, journal->n_rings * sizeof(*ends));
	memcpy(next->ends, ends, (n < journal->n_rings ? n : journal->n_rings) * sizeof(*ends));
	__atomic_store_n(&journal->file->count, journal->file->count + 1, __ATOMIC_RELEASE);
}

void laf_journal_set_lost(struct laf_journal *journal, uint64_t lost)
{
	__atomic_store_n(&journal->file->lost, lost, __ATOMIC_RELEASE);
}

uint64_t laf_journal_lost(const struct laf_journal *journal)
{
	return journal->file->lost;
}

int laf_journal_settle(struct laf_journal *journal, int fd)
{
	struct laf_checkpoint *last = slot(journal, journal->file->count);
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (st.st_dev != last->log_dev || st.st_ino != last->log_ino || (uint64_t)st.st_size >= last->log_to)
		return 1;
	if ((uint64_t)st.st_size > last->log_from && ftruncate(fd, last->log_from))
		return -errno;
	memset(last->ends, 0, journal->n_rings * sizeof(*last->ends));
	return 0;
}

void laf_journal_close(struct laf_journal *journal)
{
	if (journal->file)
		munmap(journal->file, journal->bytes);
	*journal = (struct laf_journal){ 0 };
}
