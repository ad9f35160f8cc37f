/* units.c - formats costs for people; no decision depends on this text. Rounding is to three
 * digits, so two costs with the same text may differ. */
#include "net/units.h"

#include <stdio.h>

/* Three significant digits, no exponent below a million. */
static const char *put(char text[UNITS_TEXT], double value, const char *unit)
{
    /* %g would write 1000 as 1e+03. */
    if (value >= 999.5)
        snprintf(text, UNITS_TEXT, "%.0f %s", value, unit);
    else
        snprintf(text, UNITS_TEXT, "%.3g %s", value, unit);
    return text;
}

const char *units_time(char text[UNITS_TEXT], hn_time time)
{
    static const char *const unit[] = {"ns", "us", "ms", "s"};
    double value = (double)time / 1e3;
    int i = 0;
    if (time == 0)
        return snprintf(text, UNITS_TEXT, "0"), text;
    /* 999.5 would be rounded to 1000 of the smaller unit. */
    for (; value >= 999.5 && i < 3; i++)
        value /= 1e3;
    return put(text, value, unit[i]);
}

const char *units_rate(char text[UNITS_TEXT], hn_per_byte per_byte)
{
    static const char *const unit[] = {"kb/s", "Mb/s", "Gb/s", "Tb/s"};
    int i = 0;
    if (per_byte == 0)
        return snprintf(text, UNITS_TEXT, "-"), text;
    /* Bits a second from femtoseconds a byte: 8e15 / per_byte, in kb/s. */
    double value = 8e12 / (double)per_byte;
    for (; value >= 999.5 && i < 3; i++)
        value /= 1e3;
    return put(text, value, unit[i]);
}

const char *units_per_byte(char text[UNITS_TEXT], hn_per_byte per_byte)
{
    return put(text, (double)per_byte / 1e6, "ns/B");
}
