/* names.h - a hash table from names to numbers, for looking up hosts by name.
 *
 * Open addressing with linear probing, at most half full; expected O(1).  The names are not copied,
 * so they must outlive the table.
 */
#pragma once

#include <stddef.h>

struct names_slot {
    const char *name;
    int number;
};

/* A struct of zeros is an empty table. */
struct names {
    struct names_slot *slot;
    size_t size, used; /* slots (0 or a power of two); names */
};

/* Adds a name.  Returns -1 if it was new.  Otherwise adds nothing and returns the existing number.
 * -2: out of memory. */
int names_add(struct names *names, const char *name, int number);
/* The number of a name, or -1. */
int names_find(const struct names *names, const char *name);
void names_free(struct names *names);
