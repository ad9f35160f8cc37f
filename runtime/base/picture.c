/* picture.c - the common style of all pictures (picture.h). */
#include "base/picture.h"

#include <math.h>
#include <string.h>

static const unsigned char colours[PICTURE_COLOURS][3] = {
    {0x00, 0x72, 0xb2}, /* blue */
    {0xd5, 0x5e, 0x00}, /* vermilion */
    {0x00, 0x9e, 0x73}, /* green */
    {0xcc, 0x79, 0xa7}, /* purple */
    {0xe6, 0x9f, 0x00}, /* orange */
    {0x56, 0xb4, 0xe9}, /* sky */
    {0x59, 0x59, 0x59}, /* grey */
};

const char *picture_colour(int number, double pale, char text[PICTURE_COLOUR_ROOM])
{
    const unsigned char *full = colours[number % PICTURE_COLOURS];
    unsigned char part[3];
    for (int i = 0; i < 3; i++)
        part[i] = (unsigned char)lround(full[i] + (255 - full[i]) * pale);
    snprintf(text, PICTURE_COLOUR_ROOM, "#%02x%02x%02x", part[0], part[1], part[2]);
    return text;
}

void picture_begin(FILE *file, int width, int height)
{
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' "
            "font-family='sans-serif' font-size='11' fill='" PICTURE_INK "'>\n"
            "<rect width='%d' height='%d' fill='#fff'/>\n",
            width, height, width, height, width, height);
}

void picture_end(FILE *file)
{
    fputs("</svg>\n", file);
}

/* Numeric references are valid in XML and HTML alike.  Bytes of UTF-8 are written as they are. */
void picture_text(FILE *file, const char *text)
{
    for (; *text; text++)
        if (strchr("<>&\"'", *text))
            fprintf(file, "&#%d;", *text);
        else if ((unsigned char)*text >= ' ')
            putc(*text, file);
}

/* The thresholds are the means of neighbouring steps, so the number of ticks stays close to
 * `count`. */
double picture_tick(double span, int count)
{
    double rough = span / count, power = pow(10, floor(log10(rough))), digit = rough / power;
    return (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10) * power;
}
