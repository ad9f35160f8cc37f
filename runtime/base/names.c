/* names.c - a hash table from names to numbers; hash function: FNV-1a.
 *
 * Open addressing with linear probing; at most half of the slots are used.  The size is a power of
 * two, so that a mask replaces a division.  Names are not copied, and are never removed.
 */
#include "base/names.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The slot of the name, or the empty one where it belongs.  The table is never full, so the search
 * ends. */
static struct names_slot *find_slot(struct names_slot *slot, size_t size, const char *name)
{
    uint64_t hash = 14695981039346656037u;
    for (const char *c = name; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 1099511628211u;
    size_t at = (size_t)(hash ^ hash >> 32) & (size - 1);
    while (slot[at].name && strcmp(slot[at].name, name) != 0)
        at = (at + 1) & (size - 1);
    return &slot[at];
}

/* Rehashes all names into a table of twice the size. -1: out of memory, and nothing has changed. */
static int names_grow(struct names *names)
{
    size_t size = names->size ? 2 * names->size : 16;
    struct names_slot *slot = calloc(size, sizeof *slot);
    if (!slot)
        return -1;
    for (size_t i = 0; i < names->size; i++)
        if (names->slot[i].name)
            *find_slot(slot, size, names->slot[i].name) = names->slot[i];
    free(names->slot);
    names->slot = slot;
    names->size = size;
    return 0;
}

/* The table grows before the search, so a slot found is never moved by the insertion. */
int names_add(struct names *names, const char *name, int number)
{
    if (2 * (names->used + 1) > names->size && names_grow(names) < 0)
        return -2;
    struct names_slot *slot = find_slot(names->slot, names->size, name);
    if (slot->name)
        return slot->number;
    *slot = (struct names_slot){.name = name, .number = number};
    names->used++;
    return -1;
}

int names_find(const struct names *names, const char *name)
{
    if (!names->size)
        return -1;
    const struct names_slot *slot = find_slot(names->slot, names->size, name);
    return slot->name ? slot->number : -1;
}

void names_free(struct names *names)
{
    free(names->slot);
    *names = (struct names){0};
}
