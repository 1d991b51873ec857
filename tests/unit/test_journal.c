// SPDX-License-Identifier: GPL-2.0-or-later
/* The journal: whatever part of a write came about, the log is cut back to where the rings are, or the rings go on where it ends. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../src/daemon/journal.h"

#define RINGS 3

static char folder[] = "/tmp/laf-journal-XXXXXX", journal_path[64], log_path[64], rotated_path[64];

static int set_up(void **state)
{
	if (!mkdtemp(folder))
		return -1;
	snprintf(journal_path, sizeof(journal_path), "%s/journal", folder);
	snprintf(log_path, sizeof(log_path), "%s/log", folder);
	snprintf(rotated_path, sizeof(rotated_path), "%s/log.1", folder);
	return 0;
}

static int tear_down(void **state)
{
	unlink(journal_path);
	unlink(log_path);
	unlink(rotated_path);
	return rmdir(folder);
}

static off_t size_of(int fd)
{
	struct stat st;

	assert_int_equal(fstat(fd, &st), 0);
	return st.st_size;
}

static int open_log(void)
{
	int fd = open(log_path, O_WRONLY | O_APPEND | O_CREAT, 0600);

	assert_true(fd >= 0);
	return fd;
}

static struct laf_journal open_journal(void)
{
	struct laf_error err = { 0 };
	struct laf_journal journal;

	assert_int_equal(laf_journal_open(&journal, journal_path, RINGS, &err), 0);
	return journal;
}

/* A daemon notes `bytes`, writes `written` of them, and is killed; the next one settles. Returns what that says. */
static int live_and_die(uint64_t bytes, size_t written, uint64_t ring_end)
{
	const uint64_t ends[RINGS] = { ring_end, ring_end + 1, ring_end + 2 };
	struct laf_journal journal = open_journal();
	char text[4096] = "";
	int fd = open_log(), r;

	laf_journal_note(&journal, fd, bytes, ring_end, ends, RINGS);
	assert_int_equal(write(fd, text, written), written);
	laf_journal_close(&journal);
	close(fd);
	journal = open_journal();
	fd = open_log();
	r = laf_journal_settle(&journal, fd);
	assert_int_equal(laf_journal_last(&journal)->ends[1], r ? ring_end + 1 : 0); /* what was cut off is not done with */
	assert_int_equal(laf_journal_last(&journal)->serial, ring_end);
	laf_journal_close(&journal);
	close(fd);
	return r;
}

static void test_every_part_of_a_write(void **state)
{
	off_t size = 0;
	int fd;

	for (size_t written = 0; written <= 100; written++) {
		assert_int_equal(live_and_die(100, written, written + 1), written == 100);
		size += written == 100 ? 100 : 0;
		fd = open_log();
		assert_int_equal(size_of(fd), size);
		close(fd);
	}
}

static void test_a_log_that_was_left(void **state)
{
	struct laf_journal journal;
	int fd;

	assert_int_equal(live_and_die(50, 50, 2), 1);
	assert_int_equal(rename(log_path, rotated_path), 0);
	journal = open_journal();
	fd = open_log();
	assert_int_equal(write(fd, "new", 3), 3);
	assert_int_equal(laf_journal_settle(&journal, fd), 1);
	assert_int_equal(size_of(fd), 3);
	laf_journal_close(&journal);
	close(fd);
}

static void test_another_layout(void **state)
{
	struct laf_error err = { 0 };
	struct laf_journal journal;

	assert_int_equal(live_and_die(10, 10, 7), 1);
	assert_int_equal(laf_journal_open(&journal, journal_path, RINGS + 1, &err), 0);
	assert_int_equal(laf_journal_last(&journal)->serial, 0);
	laf_journal_close(&journal);
}

static void test_a_file_of_others(void **state)
{
	struct laf_error err = { 0 };
	struct laf_journal journal;

	unlink(journal_path);
	assert_int_equal(symlink(log_path, journal_path), 0);
	assert_true(laf_journal_open(&journal, journal_path, RINGS, &err) < 0);
	unlink(journal_path);
	close(open(journal_path, O_WRONLY | O_CREAT, 0600));
	assert_int_equal(chmod(journal_path, 0644), 0);
	assert_int_equal(laf_journal_open(&journal, journal_path, RINGS, &err), -EPERM);
	unlink(journal_path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_part_of_a_write),
		cmocka_unit_test(test_a_log_that_was_left),
		cmocka_unit_test(test_another_layout),
		cmocka_unit_test(test_a_file_of_others),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
