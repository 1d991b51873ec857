// SPDX-License-Identifier: GPL-2.0-or-later
/* A main for fuzz targets that only feeds them files and folders of files: a regression test without libFuzzer. */
#include <ftw.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static unsigned replayed;

static int replay(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	uint8_t *data;
	FILE *f;

	if (type != FTW_F)
		return 0;
	f = fopen(path, "re");
	data = malloc(st->st_size); /* not a byte more: reading over the end must be seen */
	if (!f || !data || fread(data, 1, st->st_size, f) != (size_t)st->st_size) {
		fprintf(stderr, "%s: can't be read\n", path);
		return 1;
	}
	fclose(f);
	LLVMFuzzerTestOneInput(data, st->st_size);
	free(data);
	replayed++;
	return 0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (nftw(argv[i], replay, 16, FTW_PHYS))
			return 1;
	printf("%u inputs\n", replayed);
	return replayed ? 0 : 1;
}
