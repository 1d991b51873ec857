// SPDX-License-Identifier: GPL-2.0-or-later
/* A reader of records as auditd's plugins are: from standard input or a Unix socket, to standard output as lines.
 *
 *   plugin_read string|binary [SOCKET]
 *
 * Of binary records the lines are "VERSION TYPE TEXT". */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define FRAME_TEXT 8970 /* behind each header, whatever is used of it */

static int connect_to(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	return fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) || dup2(fd, 0) < 0 ? -1 : 0;
}

static int read_binary(void)
{
	static char text[65536];
	uint32_t header[4];

	while (fread(header, sizeof(header), 1, stdin) == 1) {
		if (header[1] != sizeof(header) || header[3] >= FRAME_TEXT || fread(text, 1, FRAME_TEXT, stdin) != FRAME_TEXT) {
			puts("a header that makes no sense");
			return 1;
		}
		printf("%u %u %.*s\n", header[0], header[2], (int)header[3], text);
		fflush(stdout);
	}
	return 0;
}

int main(int argc, char **argv)
{
	static char line[65536];

	if (argc < 2 || (argc > 2 && connect_to(argv[2])))
		return 2;
	if (!strcmp(argv[1], "binary"))
		return read_binary();
	while (fgets(line, sizeof(line), stdin)) {
		fputs(line, stdout);
		fflush(stdout);
	}
	return 0;
}
