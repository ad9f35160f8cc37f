/* decimal.h - decimal numbers as integers, exactly.
 *
 * Network files give times in microseconds and nanoseconds a byte with decimals; the model counts
 * picoseconds and femtoseconds a byte.  Both are a factor of a million apart, and so is a speed in
 * millionths: one conversion serves all three, without floating point, so that every machine reads
 * the same number.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { DECIMAL_TEXT = 24 }; /* room for any printed value and its 0 */

/* "12", "0.25", ".5" -> millionths.  No sign, no exponent; at most six decimals that are not 0; at
 * most limit.  False: the text is no such number. */
bool decimal_parse(const char *text, int64_t limit, int64_t *millionths);
/* The shortest text that decimal_parse() turns into the same value (which is not negative). */
const char *decimal_print(char text[DECIMAL_TEXT], int64_t millionths);
/* The same for a value in units of 10^-decimals, decimals up to 18. */
const char *decimal_print_scaled(char text[DECIMAL_TEXT], int64_t value, int decimals);

/* A whole number of low ... high, nothing else. */
bool decimal_integer(const char *text, int64_t low, int64_t high, int64_t *value);
