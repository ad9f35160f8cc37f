/* study.c - parts of studies: sheets, claims, instances (study.h). The functions keep the first
 * error in study->error, and do nothing after it. */
#include "study.h"

#include <stdarg.h>
#include <stdlib.h>

/* Sheets live until the study is printed; the pointer belongs to the study. */
struct sheet *study_sheet(struct study *study, const struct sheet_form *form)
{
    if (study->error)
        return NULL;
    struct sheet *sheet =
        ARRAY_ROOM(study->sheets, study->sheet_count + 1) ? sheet_new(form) : NULL;
    if (!sheet) {
        study->error = HN_ENOMEM;
        return NULL;
    }
    study->sheets[study->sheet_count++] = sheet;
    return sheet;
}

/* `sheet` is NULL only after an error, and is not used then. `values` has one number for each
 * series of the form. */
void study_add(struct study *study, struct sheet *sheet, double x, const double *values)
{
    if (!study->error && !sheet_row(sheet, x, values))
        study->error = HN_ENOMEM;
}

/* Stores paper (may be NULL) and found, which it takes over, also after an error. */
static void keep(struct study *study, bool holds, const char *paper, char *found)
{
    struct claim claim = {paper, found, holds};
    /* Room first: it may fail for lack of memory, as the text may (found NULL). */
    if (ARRAY_ROOM(study->claims, study->claim_count + 1) && found) {
        study->claims[study->claim_count++] = claim;
        return;
    }
    free(found);
    study->error = HN_ENOMEM;
}

/* The caller frees the text. NULL: out of memory. */
static char *format_text(const char *format, va_list args)
{
    char *text;
    /* vasprintf() leaves `text` undefined when it fails. */
    return vasprintf(&text, format, args) < 0 ? NULL : text;
}

/* The text of the paper is a constant; the finding is formatted now, since its arguments are local
 * to the study. */
void study_claim(struct study *study, bool holds, const char *paper, const char *found, ...)
{
    va_list args;
    va_start(args, found);
    if (!study->error)
        keep(study, holds, paper, format_text(found, args));
    va_end(args);
}

/* A note is a claim without a paper, so it is printed in the same order as the claims around it. */
void study_note(struct study *study, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    if (!study->error)
        keep(study, true, NULL, format_text(format, args));
    va_end(args);
}

void study_progress(const struct study *study, int part, int parts)
{
    if (study->progress && !study->error)
        /* \r returns to the begin of the line; the last part erases it. */
        fprintf(stderr, "\rhplan: study %s: %d of %d %s", study->name, part, parts,
                part == parts ? "\r\033[K" : "");
}

/* The length of the message is 0: studies of trees have the whole cost of a message in the
 * constants of their tables. After an error it makes an instance that instance_end() accepts. */
void instance_begin(struct study *study, struct instance *instance, const struct model *model,
                    int root)
{
    *instance =
        (struct instance){.req = {.op = OP_BCAST, .ranks = model->ranks, .root = root, .grain = 1},
                          .matrix = study->error ? NULL : matrix_new(model, 0)};
    instance->problem =
        (struct problem){.req = &instance->req, .model = model, .matrix = instance->matrix};
    if (!study->error)
        study->error = instance->matrix ? broadcast_begin(&instance->broadcast, &instance->problem)
                                        : HN_ENOMEM;
}

/* The model and its table belong to the caller, and are freed after this. */
void instance_end(struct instance *instance)
{
    broadcast_end(&instance->broadcast);
    matrix_free(instance->matrix);
}

/* Returns 0 after an error, which study->error keeps. A refusal (HN_EPLAN) ends the study: its
 * planners must serve all its instances. */
hn_time instance_time(struct study *study, struct instance *instance, const char *name)
{
    const struct planner *planner = planner_named(name);
    struct tree *tree = study->error ? NULL : tree_new(instance->req.ranks, instance->req.root);
    hn_time time = 0;
    if (!study->error)
        study->error = tree ? HN_OK : HN_ENOMEM;
    if (!study->error) {
        instance->problem.arity = planner->arity;
        study->error = planner->tree(&instance->problem, tree);
    }
    if (!study->error)
        time = broadcast_makespan(&instance->broadcast, tree);
    tree_free(tree);
    return time;
}
