/* fuzz_script.c - any bytes as an input in CHARMM's language: commands of at least one word, in
 * both ways of writing, until the end or a complaint with a place.  A line "SET name value" gives a
 * name. */
#include "script_line.h"
#include "text_of.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct err e = {0};
    struct script_line *l = mem_new(1, sizeof *l);
    char *copy = text_of(data, size, &l->t);
    int status = 0;
    while (script_line_next(l, &e, &status)) {
        demand(l->raw.n > 0 && l->raw.n == l->word.n && l->first > 0 && l->first <= l->t.line);
        for (int i = 0; i < l->raw.n; i++)
            demand(l->raw.at[i][0] && strlen(l->raw.at[i]) == strlen(l->word.at[i]));
        if (l->word.n > 2 && strcmp(l->word.at[0], "SET") == 0)
            script_line_set(l, l->word.at[1], l->raw.at[2]);
    }
    outcome(status, &e);
    mem_free(l);
    mem_free(copy);
    return 0;
}
