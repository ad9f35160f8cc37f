/* board.h - values that tasks put under names, as hrun keeps them.
 *
 * Pure bookkeeping, no I/O.  A name has one value (index 0) or several, each under an index of its
 * own.  A value belongs to the task that put it: only that one replaces, takes or deletes it,
 * unless it was put for all to change (HN_NAME_SHARED), and it goes with that task, unless it was
 * put to stay (HN_NAME_STAYS).  Who waits for a value gets the first that comes; those who wait for
 * one value are served in the order in which they came, until one takes it away.
 *
 * Cost: O(values) to find one; memory BOARD_BYTES in all.
 */
#ifndef HNOW_BOARD_H
#define HNOW_BOARD_H

#include "base/list.h"

#include <stddef.h>
#include <stdint.h>

#define BOARD_BYTES ((size_t)256 << 20)
#define BOARD_ANY   UINT32_MAX /* as an index */

struct board_value {
    struct list_node node;
    char *name;
    uint32_t index, owner;
    unsigned flags; /* HN_NAME_... */
    uint8_t *data;
    size_t length;
};

/* Somebody who waits; belongs to the caller. */
struct board_wait {
    struct list_node node;
    char *name;
    uint32_t index, tid;
    unsigned flags; /* HN_NAME_TAKE, HN_NAME_NEXT */
};

struct board {
    struct list_node values; /* by name, then by index */
    struct list_node waits;  /* by time */
    size_t bytes;
    /* A wait, which is off the list, gets this value (HN_OK) or may not take it (HN_ESTATE). The
     * value may be gone afterwards. */
    void (*served)(struct board *board, struct board_wait *wait, const struct board_value *value,
                   int error);
    void *data; /* the caller's */
};

void board_init(struct board *board);
void board_free(struct board *board);

/* Puts a value and serves who waits for it. index BOARD_ANY: 0, or with HN_NAME_MANY the
 * one behind the highest of that name. Returns the index; HN_ESTATE: what stands there is
 * another's; HN_ENOMEM: too much in all; HN_EARG: no index left. */
int board_put(struct board *board, const char *name, uint32_t index, unsigned flags, uint32_t owner,
              const void *data, size_t length);
/* The value of that index; BOARD_ANY: of the lowest; HN_NAME_NEXT: of it or the next higher one;
 * NULL: there is none. */
const struct board_value *board_find(const struct board *board, const char *name, uint32_t index,
                                     unsigned flags);
/* Whether a task may replace, take or delete it. */
bool board_may(const struct board_value *value, uint32_t tid);
/* HN_OK; HN_ENAME: there is no such value; HN_ESTATE: it is another's. index BOARD_ANY: all those
 * under the name that are the task's, or anybody's. */
int board_delete(struct board *board, const char *name, uint32_t index, uint32_t tid);
/* The values that go with a task. */
void board_ended(struct board *board, uint32_t tid);

#endif
