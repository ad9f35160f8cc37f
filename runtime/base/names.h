/* names.h - a table from names to numbers, for looking up hosts by name.
 *
 * Open addressing with linear probing, at most half full; expected O(1).  The names are not copied:
 * they must outlive the table.
 */
#pragma once

#include <stddef.h>

struct names_slot {
    const char *name;
    int number;
};

struct names {
    struct names_slot *slot;
    size_t size, used; /* size is 0 or a power of two */
};

/* Adds a name; its number when the name is there already (nothing is added then), -1 when it was
 * new, -2 when there is no memory. */
int names_add(struct names *names, const char *name, int number);
/* The name's number, or -1. */
int names_find(const struct names *names, const char *name);
void names_free(struct names *names);
