/* sheet.h - the numbers of one figure: rows of a variable and the values of several series. Series
 * are columns, values of the variable rows. A sheet is filled row by row and then printed, drawn
 * and written. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum { SHEET_SERIES_MOST = 12 }; /* maximum of all studies, rounded up */

/* Titles and axes of a sheet. Texts are not escaped; the writers do that. */
struct sheet_form {
    const char *name;   /* of its output files */
    const char *title;  /* of the figure */
    const char *across; /* the x axis, with unit */
    const char *up;     /* the y axis, with unit */
    const char *const *series;
    int count;       /* number of series */
    bool log_across; /* logarithmic axes */
    bool log_up;
};

/* Owned by its study. Rows grow by doubling. */
struct sheet {
    struct sheet_form form;
    int rows, room;
    double *x;
    double *values; /* [row * form.count + series]; NAN: none */
};

/* Makes a sheet; NULL: out of memory. Name, title and the list of series are copied; the other
 * texts must outlive it. */
struct sheet *sheet_new(const struct sheet_form *form);
void sheet_free(struct sheet *sheet);
/* Appends a row of form.count values. Returns false if out of memory. */
bool sheet_row(struct sheet *sheet, double x, const double *values);
/* The value of a series in the row of x; NAN: none. The first such row counts. */
double sheet_at(const struct sheet *sheet, double x, const char *series);

/* A table for people, and a file for programs, with ten digits of each number. Neither changes the
 * sheet. Errors of writing stay in the stream. */
void sheet_print(const struct sheet *sheet, FILE *out);
void sheet_csv(const struct sheet *sheet, FILE *out);
/* Writes a complete SVG document (chart.c). */
void sheet_draw(const struct sheet *sheet, FILE *out);
