/* sheet.c - sheets of numbers, printed as text and as comma-separated values (RFC 4180). The
 * printed form has four digits, the file ten: enough to draw it again. */
#include "sheet.h"

#include "coll/internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* On an error all parts are freed; free(NULL) is allowed for those that do not exist. form may be a
 * temporary of the caller. */
struct sheet *sheet_new(const struct sheet_form *form)
{
    struct sheet *sheet = calloc(1, sizeof *sheet);
    size_t bytes = (size_t)form->count * sizeof *form->series;
    /* The list of names is copied, the names themselves are not. */
    const char **series = malloc(bytes);
    char *name = strdup(form->name), *title = strdup(form->title);
    if (!sheet || !series || !name || !title) {
        free(sheet);
        free(series);
        free(name);
        free(title);
        return NULL;
    }
    memcpy(series, form->series, bytes);
    sheet->form = *form;
    sheet->form.series = series;
    sheet->form.name = name;
    sheet->form.title = title;
    return sheet;
}

/* The form's texts are copies only where sheet_new() has made them: name, title and the list of
 * series. */
void sheet_free(struct sheet *sheet)
{
    if (!sheet)
        return;
    free((void *)sheet->form.series);
    free((void *)sheet->form.name);
    free((void *)sheet->form.title);
    free(sheet->x);
    free(sheet->values);
    free(sheet);
}

/* Doubles the number of rows. False: out of memory; the sheet keeps its rows. */
static bool grow(struct sheet *sheet)
{
    int room = sheet->room ? 2 * sheet->room : 16;
    if (!ARRAY_ROOM(sheet->x, room) || !ARRAY_ROOM(sheet->values, room * sheet->form.count))
        return false;
    sheet->room = room;
    return true;
}

/* Rows are in the order of the calls; x need not ascend, but the drawing joins neighbours in this
 * order. */
bool sheet_row(struct sheet *sheet, double x, const double *values)
{
    if (sheet->rows == sheet->room && !grow(sheet))
        return false;
    size_t count = (size_t)sheet->form.count;
    sheet->x[sheet->rows] = x;
    memcpy(sheet->values + (size_t)sheet->rows * count, values, count * sizeof *values);
    sheet->rows++;
    return true;
}

/* x is compared exactly: it must be the same value that was added. */
double sheet_at(const struct sheet *sheet, double x, const char *series)
{
    for (int r = 0; r < sheet->rows; r++)
        for (int s = 0; s < sheet->form.count && sheet->x[r] == x; s++)
            if (strcmp(sheet->form.series[s], series) == 0)
                return sheet->values[r * sheet->form.count + s];
    return NAN;
}

/* The length of the text before the unit. The unit after the comma is left out of a column's head.
 */
static int word_length(const char *text)
{
    const char *comma = strchr(text, ',');
    return comma ? (int)(comma - text) : (int)strlen(text);
}

/* A column is as wide as its title, at least nine characters. */
void sheet_print(const struct sheet *sheet, FILE *out)
{
    const struct sheet_form *f = &sheet->form;
    int first = word_length(f->across) < 10 ? 10 : word_length(f->across);
    /* The variable's column is at least ten wide: room for a number of bytes. */
    fprintf(out, "%s: %s\n%*.*s", f->name, f->title, first, word_length(f->across), f->across);
    for (int s = 0; s < f->count; s++)
        fprintf(out, " %*s", strlen(f->series[s]) < 9 ? 9 : (int)strlen(f->series[s]),
                f->series[s]);
    fprintf(out, "    (%s)\n", f->up);
    /* A column's width is computed again rather than stored: there are few rows. */
    for (int r = 0; r < sheet->rows; r++) {
        fprintf(out, "%*g", first, sheet->x[r]);
        for (int s = 0; s < f->count; s++) {
            int width = strlen(f->series[s]) < 9 ? 9 : (int)strlen(f->series[s]);
            double value = sheet->values[r * f->count + s];
            if (isnan(value))
                fprintf(out, " %*s", width, "-");
            else
                fprintf(out, " %*.4g", width, value);
        }
        fputc('\n', out);
    }
    fputc('\n', out);
}

/* Quotes the text; quotes inside are doubled, as RFC 4180 requires. Every text is quoted, also
 * those that need no quotes. */
static void csv_text(const char *text, FILE *out)
{
    fputc('"', out);
    for (; *text; text++)
        fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
    fputc('"', out);
}

/* Missing values are empty fields. */
void sheet_csv(const struct sheet *sheet, FILE *out)
{
    const struct sheet_form *f = &sheet->form;
    csv_text(f->across, out);
    for (int s = 0; s < f->count; s++) {
        fputc(',', out);
        csv_text(f->series[s], out);
    }
    /* RFC 4180 ends each line with CR LF. */
    fputs("\r\n", out);
    for (int r = 0; r < sheet->rows; r++) {
        fprintf(out, "%.10g", sheet->x[r]);
        for (int s = 0; s < f->count; s++) {
            double value = sheet->values[r * f->count + s];
            fprintf(out, isnan(value) ? "," : ",%.10g", value);
        }
        fputs("\r\n", out);
    }
}
