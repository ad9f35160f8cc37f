/* script_series.c - what CORREL does with the time series that it has (CHARMM's correl.doc):
 *
 *   SHOW name|ALL|CORR
 *   EDIT name|ALL|CORR [INDEX n] [VECCOD n] [TOTAL n] [SKIP n] [DELTA ps] [OFFSET ps] [NAME new]
 *   WRITE name|ALL|CORR UNIT n DUMB [TIME]|CARD
 *   READ name|CORR UNIT n DUMB [COLUMN n]|CARD [as EDIT]
 *   MANTIME name rule [name] [numbers]          (series_change.c)
 *   CORFUN name name [PROD|DIFF] [P1|P2] [LTC|NLTC] [NONORM] [XNORM x] [TOTAL n] [FFT|DIRECT]
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"
#include "script_correl.h"

static const char series_unknown[] = "expected the name of a series, CORR or ALL";

void correl_print(struct script *s, const struct series *q)
{
    for (int c = q->vector - 1; c >= 0; c--) {
        script_result(s, "?AVER", series_mean(q + c));
        script_result(s, "?FLUC", series_fluctuation(q + c));
    }
    for (int c = 0; s->comm->rank == 0 && c < q->vector; c++)
        printf(" SERIES %-4s TOTAL %7ld VECCOD %2d SKIP %6ld DELTA %10.6f OFFSET %12.5f AVER "
               "%14.6f FLUC %14.6f\n",
               q->name, q[c].n, q[c].vector, q[c].skip, q[c].delta, q[c].offset, series_mean(q + c),
               series_fluctuation(q + c));
}

/* Calls `each` for the series that the word at 1 names, or for all; `more` is its own. */
static int series_each(struct script *s,
                       int (*each)(struct script *s, struct series *q, void *more), void *more)
{
    struct script_correl *c = s->correl;
    int all = script_is(s, 1, "ALL"), status = 0;
    struct series *q = all || s->l.word.n < 2 ? NULL : correl_find(s, s->l.word.at[1]);
    s->at = 1;
    if (!all && !q)
        return script_bad(s, series_unknown);
    for (int k = 0; all && !status && k < c->n; k++)
        if (c->series[k].vector)
            status = each(s, &c->series[k], more);
    return all ? status : each(s, q, more);
}

static int show_one(struct script *s, struct series *q, void *more)
{
    (void)more;
    correl_print(s, q);
    return 0;
}

int correl_show(struct script *s)
{
    if (s->l.word.n > 2) {
        s->at = 2;
        return script_bad(s, "SHOW takes a name, CORR or ALL");
    }
    return series_each(s, show_one, NULL);
}

/* ---- EDIT ------------------------------------------------------------------------------------ */

struct series_edit {
    long index, vector, total, skip; /* -1: as it was */
    double delta, offset;
    int offsets;
    char name[SERIES_NAME]; /* "": as it was */
};

/* Takes the words of EDIT out of the command. */
static int edit_words(struct script *s, struct series_edit *t)
{
    *t = (struct series_edit){.index = -1, .vector = -1, .total = -1, .skip = -1, .delta = -1};
    const struct script_key key[] = {{"INDEX", .count = &t->index}, {"VECCOD", .count = &t->vector},
                                     {"TOTAL", .count = &t->total}, {"SKIP", .count = &t->skip},
                                     {"DELTA", .real = &t->delta},  {"OFFSET", .real = &t->offset}};
    t->offsets = script_says(s, "OFFSET");
    for (int at = 2; at + 1 < s->l.word.n; at++)
        if (script_is(s, at, "NAME")) {
            s->at = at + 1;
            if (strlen(s->l.word.at[at + 1]) >= SERIES_NAME || correl_find(s, s->l.word.at[at + 1]))
                return script_bad(s, "expected a name of four letters that no series has");
            strcpy(t->name, s->l.word.at[at + 1]);
            script_cut(s, at, at + 1);
        }
    return script_cut_keys(s, 2, key, sizeof key / sizeof *key);
}

static int edit_one(struct script *s, struct series *q, void *more)
{
    const struct series_edit *t = more;
    struct script_correl *c = s->correl;
    int corr = q == &c->corr, left = corr ? 1 : c->n - (int)(q - c->series);
    int first = t->index > 0 ? (int)t->index - 1 : 0;
    int last = t->index > 0 ? first + 1 : q->vector;
    s->at = 1;
    if (last > left || t->vector > left || t->vector == 0)
        return script_bad(s, "there are not so many series from this one on");
    for (int k = first; k < last; k++) {
        if (t->total >= 0)
            series_length(q + k, t->total);
        q[k].skip = t->skip > 0 ? t->skip : q[k].skip;
        q[k].delta = t->delta >= 0 ? t->delta : q[k].delta;
        q[k].offset = t->offsets ? t->offset : q[k].offset;
    }
    if (t->name[0] && !corr)
        memcpy(q->name, t->name, sizeof q->name);
    if (t->vector > 0 && !corr) {
        for (int k = 1; k < q->vector; k++) /* what it lets go stands alone */
            q[k].vector = k < t->vector ? 0 : 1;
        for (int k = 1; k < t->vector; k++)
            q[k].vector = 0;
        q->vector = (int)t->vector;
    }
    return 0;
}

int correl_edit(struct script *s)
{
    struct series_edit t;
    int status = edit_words(s, &t);
    s->at = 2;
    if (!status && s->l.word.n > 2)
        return script_bad(s, "EDIT takes a name, INDEX, VECCOD, TOTAL, SKIP, DELTA, OFFSET, NAME");
    return status ? status : series_each(s, edit_one, &t);
}

/* ---- files ----------------------------------------------------------------------------------- */

struct series_file {
    FILE *file;
    const char *path;
    int time, card;
};

/* What a CARD file says of its columns, in the order of its lines: "NAME: value ..." */
static const char *const card_line[] = {
    "NSER:", "NAMES:", "TOTALS:", "VECCOD:", "SKIP:", "DELTA:", "OFFSET:"};
enum { CARD_NSER, CARD_NAMES, CARD_TOTALS, CARD_VECCOD, CARD_SKIP, CARD_DELTA, CARD_OFFSET };
enum { CARD_LINES = sizeof card_line / sizeof *card_line };

static void card_write_value(FILE *file, const struct series *q, int line)
{
    if (line == CARD_NAMES)
        fprintf(file, " %s", q->name[0] ? q->name : "-");
    else if (line == CARD_DELTA || line == CARD_OFFSET)
        fprintf(file, " %.17g", line == CARD_DELTA ? q->delta : q->offset);
    else
        fprintf(file, " %ld",
                line == CARD_TOTALS   ? q->n
                : line == CARD_VECCOD ? q->vector
                                      : q->skip);
}

/* All that is known of n series that stand behind each other, with all digits. */
static void card_write(FILE *file, const struct series *q, int n)
{
    long most = 0;
    for (int line = 0; line < CARD_LINES; line++) {
        fputs(card_line[line], file);
        for (int c = 0; c < n && line != CARD_NSER; c++)
            card_write_value(file, q + c, line);
        if (line == CARD_NSER)
            fprintf(file, " %d", n);
        fputc('\n', file);
    }
    for (int c = 0; c < n; c++)
        most = q[c].n > most ? q[c].n : most;
    for (long k = 0; k < most; k++)
        for (int c = 0; c < n; c++)
            fprintf(file, " %.17g%s", k < q[c].n ? q[c].v[k] : 0, c + 1 < n ? "" : "\n");
}

static int write_one(struct script *s, struct series *q, void *more)
{
    struct series_file *w = more;
    (void)s;
    if (w->card && w->file) {
        card_write(w->file, q, q->vector);
        return 0;
    }
    for (long k = 0; w->file && k < q->n; k++) {
        if (w->time)
            fprintf(w->file, " %15.8g", series_time(q, k));
        for (int c = 0; c < q->vector; c++)
            fprintf(w->file, " %16.9g", k < q[c].n ? q[c].v[k] : 0);
        fprintf(w->file, "\n");
    }
    return 0;
}

static const char series_forms[] = "hmd has the forms DUMB, numbers in columns, with TIME the time "
                                   "before them, and CARD, with a header; no binary ones";

/* The file of the command, and its words; `from` is where they begin. */
static int series_file(struct script *s, struct series_file *w, const struct script_key *key,
                       size_t n)
{
    int dumb = 0;
    long unit;
    const struct script_key own[] = {{"DUMB", .flag = &dumb, .is = 1},
                                     {"CARD", .flag = &w->card, .is = 1},
                                     {"TIME", .flag = &w->time, .is = 1},
                                     {"UNIT", .count = &unit}};
    if (script_file(s, 2, &w->path) || script_cut_keys(s, 2, own, 4) ||
        script_cut_keys(s, 2, key, n))
        return ERR_INPUT;
    s->at = s->l.word.n > 2 ? 2 : 0;
    return dumb != w->card && !(w->card && w->time) && s->l.word.n == 2
               ? 0
               : script_bad(s, series_forms);
}

int correl_write(struct script *s)
{
    struct series_file w = {0};
    long unit = -1;
    if (s->l.word.n < 2 || (!script_is(s, 1, "ALL") && !correl_find(s, s->l.word.at[1])))
        return script_write(s);
    for (int at = 2; at + 1 < s->l.word.n; at++)
        if (script_is(s, at, "UNIT") && !text_long(s->l.word.at[at + 1], &unit))
            unit = -1;
    int status = series_file(s, &w, NULL, 0);
    if (status)
        return status;
    int more = unit >= 0 && unit < SCRIPT_UNITS && s->written[unit];
    if (unit >= 0)
        s->written[unit] = 1;
    if (s->comm->rank == 0)
        w.file = fopen(w.path, more ? "a" : "w");
    if (w.card)
        status = script_write_title(s, w.file, "* ");
    if (w.card && w.file && script_is(s, 1, "ALL"))
        card_write(w.file, s->correl->series, s->correl->n);
    else if (!status)
        status = series_each(s, write_one, &w);
    int lost = s->comm->rank == 0 && (!w.file || ferror(w.file));
    if ((w.file && fclose(w.file)) || lost) {
        status = err_set(s->e, ERR_RUN, "%s: cannot be written: %s", w.path, strerror(errno));
        s->e->mine = 1;
    }
    return script_blame(s, status);
}

/* The columns from `column` on of all lines, into a series or vector. */
static int read_columns(struct script *s, struct series *q, struct text *t, long column)
{
    char *line;
    for (int c = 0; c < q->vector; c++)
        q[c].n = 0;
    while ((line = text_line(t))) {
        struct words w;
        double v;
        words_split(&w, line);
        for (int c = 0; w.n && c < q->vector; c++) {
            if (column - 1 + c >= w.n || !text_double(w.at[column - 1 + c], &v))
                return err_set(s->e, ERR_INPUT, "%s:%d: there is no number in column %ld", t->name,
                               t->line, column + c);
            series_append(q + c, v);
        }
    }
    return 0;
}

/* The next line of a CARD file's header, into the series from q on and their lengths; 0: it is
 * another one. */
static int card_header(struct series *q, int line, const struct words *w, long *total)
{
    double v;
    if (strcmp(w->at[0], card_line[line]) || w->n != (line == CARD_NSER ? 2 : 1 + q->vector))
        return 0;
    for (int c = 0; line != CARD_NAMES && c < w->n - 1; c++) {
        if (!text_double(w->at[1 + c], &v) || (line == CARD_NSER && v != q->vector))
            return 0;
        if (line == CARD_TOTALS)
            total[c] = (long)v;
        q[c].skip = line == CARD_SKIP && v >= 1 ? (long)v : q[c].skip;
        q[c].delta = line == CARD_DELTA ? v : q[c].delta;
        q[c].offset = line == CARD_OFFSET ? v : q[c].offset;
    }
    return 1;
}

/* A time of all columns. */
static int card_row(struct series *q, const struct words *w)
{
    double v;
    if (w->n != q->vector)
        return 0;
    for (int c = 0; c < q->vector; c++) {
        if (!text_double(w->at[c], &v))
            return 0;
        series_append(q + c, v);
    }
    return 1;
}

/* A file that WRITE ... CARD has made: its header, then a line for each time. */
static int read_card(struct script *s, struct series *q, struct text *t)
{
    long *total = mem_new((size_t)q->vector, sizeof *total);
    int headers = 0, good = 1;
    char *line;
    for (int c = 0; c < q->vector; c++)
        q[c].n = 0;
    while (good && (line = text_line(t))) {
        struct words w;
        words_split(&w, line);
        if (w.n == 0 || w.at[0][0] == '*')
            continue;
        good = headers < CARD_LINES ? card_header(q, headers, &w, total) : card_row(q, &w);
        headers += headers < CARD_LINES;
    }
    for (int c = 0; good && c < q->vector; c++) {
        good = headers == CARD_LINES && total[c] >= 0 && total[c] <= q[c].n;
        if (good)
            series_length(q + c, total[c]);
    }
    mem_free(total);
    return good ? 0
                : err_set(s->e, ERR_INPUT,
                          "%s:%d: this is no file of WRITE ... CARD in hmd with %d columns, or not "
                          "all of it (EDIT VECCOD makes room for several)",
                          t->name, t->line, q->vector);
}

int correl_read(struct script *s)
{
    struct series_file w = {0};
    struct series_edit t;
    struct text text;
    char *data = NULL;
    size_t length;
    long column = 1;
    struct series *q = s->l.word.n > 1 ? correl_find(s, s->l.word.at[1]) : NULL;
    const struct script_key key[] = {{"COLUMN", .count = &column}};
    if (!q)
        return script_read(s);
    if (edit_words(s, &t) || series_file(s, &w, key, 1))
        return ERR_INPUT;
    s->at = 0;
    if (column < 1)
        return script_bad(s, "COLUMN counts from 1");
    int status = comm_file(s->comm, w.path, &data, &length, s->e);
    if (!status) {
        text_open(&text, w.path, data, length);
        status = w.card ? read_card(s, q, &text) : read_columns(s, q, &text, column);
    }
    mem_free(data);
    return status ? script_blame(s, status) : edit_one(s, q, &t);
}

/* ---- MANTIME, CORFUN ------------------------------------------------------------------------- */

/* The numbers behind a rule: FIRST n LAST n of COPY, else as they stand. */
static int manipulate_numbers(struct script *s, const struct series_rule *r, int from,
                              double number[3], int *n)
{
    int most = series_rule_numbers(r);
    for (s->at = from; s->at < s->l.word.n; s->at++) {
        int last = script_is(s, s->at, "LAST");
        if (series_rule_other(r) && most && (last || script_is(s, s->at, "FIRST"))) {
            if (script_real(s, &number[last]))
                return ERR_INPUT;
            *n = 2;
        } else if (*n < most && !series_rule_other(r) &&
                   text_double(s->l.word.at[s->at], &number[*n]))
            ++*n;
        else
            return script_bad(s, "MANTIME does not take this word there");
    }
    s->at = 2;
    return *n < series_rule_needed(r) ? script_bad(s, "expected a number behind it") : 0;
}

/* FLUCT: what two series are together at one time. */
static int manipulate_together(struct script *s, const struct series *a, const struct series *b)
{
    double ab = 0, aa = 0, bb = 0;
    s->at = 3;
    if (a->n != b->n || a->vector != b->vector || !a->n)
        return script_bad(s, "the two series have different lengths, or numbers of components");
    for (int c = 0; c < a->vector; c++)
        for (long k = 0; k < a->n; k++) {
            ab += a[c].v[k] * b[c].v[k] / (double)a->n;
            aa += a[c].v[k] * a[c].v[k] / (double)a->n;
            bb += b[c].v[k] * b[c].v[k] / (double)a->n;
        }
    if (s->comm->rank == 0)
        printf(" FLUCT %s %s: <AB> %14.6f SQRT<AA> %14.6f SQRT<BB> %14.6f RATIO %14.6f\n", a->name,
               b->name, ab, sqrt(aa), sqrt(bb), ab / sqrt(aa * bb));
    return 0;
}

int correl_manipulate(struct script *s)
{
    struct series *q = s->l.word.n > 2 ? correl_find(s, s->l.word.at[1]) : NULL, *other = NULL;
    double number[3] = {0};
    int n = 0, together = q && script_is(s, 2, "FLUCT");
    s->at = 1;
    if (!q)
        return script_bad(s, series_unknown);
    const struct series_rule *r = series_rule(s->l.word.at[2]);
    s->at = 2;
    if (!r && !together)
        return script_bad(s, "MANTIME has no such rule in hmd: docs/hmd.md lists them");
    if (together || series_rule_other(r)) {
        other = s->l.word.n > 3 ? correl_find(s, s->l.word.at[3]) : NULL;
        s->at = s->l.word.n > 3 ? 3 : 2;
        if (!other)
            return script_bad(s, "expected the name of another series");
    }
    if (together)
        return manipulate_together(s, q, other);
    if (manipulate_numbers(s, r, other ? 4 : 3, number, &n))
        return ERR_INPUT;
    const char *why = series_change(q, r, number, n, other);
    return why ? script_bad(s, why) : 0;
}

int correl_function(struct script *s)
{
    struct series_correlation c = {0};
    const struct script_key key[] = {{"PRODUCT", .flag = &c.difference, .is = 0},
                                     {"DIFFERENCE", .flag = &c.difference, .is = 1},
                                     {"FFT"},
                                     {"DIRECT"},
                                     {"LTC", .flag = &c.tail, .is = 1},
                                     {"NLTC", .flag = &c.tail, .is = 0},
                                     {"P0", .flag = &c.second, .is = 0},
                                     {"P1", .flag = &c.second, .is = 0},
                                     {"P2", .flag = &c.second, .is = 1},
                                     {"NONORM", .flag = &c.raw, .is = 1},
                                     {"NORM", .flag = &c.raw, .is = 0},
                                     {"XNORM", .real = &c.factor},
                                     {"TOTAL", .count = &c.total}};
    const struct series *q[2];
    for (int k = 0; k < 2; k++) {
        s->at = k + 1 < s->l.word.n ? k + 1 : 0;
        q[k] = s->at ? correl_find(s, s->l.word.at[s->at]) : NULL;
        if (!q[k] || q[k] == &s->correl->corr)
            return script_bad(s, "CORFUN takes the names of two series");
    }
    if (script_only_keys(s, 3, key, sizeof key / sizeof *key,
                         "CORFUN takes PROD, DIFF, P1, P2, LTC, NLTC, NONORM, XNORM x, TOTAL n, "
                         "FFT and DIRECT"))
        return ERR_INPUT;
    s->at = 0;
    const char *why = series_correlate(&s->correl->corr, q[0], q[1], &c);
    if (why)
        return script_bad(s, why);
    script_result(s, "?CFNORM", c.factor);
    correl_print(s, &s->correl->corr);
    return 0;
}
