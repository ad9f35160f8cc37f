/* export_list.c - edits PVM_EXPORT (export_list.h), for libhnowpvm and the console of hnow. The
 * environment variable is the only place of the list, so children inherit it, and the program
 * may set it itself. The list is made anew at each call, without empty names. */
#include "export_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool export_list_edit(const char *name, bool wanted)
{
    const char *old = getenv("PVM_EXPORT"), *between = "";
    char *text = strdup(old ? old : ""), *rest = text, *made = NULL;
    size_t size;
    bool missing = true;
    FILE *out = open_memstream(&made, &size);

    /* All names are copied but the one to remove. strsep() also returns empty names, for two
     * colons in a row. */
    for (char *one; text && out && (one = strsep(&rest, ":"));) {
        bool found = strcmp(one, name) == 0;
        if (*one && (wanted || !found)) {
            fprintf(out, "%s%s", between, one);
            between = ":";
        }
        missing &= !found;
    }
    /* A name that is in the list keeps its place. */
    if (out && wanted && missing)
        fprintf(out, "%s%s", between, name);
    /* `made` is complete only after fclose(). setenv() copies it. */
    bool edited = out && fclose(out) == 0 && text && setenv("PVM_EXPORT", made, 1) == 0;
    free(text);
    free(made);
    return edited;
}
