// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading PT_INTERP of the programs that were started, once for each. */
#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "loader.h"

#define PHDRS_MAX 64 /* program headers looked through */

/* Read the PT_INTERP that one program header names. Returns its length without the NUL, or 0. */
static uint32_t read_interp(int fd, uint64_t offset, uint64_t size, char text[LAF_LOADER_MAX])
{
	if (size < 2 || size > LAF_LOADER_MAX || pread(fd, text, size, offset) != (ssize_t)size || text[size - 1])
		return 0;
	return strnlen(text, size);
}

#define FIND_INTERP(bits)                                                                         \
	static uint32_t find_interp##bits(int fd, char text[LAF_LOADER_MAX])                      \
	{                                                                                         \
		Elf##bits##_Ehdr head;                                                            \
		Elf##bits##_Phdr part;                                                            \
		unsigned i;                                                                       \
                                                                                                  \
		if (pread(fd, &head, sizeof(head), 0) != sizeof(head) || head.e_phentsize != sizeof(part)) \
			return 0;                                                                 \
		for (i = 0; i < head.e_phnum && i < PHDRS_MAX; i++) {                             \
			if (pread(fd, &part, sizeof(part), head.e_phoff + i * sizeof(part)) != sizeof(part)) \
				return 0;                                                         \
			if (part.p_type == PT_INTERP)                                             \
				return read_interp(fd, part.p_offset, part.p_filesz, text);       \
		}                                                                                 \
		return 0;                                                                         \
	}
FIND_INTERP(32)
FIND_INTERP(64)

static bool is_file(int fd, const struct laf_wire_name *want)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_ino == want->ino;
}

/* The program's file: by its process while that lives, else by its path; only if it is the same file. */
static int open_program(const struct laf_event *event, const struct laf_wire_name *want)
{
	char path[4200];
	size_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/exe", event->wire->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && is_file(fd, want))
		return fd;
	if (fd >= 0)
		close(fd);
	n = laf_path_join(&event->exe, path, sizeof(path) - 1);
	if (n >= sizeof(path) - 1)
		return -1;
	path[n] = 0;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
	if (fd >= 0 && is_file(fd, want))
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* Programs that ask for one loader ask for it by one name, in practice: what the last of them said. */
static struct laf_loader *by_loader(struct laf_loaders *loaders, const struct laf_wire_name *wire)
{
	return &loaders->by_loader[(wire->ino ^ wire->dev) % LAF_LOADERS_KNOWN];
}

static void fill(struct laf_loader *loader, const struct laf_event *event, const struct laf_wire_name *program)
{
	unsigned char ident[EI_NIDENT];
	int fd = open_program(event, program);

	loader->ino = program->ino;
	loader->dev = program->dev;
	loader->len = 0;
	if (fd < 0)
		return;
	if (pread(fd, ident, sizeof(ident), 0) == sizeof(ident) && !memcmp(ident, ELFMAG, SELFMAG))
		loader->len = ident[EI_CLASS] == ELFCLASS32 ? find_interp32(fd, loader->text)
							    : find_interp64(fd, loader->text);
	close(fd);
}

void laf_loaders_name(struct laf_loaders *loaders, struct laf_event *event)
{
	const struct laf_wire_name *program;
	struct laf_loader *loader, *known;
	struct laf_name *name;

	if (event->n_names < 2)
		return;
	name = &event->names[event->n_names - 1];
	program = event->names[event->n_names - 2].wire;
	if (!(name->wire->flags & LAF_NAME_COMPONENTS) || !(program->flags & LAF_NAME_INODE))
		return;
	loader = &loaders->list[(program->ino ^ program->ino >> 8 ^ program->dev) % LAF_LOADERS_CACHED];
	if (loader->ino != program->ino || loader->dev != program->dev || !loader->len)
		fill(loader, event, program);
	known = by_loader(loaders, name->wire);
	if (loader->len) {
		known->ino = name->wire->ino;
		known->dev = name->wire->dev;
		known->len = loader->len;
		memcpy(known->text, loader->text, sizeof(known->text));
	} else if (known->ino == name->wire->ino && known->dev == name->wire->dev) {
		loader = known;
	}
	if (!loader->len)
		return;
	loader->wire = *name->wire;
	loader->wire.flags &= ~LAF_NAME_COMPONENTS;
	loader->wire.text_len = loader->len;
	name->wire = &loader->wire;
	name->text = loader->text;
}
