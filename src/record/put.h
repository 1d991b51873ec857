/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numbers and strings as the audit log writes them, to memory that the caller has made sure of.
 * Each function returns the place behind what it wrote. */
#ifndef LAF_RECORD_PUT_H
#define LAF_RECORD_PUT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

extern const char laf_decimal_pairs[200]; /* "00" to "99" */
extern const char laf_hex_pairs[512];     /* "00" to "FF" */

/* Bytes that a number needs at most. */
#define PUT_NUMBER_MAX 24
/* Bytes that an untrusted string needs at most. */
#define PUT_UNTRUSTED_MAX(len) (2 * (size_t)(len) + 2)

#define put_literal(at, text) ((char *)memcpy(at, text, sizeof(text) - 1) + (sizeof(text) - 1))

static inline char *put_bytes(char *at, const void *bytes, size_t len)
{
	return (char *)memcpy(at, bytes, len) + len;
}

static inline unsigned decimal_digits(uint32_t n)
{
	if (n < 10000)
		return n < 100 ? 1 + (n >= 10) : 3 + (n >= 1000);
	if (n < 100000000)
		return n < 1000000 ? 5 + (n >= 100000) : 7 + (n >= 10000000);
	return 9 + (n >= 1000000000);
}

static inline char *put_u32(char *at, uint32_t n)
{
	char *end = at + decimal_digits(n), *p = end;

	while (n >= 100) {
		p -= 2;
		memcpy(p, laf_decimal_pairs + 2 * (n % 100), 2);
		n /= 100;
	}
	if (n >= 10)
		memcpy(at, laf_decimal_pairs + 2 * n, 2);
	else
		*at = '0' + n;
	return end;
}

/* Nine digits, leading zeros kept. */
static inline char *put_9_digits(char *at, uint32_t n)
{
	for (int i = 7; i >= 1; i -= 2) {
		memcpy(at + i, laf_decimal_pairs + 2 * (n % 100), 2);
		n /= 100;
	}
	*at = '0' + n;
	return at + 9;
}

static inline char *put_u64(char *at, uint64_t n)
{
	if (n <= UINT32_MAX)
		return put_u32(at, n);
	return put_9_digits(put_u64(at, n / 1000000000), n % 1000000000);
}

static inline char *put_s64(char *at, int64_t n)
{
	if (n >= 0)
		return put_u64(at, n);
	*at++ = '-';
	return put_u64(at, -(uint64_t)n);
}

static inline char *put_s32(char *at, int32_t n)
{
	return put_s64(at, n);
}

static inline char *put_3_digits(char *at, unsigned n)
{
	*at = '0' + n / 100;
	memcpy(at + 1, laf_decimal_pairs + 2 * (n % 100), 2);
	return at + 3;
}

/* %lx */
static inline char *put_hex(char *at, uint64_t n)
{
	int digits = n ? (67 - __builtin_clzll(n)) / 4 : 1;

	for (int i = digits - 1; i >= 0; i--, n >>= 4)
		at[i] = "0123456789abcdef"[n & 15];
	return at + digits;
}

/* audit_log_cap(): an empty set is 0, any other has all its digits. */
static inline char *put_capabilities(char *at, uint64_t n)
{
	if (!n)
		return put_literal(at, "0");
	for (int i = 15; i >= 0; i--, n >>= 4)
		at[i] = "0123456789abcdef"[n & 15];
	return at + 16;
}

/* %02x */
static inline char *put_hex_2(char *at, uint32_t n)
{
	if (n < 16)
		*at++ = '0';
	return put_hex(at, n);
}

/* %#ho */
static inline char *put_mode(char *at, uint16_t n)
{
	int digits = n ? (34 - __builtin_clz(n)) / 3 : 0;

	*at++ = '0';
	for (int i = digits - 1; i >= 0; i--, n >>= 3)
		at[i] = '0' + (n & 7);
	return at + digits;
}

/* Two upper-case digits a byte. */
static inline char *put_hex_bytes(char *at, const void *bytes, size_t len)
{
	const uint8_t *b = bytes;

	for (size_t i = 0; i < len; i++, at += 2)
		memcpy(at, laf_hex_pairs + 2 * b[i], 2);
	return at;
}

#define EACH_BYTE(c) (0x0101010101010101ull * (c))

/* Of eight bytes: is one a quote, below 0x21 or above 0x7e? */
static inline bool needs_hex_8(uint64_t w)
{
	uint64_t quote = w ^ EACH_BYTE('"');
	uint64_t low = (w - EACH_BYTE(0x21)) & ~w;
	uint64_t high = w | (w + EACH_BYTE(1));

	return (low | high | ((quote - EACH_BYTE(1)) & ~quote)) & EACH_BYTE(0x80);
}

/* Must the kernel's audit write this string in hexadecimal? */
static inline bool needs_hex(const void *bytes, size_t len)
{
	const uint8_t *b = bytes;
	uint64_t w;

	for (; len >= 8; b += 8, len -= 8) {
		memcpy(&w, b, 8);
		if (needs_hex_8(w))
			return true;
	}
	for (; len; b++, len--)
		if (*b == '"' || *b < 0x21 || *b > 0x7e)
			return true;
	return false;
}

static inline char *put_quoted(char *at, const void *bytes, size_t len)
{
	*at++ = '"';
	at = put_bytes(at, bytes, len);
	*at++ = '"';
	return at;
}

static inline char *put_untrusted(char *at, const void *bytes, size_t len)
{
	return needs_hex(bytes, len) ? put_hex_bytes(at, bytes, len) : put_quoted(at, bytes, len);
}

#endif
