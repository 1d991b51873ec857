// SPDX-License-Identifier: GPL-2.0-or-later
/* Bytes of a client on the control socket: served whole or refused, carried out on a copy; nothing of a refused request comes in
 * force, and what comes in force can be listed. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "../../src/control/execute.h"
#include "../../src/rules/list.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[64];
static struct laf_rules rules;
static struct laf_settings settings = LAF_SETTINGS_INIT;

static void forget(void)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/control", folder);
	unlink(path);
	rmdir(folder);
}

static struct laf_control *open_once(void)
{
	static struct laf_control *control;
	struct laf_error err;

	if (control)
		return control;
	snprintf(folder, sizeof(folder), "/tmp/laf-fuzz-XXXXXX");
	if (!mkdtemp(folder) || laf_control_open(folder, &control, &err))
		abort();
	atexit(forget);
	return control;
}

/* Records are whole lines of text. */
static void check_records(const char *text, size_t bytes)
{
	if (strlen(text) != bytes || (bytes && text[bytes - 1] != '\n'))
		abort();
	for (; *text; text++)
		if ((unsigned char)*text < ' ' && *text != '\n')
			abort();
}

static void answer(void *arg, pid_t pid, const struct laf_control_request *request, struct laf_control_reply *ret)
{
	static const struct laf_who who = { .pid = 1, .auid = 1000, .ses = 1 };
	static const struct laf_live live = { .pid = 2, .lost = 3 };
	char *changes = NULL, *refusals = NULL;
	size_t changes_bytes, refusals_bytes;
	struct laf_execution x = {
		.settings = settings, .who = &who, .live = &live,
		.out = open_memstream(&ret->out, &ret->out_bytes), .err = open_memstream(&ret->err, &ret->err_bytes),
		.changes = open_memstream(&changes, &changes_bytes),
		.refusals = open_memstream(&refusals, &refusals_bytes),
	};
	bool commit;

	if (pid != getpid() || request->body[request->bytes] || laf_rules_copy(&rules, &x.rules))
		abort();
	ret->status = laf_execute_request(&x, request, &commit);
	fclose(x.out);
	fclose(x.err);
	fclose(x.changes);
	fclose(x.refusals);
	check_records(changes, changes_bytes);
	check_records(refusals, refusals_bytes);
	if (commit && settings.enabled == 2 && x.changes_rules)
		abort();
	if (commit && (ret->status == 0 || ret->status == 1)) {
		laf_rules_clear(&rules);
		rules = x.rules;
		settings = x.settings;
	} else {
		laf_rules_clear(&x.rules);
	}
	free(changes);
	free(refusals);
}

static void list(void)
{
	FILE *to = fopen("/dev/null", "w");

	laf_rules_write(&rules, "", to);
	fclose(to);
	laf_rules_clear(&rules);
	settings = (struct laf_settings)LAF_SETTINGS_INIT;
}

/* The input is cut where its first byte says, so that a request comes in pieces, too. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct laf_control *control = open_once();
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	size_t first = size ? data[0] % size : 0;
	char reply[4096];

	snprintf(address.sun_path, sizeof(address.sun_path), "%s/control", folder);
	if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)))
		abort();
	if (size)
		send(fd, data + 1, first, MSG_NOSIGNAL);
	laf_control_serve(control, answer, NULL);
	laf_control_serve(control, answer, NULL);
	if (size)
		send(fd, data + 1 + first, size - 1 - first, MSG_NOSIGNAL);
	shutdown(fd, SHUT_WR);
	laf_control_serve(control, answer, NULL);
	laf_control_serve(control, answer, NULL);
	while (recv(fd, reply, sizeof(reply), MSG_DONTWAIT) > 0)
		;
	close(fd);
	laf_control_serve(control, answer, NULL);
	list();
	return 0;
}
