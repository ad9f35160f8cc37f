/* units.h - formats costs for people: three digits and a suitable unit. */
#pragma once

#include "hnow_net.h"

/* Bytes. The longest text within the limits of hnow_net.h, "10000000 ns/B", takes 14. The functions
 * return the buffer that they are given, so that several results can be arguments of one fprintf().
 */
enum { UNITS_TEXT = 24 };

/* "34.5 ms", "8 us", "0" */
const char *units_time(char text[UNITS_TEXT], hn_time time);
/* "100 Mb/s", "2.4 Gb/s"; "-" if the cost per byte is 0 */
const char *units_rate(char text[UNITS_TEXT], hn_per_byte per_byte);
/* "80 ns/B", "0.5 ns/B" */
const char *units_per_byte(char text[UNITS_TEXT], hn_per_byte per_byte);
