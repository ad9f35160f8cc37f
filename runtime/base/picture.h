/* picture.h - the style that all pictures share: SVG pages, colours, escaped text, round ticks. */
#pragma once

#include <stdio.h>

#define PICTURE_INK  "#1c2733" /* text, and what is most important */
#define PICTURE_SOFT "#566573" /* text that explains */
#define PICTURE_AXIS "#8a96a3"
#define PICTURE_GRID "#dde3ea"
#define PICTURE_IDLE "#c9d1d9"
#define PICTURE_BAND "#f4f6f8" /* behind every other row */

/* Colours that readers with any kind of colour blindness can distinguish (Okabe and Ito, 2008).
 * Their yellow, which is invisible on paper, is a dark grey here. */
enum { PICTURE_COLOURS = 7, PICTURE_COLOUR_ROOM = 8 };

/* One of them, from 0 (larger numbers start again), mixed with white: pale is 0 for the colour
 * itself, 1 for white. Returns text. */
const char *picture_colour(int number, double pale, char text[PICTURE_COLOUR_ROOM]);

/* Begins a page of so many pixels: white, dark text of 11 pixels. picture_end() ends it. */
void picture_begin(FILE *file, int width, int height);
void picture_end(FILE *file);
/* Writes text as XML and HTML take it; control characters are left out. */
void picture_text(FILE *file, const char *text);
/* A step of 1, 2 or 5 times a power of ten that divides `span` (above 0) into about `count`. */
double picture_tick(double span, int count);
