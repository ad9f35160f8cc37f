/* sheet.h - the numbers of one figure: rows of a variable and the values of several series. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum { SHEET_SERIES_MOST = 12 }; /* more than any study has */

/* Titles and axes of a sheet. */
struct sheet_form {
    const char *name;   /* of its files */
    const char *title;  /* of the figure */
    const char *across; /* the variable, with its unit */
    const char *up;     /* the values, with their unit */
    const char *const *series;
    int count;       /* of the series */
    bool log_across; /* the plot's axes are logarithmic */
    bool log_up;
};

struct sheet {
    struct sheet_form form;
    int rows, room;
    double *x;
    double *values; /* [row * form.count + series]; NAN: none */
};

/* NULL: out of memory. Name, title and the list of series are copied; the other texts outlive it.
 */
struct sheet *sheet_new(const struct sheet_form *form);
void sheet_free(struct sheet *sheet);
/* Appends a row of form.count values. false: out of memory. */
bool sheet_row(struct sheet *sheet, double x, const double *values);
/* The value of a series in the row of x; NAN when there is none. */
double sheet_at(const struct sheet *sheet, double x, const char *series);

void sheet_print(const struct sheet *sheet, FILE *out);
void sheet_csv(const struct sheet *sheet, FILE *out);
/* A whole SVG document (chart.c). */
void sheet_draw(const struct sheet *sheet, FILE *out);
