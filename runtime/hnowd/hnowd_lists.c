/* hnowd_lists.c - lists in frames; see hnowd.h. */
#include "hnowd/hnowd.h"

#include <stdlib.h>
#include <string.h>

/* The list is copied as it is packed, since WELCOME repeats it.  `in` continues behind it. named:
 * each entry has a name, too. What kept had is replaced. */
void hnowd_keep_list(struct pack *kept, struct unpack *in, bool named)
{
    size_t from = in->at;
    uint32_t n = unpack_u32(in);
    for (uint32_t i = 0; i < n; i++) {
        unpack_u32(in);
        if (named)
            unpack_str(in);
    }
    kept->length = 0;
    pack_raw(kept, in->data + from, in->at - from);
}

/* Freed by launch_free_words().  An entry without memory ends the list early. The list always ends
 * with NULL. */
char **hnowd_words(struct unpack *in)
{
    uint32_t n = unpack_u32(in);
    char **words = calloc((size_t)n + 1, sizeof *words);
    for (uint32_t i = 0; i < n && words; i++)
        words[i] = strdup(unpack_str(in));
    return words;
}
