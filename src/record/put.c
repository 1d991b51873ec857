// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of put.h. */
#include "put.h"

#define D(t) t "0" t "1" t "2" t "3" t "4" t "5" t "6" t "7" t "8" t "9"
#define H(t) D(t) t "A" t "B" t "C" t "D" t "E" t "F"

const char laf_decimal_pairs[200] =
	D("0") D("1") D("2") D("3") D("4") D("5") D("6") D("7") D("8") D("9");

const char laf_hex_pairs[512] =
	H("0") H("1") H("2") H("3") H("4") H("5") H("6") H("7")
	H("8") H("9") H("A") H("B") H("C") H("D") H("E") H("F");
