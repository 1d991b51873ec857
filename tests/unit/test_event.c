// SPDX-License-Identifier: GPL-2.0-or-later
/* Decoding of ring messages: what is whole, and every way of not being whole. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "event_builder.h"

static struct event_builder b;

static char *joined(const struct laf_path *path)
{
	static char text[512];
	size_t len = laf_path_join(path, text, sizeof(text) - 1);

	assert_true(len < sizeof(text));
	text[len] = 0;
	return text;
}

static void all_sections(void **state)
{
	uint64_t conds[2] = { 1, 2 };

	builder_start(&b);
	builder_name(&b, (struct laf_wire_name){ .nametype = LAF_NAME_PARENT }, "a/b", 3);
	builder_path(&b, LAF_SECTION_BASE, 0, "/base");
	builder_name(&b, (struct laf_wire_name){ .nametype = LAF_NAME_CREATE, .ino = 7 }, "", 0);
	builder_path(&b, LAF_SECTION_CWD, 0, "/usr/src");
	builder_path(&b, LAF_SECTION_EXE, LAF_PATH_DELETED, "/bin/x");
	builder_path(&b, LAF_SECTION_OPENED, 0, "/");
	builder_section(&b, LAF_SECTION_TTY, 0, "pts0", 4);
	builder_section(&b, LAF_SECTION_SADDR, 0, "\1\0x", 3);
	builder_section(&b, LAF_SECTION_PROCTITLE, 0, "x\0y", 3);
	builder_section(&b, LAF_SECTION_CONDS, 0, conds, sizeof(conds));
	builder_execve(&b, 2, "x\0y\0", 4);
	assert_int_equal(builder_decode(&b), 0);
	assert_int_equal(b.event.n_names, 2);
	assert_memory_equal(b.event.names[0].text, "a/b", 3);
	assert_string_equal(joined(&b.event.names[0].base), "/base");
	assert_null(b.event.names[1].base.components);
	assert_int_equal(b.event.names[1].wire->ino, 7);
	assert_string_equal(joined(&b.event.cwd), "/usr/src");
	assert_string_equal(joined(&b.event.exe), "/bin/x (deleted)");
	assert_string_equal(joined(&b.event.opened), "/");
	assert_int_equal(b.event.tty_len, 4);
	assert_int_equal(b.event.saddr_len, 3);
	assert_memory_equal(b.event.proctitle, "x\0y", 3);
	assert_int_equal(b.event.n_conds, 2);
	assert_int_equal(b.event.conds[1], 2);
	assert_int_equal(b.event.argc, 2);
	assert_memory_equal(b.event.argv, "x\0y\0", 4);
	assert_int_equal(b.event.argv_len, 4);
}

static void what_is_absent_is_null(void **state)
{
	builder_start(&b);
	builder_section(&b, LAF_SECTION_PROCTITLE, LAF_SECTION_FAULT, NULL, 0);
	builder_section(&b, LAF_SECTION_CWD, LAF_SECTION_FAULT, NULL, 0);
	builder_section(&b, LAF_SECTION_EXECVE, LAF_SECTION_FAULT, NULL, 0);
	assert_int_equal(builder_decode(&b), 0);
	assert_null(b.event.proctitle);
	assert_null(b.event.cwd.components);
	assert_null(b.event.exe.components);
	assert_null(b.event.tty);
	assert_null(b.event.saddr);
	assert_null(b.event.argv);
	assert_null(b.event.conds);
	assert_int_equal(b.event.n_names, 0);
}

static void title_is_cut_where_the_kernel_side_says(void **state)
{
	builder_start(&b);
	builder_section(&b, LAF_SECTION_PROCTITLE, LAF_PROCTITLE_CUT, "sshd: x\0rest", 12);
	assert_int_equal(builder_decode(&b), 0);
	assert_int_equal(b.event.proctitle_len, 7);
}

static void arguments_apart(void **state)
{
	builder_start(&b);
	b.wire.flags = LAF_EV_ARGS_APART;
	b.argv = "long\0list";
	b.argv_len = 10;
	builder_execve(&b, 2, "", 0);
	assert_int_equal(builder_decode(&b), 0);
	assert_ptr_equal(b.event.argv, b.argv);
	assert_int_equal(b.event.argv_len, 10);
	b.argv = NULL; /* the pieces were lost */
	assert_int_equal(builder_decode(&b), 0);
	assert_int_equal(b.event.argc, 2);
	assert_int_equal(b.event.argv_len, 0);
}

static int decode_with(unsigned kind, const void *payload, size_t bytes)
{
	builder_start(&b);
	builder_section(&b, kind, 0, payload, bytes);
	return builder_decode(&b);
}

static void broken_sections(void **state)
{
	struct laf_wire_name long_name = { .text_len = 9 }, nul = { .text_len = 8 };
	struct laf_wire_name inner = { .flags = LAF_NAME_COMPONENTS, .text_len = 8 };
	uint8_t payload[48];

	memset(payload, 'x', sizeof(payload));
	memcpy(payload, &long_name, sizeof(long_name));
	assert_int_equal(decode_with(LAF_SECTION_NAME, payload, sizeof(payload)), -EBADMSG);
	assert_int_equal(decode_with(LAF_SECTION_NAME, payload, sizeof(long_name) - 1), -EBADMSG);
	memcpy(payload, &nul, sizeof(nul));
	payload[47] = 0;
	assert_int_equal(decode_with(LAF_SECTION_NAME, payload, sizeof(payload)), -EBADMSG);
	memcpy(payload + sizeof(nul), "no nul!!", 8);
	assert_int_equal(decode_with(LAF_SECTION_NAME, payload, sizeof(payload)), 0);
	memcpy(payload, &inner, sizeof(inner));
	assert_int_equal(decode_with(LAF_SECTION_NAME, payload, sizeof(payload)), -EBADMSG);
	memcpy(payload + sizeof(inner), "\3abc\3def", 8);
	assert_int_equal(decode_with(LAF_SECTION_NAME, payload, sizeof(payload)), 0);
	assert_int_equal(decode_with(LAF_SECTION_CWD, "\3ab", 3), -EBADMSG);
	assert_int_equal(decode_with(LAF_SECTION_EXE, "\2ab\0", 4), -EBADMSG);
	assert_int_equal(decode_with(LAF_SECTION_OPENED, "\1a\1", 3), -EBADMSG);
	assert_int_equal(decode_with(LAF_SECTION_BASE, "\1a", 2), -EBADMSG);
	assert_int_equal(decode_with(LAF_SECTION_CONDS, "1234567", 7), -EBADMSG);
	assert_int_equal(decode_with(LAF_SECTION_EXECVE, "1234567", 7), -EBADMSG);
	assert_int_equal(decode_with(0, "", 0), -EBADMSG);
	assert_int_equal(decode_with(77, "", 0), -EBADMSG);
}

static void broken_messages(void **state)
{
	size_t bytes;

	builder_start(&b);
	builder_path(&b, LAF_SECTION_CWD, 0, "/a/b");
	assert_int_equal(builder_decode(&b), 0);
	bytes = b.wire.bytes;
	for (size_t cut = 0; cut < bytes; cut++) {
		/* whole are the header alone and the section without its padding */
		bool whole = cut == sizeof(b.wire) || cut >= sizeof(b.wire) + 12;

		b.wire.bytes = cut;
		assert_int_equal(laf_event_decode(b.bytes, bytes, NULL, &b.event), whole ? 0 : -EBADMSG);
	}
	b.wire.bytes = bytes;
	assert_int_equal(laf_event_decode(b.bytes, bytes - 1, NULL, &b.event), -EBADMSG);
	assert_int_equal(laf_event_decode(b.bytes, bytes + 8, NULL, &b.event), 0);
	b.wire.type = LAF_WIRE_ARGS;
	assert_int_equal(laf_event_decode(b.bytes, bytes, NULL, &b.event), -EBADMSG);
	b.wire.type = LAF_WIRE_EVENT;
	memmove(b.bytes + 4, b.bytes, bytes);
	assert_int_equal(laf_event_decode(b.bytes + 4, bytes, NULL, &b.event), -EBADMSG);
}

/* The folder that a call left comes before the task's. */
static void former_folder(void **state)
{
	builder_start(&b);
	builder_own_section(&b, LAF_SECTION_CWD, 0, "\3old", 4);
	builder_path(&b, LAF_SECTION_CWD, 0, "/new");
	assert_int_equal(builder_decode(&b), 0);
	assert_string_equal(joined(&b.event.cwd), "/old");
	builder_own_section(&b, LAF_SECTION_EXE, 0, "\3old", 4);
	assert_int_equal(builder_decode(&b), -EBADMSG);
}

/* An event that refers to another has no part on the task, and needs what that one told. */
static void told_before(void **state)
{
	_Alignas(8) char sections[] = "\2\0\0\0\4\0\0\0\3old\0\0\0";
	struct laf_event_task task;
	const struct laf_event_apart apart = { .task = &task };

	assert_int_equal(laf_event_decode_task(sections, sizeof(sections), &task), 0);
	sections[0] = LAF_SECTION_NAME;
	assert_int_equal(laf_event_decode_task(sections, sizeof(sections), &task), -EBADMSG);
	builder_start(&b);
	b.wire.seq = 7;
	b.wire.told = 6;
	assert_int_equal(builder_decode(&b), -EBADMSG);
	assert_int_equal(laf_event_decode(b.bytes, b.wire.bytes, &apart, &b.event), 0);
	assert_string_equal(joined(&b.event.cwd), "/old");
	builder_path(&b, LAF_SECTION_CWD, 0, "/new");
	builder_decode(&b);
	assert_int_equal(laf_event_decode(b.bytes, b.wire.bytes, &apart, &b.event), -EBADMSG);
	b.wire.told = 7;
	assert_int_equal(laf_event_decode(b.bytes, b.wire.bytes, &apart, &b.event), 0);
	assert_string_equal(joined(&b.event.cwd), "/new");
}

static void twice_is_broken(void **state)
{
	static const unsigned kinds[] = {
		LAF_SECTION_CWD, LAF_SECTION_EXE, LAF_SECTION_TTY, LAF_SECTION_SADDR,
		LAF_SECTION_PROCTITLE, LAF_SECTION_CONDS, LAF_SECTION_OPENED,
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		assert_int_equal(decode_with(kinds[i], "", 0), 0);
		builder_section(&b, kinds[i], 0, "", 0);
		assert_int_equal(builder_decode(&b), -EBADMSG);
	}
	builder_start(&b);
	for (int i = 0; i < 2; i++) {
		builder_name(&b, (struct laf_wire_name){ 0 }, "a", 1);
		builder_path(&b, LAF_SECTION_BASE, 0, "/a");
	}
	assert_int_equal(builder_decode(&b), 0);
	builder_path(&b, LAF_SECTION_BASE, 0, "/a");
	assert_int_equal(builder_decode(&b), -EBADMSG);
}

static void names_have_a_limit(void **state)
{
	builder_start(&b);
	for (int i = 0; i < LAF_EVENT_NAMES_MAX; i++)
		builder_name(&b, (struct laf_wire_name){ 0 }, "a", 1);
	assert_int_equal(builder_decode(&b), 0);
	assert_int_equal(b.event.n_names, LAF_EVENT_NAMES_MAX);
	builder_name(&b, (struct laf_wire_name){ 0 }, "a", 1);
	assert_int_equal(builder_decode(&b), -EBADMSG);
}

static void result_is_written_only_on_success(void **state)
{
	struct laf_event before;

	memset(&b.event, 0x5a, sizeof(b.event));
	before = b.event;
	assert_int_equal(decode_with(LAF_SECTION_CWD, "\3ab", 3), -EBADMSG);
	assert_memory_equal(&before, &b.event, sizeof(before));
}

static void paths(void **state)
{
	static const uint8_t components[] = "\4make\3bin\3usr";
	struct laf_path path = { components, sizeof(components) - 1, 0 };
	struct laf_path none = { NULL, 0, 0 }, root = { components, 0, 0 };

	assert_string_equal(joined(&path), "/usr/bin/make");
	assert_string_equal(joined(&root), "/");
	assert_int_equal(laf_path_join(&none, NULL, 0), 0);
	path.flags = LAF_PATH_DELETED;
	assert_string_equal(joined(&path), "/usr/bin/make (deleted)");
	root.flags = LAF_PATH_DELETED;
	assert_string_equal(joined(&root), "/ (deleted)");
	path.flags = LAF_PATH_TRUNCATED | LAF_PATH_DELETED;
	assert_string_equal(joined(&path), "<too_long>");
	path = (struct laf_path){ (const uint8_t *)"\11memfd:abc", 10, LAF_PATH_PSEUDO };
	assert_string_equal(joined(&path), "/memfd:abc (deleted)");
}

static void paths_are_clipped_to_the_buffer(void **state)
{
	static const uint8_t components[] = "\4make\3bin\3usr";
	struct laf_path path = { components, sizeof(components) - 1, LAF_PATH_DELETED };
	static const char whole[] = "/usr/bin/make (deleted)";

	for (size_t size = 0; size < sizeof(whole); size++) {
		char *text = malloc(size + 1);

		memset(text, '#', size + 1);
		assert_int_equal(laf_path_join(&path, text, size), sizeof(whole) - 1);
		assert_memory_equal(text, whole, size);
		assert_int_equal(text[size], '#');
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_sections),
		cmocka_unit_test(what_is_absent_is_null),
		cmocka_unit_test(title_is_cut_where_the_kernel_side_says),
		cmocka_unit_test(arguments_apart),
		cmocka_unit_test(broken_sections),
		cmocka_unit_test(broken_messages),
		cmocka_unit_test(former_folder),
		cmocka_unit_test(told_before),
		cmocka_unit_test(twice_is_broken),
		cmocka_unit_test(names_have_a_limit),
		cmocka_unit_test(result_is_written_only_on_success),
		cmocka_unit_test(paths),
		cmocka_unit_test(paths_are_clipped_to_the_buffer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
