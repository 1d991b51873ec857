// SPDX-License-Identifier: GPL-2.0-or-later
/* The name of this machine, as name_format wants it. */
#include <errno.h>
#include <netdb.h>
#include <string.h>
#include <unistd.h>

#include "config_settings.h"

/* Of an address, or of a name that a resolver gave, nothing but one word may get before each record. */
static int take_name(struct laf_config *config, const char *name)
{
	size_t n = strlen(name), i;

	if (!n || n >= sizeof(config->node))
		return -EINVAL;
	for (i = 0; i <= n; i++)
		config->node[i] = name[i] == ' ' || (name[i] && (unsigned char)name[i] < 0x20) ? '_' : name[i];
	return 0;
}

/* The full name or the first address of a host. */
static int resolve(struct laf_config *config, const char *host, struct laf_error *err)
{
	bool numeric = config->name_format == LAF_NAME_FORMAT_NUMERIC;
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *found;
	char text[NI_MAXHOST];
	int r;

	hints.ai_flags = AI_ADDRCONFIG | (numeric ? AI_PASSIVE : AI_CANONNAME);
	r = getaddrinfo(host, NULL, &hints, &found);
	if (r)
		return laf_error_set(err, -ENOENT, "config: name_format: looking up %s: %s", host, gai_strerror(r));
	if (numeric)
		r = getnameinfo(found->ai_addr, found->ai_addrlen, text, sizeof(text), NULL, 0, NI_NUMERICHOST);
	r = r || (!numeric && !found->ai_canonname) || take_name(config, numeric ? text : found->ai_canonname);
	freeaddrinfo(found);
	return r ? laf_error_set(err, -EINVAL, "config: name_format: %s has no name that can be used", host) : 0;
}

int laf_config_set_node(struct laf_config *config, struct laf_error *err)
{
	char host[256] = "";

	if (config->name_format == LAF_NAME_FORMAT_NONE)
		return 0;
	if (config->name_format == LAF_NAME_FORMAT_USER) {
		if (!config->name[0])
			return laf_error_set(err, -EINVAL, "config: name_format = USER wants a setting 'name'");
		return take_name(config, config->name);
	}
	if (gethostname(host, sizeof(host) - 1))
		return laf_error_set(err, -errno, "config: name_format: %s", strerror(errno));
	if (config->name_format != LAF_NAME_FORMAT_HOSTNAME)
		return resolve(config, host, err);
	return take_name(config, host) ?
		laf_error_set(err, -EINVAL, "config: name_format = HOSTNAME: this machine has no name") : 0;
}
