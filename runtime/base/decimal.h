/* decimal.h - exact decimal numbers as integers.
 *
 * Network files contain times in microseconds, and nanoseconds a byte, with decimals.  The model
 * uses picoseconds, and femtoseconds a byte.  Both differ by a factor of a million, and so does a
 * speed in millionths.  So one conversion serves all three, without floating point.  Every machine
 * reads the same number.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { DECIMAL_TEXT = 24 }; /* bytes for any printed value with its 0 */

/* Parses "12", "0.25" or ".5" to millionths.  No sign, no exponent, at most six decimals other than
 * trailing zeros, at most `limit`.  False: the text is no such number. */
bool decimal_parse(const char *text, int64_t limit, int64_t *millionths);
/* Prints the shortest text that decimal_parse() converts to the same value, which must not be
 * negative. */
const char *decimal_print(char text[DECIMAL_TEXT], int64_t millionths);
/* The same for a value in units of 10^-decimals, with up to 18 decimals. */
const char *decimal_print_scaled(char text[DECIMAL_TEXT], int64_t value, int decimals);

/* Parses an integer from low to high.  False: the text is anything else. */
bool decimal_integer(const char *text, int64_t low, int64_t high, int64_t *value);
