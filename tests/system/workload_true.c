// SPDX-License-Identifier: GPL-2.0-or-later
/* A program that does nothing, to be executed by the exec workload. */
int main(void)
{
	return 0;
}
