/* name_service.h - values that tasks put under names, as hrun keeps them.
 *
 * Pure bookkeeping, no I/O.  A name has one value (index 0) or several, each under an index of its
 * own.  A value belongs to the task that put it: only that one replaces, takes or deletes it,
 * unless it was put for all to change (HN_NAME_SHARED), and it goes with that task, unless it was
 * put to stay (HN_NAME_STAYS).  Then anybody may delete it.  A task that waits gets the first value
 * that is put.  Tasks that wait for one value are served in the order of their requests, until one
 * takes the value away.
 *
 * Cost: O(values) to find one; memory NAME_SERVICE_BYTES in all.
 */
#pragma once

#include "base/list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NAME_SERVICE_BYTES ((size_t)256 << 20)
#define NAME_SERVICE_ANY   UINT32_MAX /* as an index */

struct name_service_value {
    struct list_node node;
    char *name;
    uint32_t index, owner;
    unsigned flags; /* HN_NAME_... */
    bool left;      /* its owner has ended */
    uint8_t *data;
    size_t length;
};

/* Somebody who waits; belongs to the caller. */
struct name_service_wait {
    struct list_node node;
    char *name;
    uint32_t index, tid;
    unsigned flags; /* HN_NAME_TAKE, HN_NAME_NEXT */
};

struct name_service {
    struct list_node values; /* by name, then by index */
    struct list_node waits;  /* by time */
    size_t bytes;
    /* A wait, which is off the list, gets this value (HN_OK) or may not take it (HN_ESTATE). The
     * value may be gone afterwards. */
    void (*served)(struct name_service *service, struct name_service_wait *wait,
                   const struct name_service_value *value, int error);
    void *data; /* the caller's */
};

void name_service_init(struct name_service *service);
void name_service_free(struct name_service *service);

/* Puts a value and serves who waits for it. index NAME_SERVICE_ANY: 0, or with HN_NAME_MANY the
 * one behind the highest of that name. Returns the index; HN_ESTATE: what is there is
 * another's; HN_ENOMEM: too much in all; HN_EARG: no index left. */
int name_service_put(struct name_service *service, const char *name, uint32_t index, unsigned flags,
                     uint32_t owner, const void *data, size_t length);
/* The value of that index; NAME_SERVICE_ANY: of the lowest; HN_NAME_NEXT: of it or the next higher
 * one; NULL: there is none. */
struct name_service_value *name_service_find(const struct name_service *service, const char *name,
                                             uint32_t index, unsigned flags);
/* Whether a task may replace, take or delete it. */
bool name_service_may(const struct name_service_value *value, uint32_t tid);
/* HN_OK; HN_ENAME: there is no such value; HN_ESTATE: it is another's. index NAME_SERVICE_ANY: all
 * those under the name that are the task's, or anybody's. */
int name_service_delete(struct name_service *service, const char *name, uint32_t index,
                        uint32_t tid);
/* The values that go with a task. */
void name_service_ended(struct name_service *service, uint32_t tid);
