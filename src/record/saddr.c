// SPDX-License-Identifier: GPL-2.0-or-later
/* Socket addresses, raw (SOCKADDR) and for people. */
#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include "formatter.h"
#include "saddr.h"
#include "terminal.h"

#define UNIX_PATH_MAX 108
#define NETLINK_SIZE 12 /* struct sockaddr_nl */
#define X25_ADDRESS_MAX 15
#define AX25_CALL_LEN 7
#define HOST_MAX (INET6_ADDRSTRLEN + 32) /* with "%scope" */

/* As libauparse names them. */
static const char *const families[] = {
	[AF_LOCAL] = "local", [AF_INET] = "inet", [AF_AX25] = "ax25", [AF_IPX] = "ipx",
	[AF_APPLETALK] = "appletalk", [AF_NETROM] = "netrom", [AF_BRIDGE] = "bridge", [AF_ATMPVC] = "atmpvc",
	[AF_X25] = "x25", [AF_INET6] = "inet6", [AF_ROSE] = "rose", [AF_DECnet] = "decnet",
	[AF_NETBEUI] = "netbeui", [AF_SECURITY] = "security", [AF_KEY] = "key", [AF_NETLINK] = "netlink",
	[AF_PACKET] = "packet", [AF_ASH] = "ash", [AF_ECONET] = "econet", [AF_ATMSVC] = "atmsvc",
	[AF_RDS] = "rds", [AF_SNA] = "sna", [AF_IRDA] = "irda", [AF_PPPOX] = "pppox",
	[AF_WANPIPE] = "wanpipe", [AF_LLC] = "llc", [AF_CAN] = "can", [AF_TIPC] = "tipc",
	[AF_BLUETOOTH] = "bluetooth", [AF_IUCV] = "iucv", [AF_RXRPC] = "rxrpc", [AF_ISDN] = "isdn",
	[AF_PHONET] = "phonet", [AF_IEEE802154] = "ieee802154", [AF_CAIF] = "caif", [AF_ALG] = "alg",
	[AF_NFC] = "nfc", [AF_VSOCK] = "vsock", [AF_KCM] = "kcm", [AF_QIPCRTR] = "qipcrtr",
	[AF_SMC] = "smc", [AF_XDP] = "xdp",
};

/* An address as the fields that its family has, from memory of any length. */
struct address {
	unsigned family;
	size_t len;
	uint8_t bytes[sizeof(struct sockaddr_storage) + 1]; /* what the caller did not give is zero */
};

static void read_address(struct address *a, const uint8_t *saddr, size_t len)
{
	sa_family_t family;

	memset(a, 0, sizeof(*a));
	a->len = len < sizeof(struct sockaddr_storage) ? len : sizeof(struct sockaddr_storage);
	memcpy(a->bytes, saddr, a->len);
	memcpy(&family, a->bytes, sizeof(family));
	a->family = family;
}

const char *laf_saddr_family(unsigned family)
{
	return family < sizeof(families) / sizeof(*families) ? families[family] : NULL;
}

static unsigned port_of(const struct address *a)
{
	return a->bytes[2] << 8 | a->bytes[3];
}

static char *put_string(char *at, const char *text)
{
	return put_bytes(at, text, strlen(text));
}

static char *put_inet_host(char *at, const struct address *a)
{
	for (int i = 4; i < 8; i++) {
		at = put_u32(at, a->bytes[i]);
		*at++ = '.';
	}
	return at - 1;
}

/* A scope of a link-local address is an interface's name, of others a number: getnameinfo() knows. */
static char *put_inet6_host(char *at, const struct address *a)
{
	struct sockaddr_in6 in6;
	char host[NI_MAXHOST];

	memcpy(&in6, a->bytes, sizeof(in6));
	if (!in6.sin6_scope_id)
		return put_string(at, inet_ntop(AF_INET6, &in6.sin6_addr, host, sizeof(host)) ? host : "?");
	if (getnameinfo((struct sockaddr *)&in6, sizeof(in6), host, sizeof(host), NULL, 0, NI_NUMERICHOST))
		return put_literal(at, "?");
	return put_bytes(at, host, strnlen(host, HOST_MAX));
}

/* The one thing here that auditd does otherwise: it lets a newline through, which anyone can put into an
 * address, and so a line of their own into the log. */
static char *put_inside_line(char *at, const uint8_t *text, size_t max)
{
	for (size_t i = 0; i < max && text[i]; i++)
		*at++ = text[i] == '\n' ? ' ' : text[i];
	return at;
}

static char *put_local(char *at, const struct address *a)
{
	bool abstract = !a->bytes[2];

	if (a->len < 4)
		return put_literal(at, " sockaddr len too short");
	at = put_literal(at, " path=");
	return put_inside_line(at, a->bytes + 2 + abstract, UNIX_PATH_MAX);
}

static char *put_inet(char *at, const struct address *a)
{
	if (a->len < sizeof(struct sockaddr_in))
		return put_literal(at, " sockaddr len too short");
	at = put_literal(at, " laddr=");
	at = put_inet_host(at, a);
	at = put_literal(at, " lport=");
	return put_u32(at, port_of(a));
}

static char *put_inet6(char *at, const struct address *a)
{
	if (a->len < sizeof(struct sockaddr_in6))
		return put_literal(at, " sockaddr6 len too short");
	at = put_literal(at, " laddr=");
	at = put_inet6_host(at, a);
	at = put_literal(at, " lport=");
	return put_u32(at, port_of(a));
}

static char *put_netlink(char *at, const struct address *a)
{
	uint32_t pid;

	if (a->len < NETLINK_SIZE)
		return put_literal(at, " len too short");
	memcpy(&pid, a->bytes + 4, sizeof(pid));
	at = put_literal(at, " nlnk-fam=16 nlnk-pid=");
	return put_u32(at, pid);
}

static char *put_atmpvc(char *at, const struct address *a)
{
	int16_t interface;

	memcpy(&interface, a->bytes + 4, sizeof(interface));
	at = put_literal(at, " int=");
	return put_s32(at, interface);
}

static char *put_x25(char *at, const struct address *a)
{
	at = put_literal(at, " laddr=");
	return put_inside_line(at, a->bytes + 2, X25_ADDRESS_MAX);
}

/* A call sign with a NUL in it ends the text, closing brace and all. */
static char *put_ax25(char *at, const struct address *a, bool *ended)
{
	at = put_literal(at, " call=");
	*ended = memchr(a->bytes + 2, 0, AX25_CALL_LEN);
	return put_inside_line(at, a->bytes + 2, AX25_CALL_LEN);
}

static char *put_fields(char *at, const struct address *a, bool *ended)
{
	switch (a->family) {
	case AF_LOCAL:
		return put_local(at, a);
	case AF_INET:
		return put_inet(at, a);
	case AF_INET6:
		return put_inet6(at, a);
	case AF_NETLINK:
		return put_netlink(at, a);
	case AF_ATMPVC:
		return put_atmpvc(at, a);
	case AF_X25:
		return put_x25(at, a);
	case AF_AX25:
		return put_ax25(at, a, ended);
	}
	return put_literal(at, " (unsupported)");
}

char *laf_put_saddr_enriched(char *at, const uint8_t *saddr, size_t len)
{
	struct address a;
	bool ended = false;

	read_address(&a, saddr, len);
	if (!laf_saddr_family(a.family)) {
		at = put_literal(at, "unknown-family(");
		at = put_u32(at, a.family);
		*at++ = ')';
		return at;
	}
	at = put_literal(at, "{ saddr_fam=");
	at = put_string(at, laf_saddr_family(a.family));
	at = put_fields(at, &a, &ended);
	return ended ? at : put_literal(at, " }");
}

static char *put_local_short(char *at, const struct address *a)
{
	const char *path = (const char *)a->bytes + 2;
	size_t len = a->len - 2;

	if (!len)
		return put_literal(at, "unnamed");
	if (*path)
		return laf_put_terminal(at, path, strnlen(path, len));
	*at++ = '@';
	return laf_put_terminal(at, path + 1, len - 1);
}

static char *put_other_short(char *at, const struct address *a)
{
	uint32_t pid;

	if (laf_saddr_family(a->family)) {
		at = put_string(at, laf_saddr_family(a->family));
	} else {
		at = put_literal(at, "family-");
		at = put_u32(at, a->family);
	}
	if (a->family == AF_NETLINK && a->len >= NETLINK_SIZE) {
		memcpy(&pid, a->bytes + 4, sizeof(pid));
		*at++ = ':';
		at = put_u32(at, pid);
	}
	return at;
}

char *laf_put_saddr_short(char *at, const uint8_t *saddr, size_t len)
{
	struct address a;

	read_address(&a, saddr, len);
	if (a.family == AF_LOCAL && a.len >= 2)
		return put_local_short(at, &a);
	if (a.family == AF_INET && a.len >= sizeof(struct sockaddr_in)) {
		at = put_inet_host(at, &a);
	} else if (a.family == AF_INET6 && a.len >= sizeof(struct sockaddr_in6)) {
		*at++ = '[';
		at = put_inet6_host(at, &a);
		*at++ = ']';
	} else {
		return put_other_short(at, &a);
	}
	*at++ = ':';
	return put_u32(at, port_of(&a));
}

int laf_record_sockaddr(struct laf_formatter *f, const struct laf_event *e)
{
	int err;
	char *at = record_begin(f, "SOCKADDR", 32 + 2 * (size_t)e->saddr_len + SADDR_TEXT_MAX, &err);

	if (!at)
		return err;
	at = put_literal(at, "saddr=");
	at = put_hex_bytes(at, e->saddr, e->saddr_len);
	if (f->format == LAF_FORMAT_ENRICHED) {
		*at++ = ENRICHED_SEPARATOR;
		at = put_literal(at, "SADDR=");
		at = laf_put_saddr_enriched(at, e->saddr, e->saddr_len);
	}
	record_end(f, at);
	return 0;
}
