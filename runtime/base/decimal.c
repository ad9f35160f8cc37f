/* decimal.c - exact conversion between decimal text and integers. */
#include "base/decimal.h"

#include <inttypes.h>
#include <stdio.h>

enum { DECIMALS = 6 }; /* decimals of a number in millionths */

/* Appends a digit; false on overflow of limit. */
static bool append(int64_t *value, int digit, int64_t limit)
{
    if (digit > limit || *value > (limit - digit) / 10)
        return false;
    *value = *value * 10 + digit;
    return true;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The digits before and behind the point form one integer, which is scaled to six decimals at the
 * end.  So no step rounds. */
bool decimal_parse(const char *text, int64_t limit, int64_t *millionths)
{
    int64_t value = 0;
    int decimals = 0, digits = 0;
    for (; is_digit(*text); text++, digits++)
        if (!append(&value, *text - '0', INT64_MAX))
            return false;
    if (*text == '.')
        /* Decimals behind the sixth must be zeros: anything else would be lost. */
        for (text++; is_digit(*text); text++, digits++) {
            if (decimals == DECIMALS && *text != '0')
                return false;
            if (decimals < DECIMALS && !append(&value, *text - '0', INT64_MAX))
                return false;
            decimals += decimals < DECIMALS;
        }
    if (*text || !digits)
        return false;
    for (; decimals < DECIMALS; decimals++)
        if (!append(&value, 0, INT64_MAX))
            return false;
    if (value > limit)
        return false;
    *millionths = value;
    return true;
}

/* Trailing zeros of the fraction are removed, and the point with them if nothing is left. */
const char *decimal_print_scaled(char text[DECIMAL_TEXT], int64_t value, int decimals)
{
    int64_t unit = 1;
    for (int i = 0; i < decimals; i++)
        unit *= 10;
    int used = snprintf(text, DECIMAL_TEXT, "%" PRId64, value / unit);
    if (value % unit == 0)
        return text;
    used +=
        snprintf(text + used, (size_t)(DECIMAL_TEXT - used), ".%0*" PRId64, decimals, value % unit);
    while (text[used - 1] == '0')
        text[--used] = 0;
    return text;
}

const char *decimal_print(char text[DECIMAL_TEXT], int64_t millionths)
{
    return decimal_print_scaled(text, millionths, DECIMALS);
}

/* Only digits: no sign, blank, or exponent.  Leading zeros are allowed. */
bool decimal_integer(const char *text, int64_t low, int64_t high, int64_t *value)
{
    int64_t result = 0;
    if (!*text)
        return false;
    for (; is_digit(*text); text++)
        if (!append(&result, *text - '0', high))
            return false;
    if (*text || result < low)
        return false;
    *value = result;
    return true;
}
