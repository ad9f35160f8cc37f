/* picture.h - the common style of all pictures: SVG pages, colours, escaped text, rounded ticks. */
#pragma once

#include <stdio.h>

#define PICTURE_INK  "#1c2733" /* text, and the most important lines */
#define PICTURE_SOFT "#566573" /* secondary text */
#define PICTURE_AXIS "#8a96a3"
#define PICTURE_GRID "#dde3ea"
#define PICTURE_IDLE "#c9d1d9"
#define PICTURE_BAND "#f4f6f8" /* background of every other row */

/* Colours that readers with any kind of colour blindness can distinguish (Okabe and Ito, 2008).
 * Their yellow, which is invisible on paper, is replaced by a dark grey. */
enum { PICTURE_COLOURS = 7, PICTURE_COLOUR_ROOM = 8 };

/* Colour `number`, cyclically, mixed with white: pale is 0 for the pure colour, 1 for white.
 * Returns text. */
const char *picture_colour(int number, double pale, char text[PICTURE_COLOUR_ROOM]);

/* Begins a page of this size in pixels, white, with dark text of 11 pixels. picture_end() ends
 * it. */
void picture_begin(FILE *file, int width, int height);
void picture_end(FILE *file);
/* Writes text escaped for XML and HTML, without control characters. */
void picture_text(FILE *file, const char *text);
/* A step of 1, 2 or 5 times a power of ten that divides `span` (above 0) into about `count`
 * parts. */
double picture_tick(double span, int count);
