/* name_service.h - the name service in hrun: values that tasks put under names.
 *
 * This module does no I/O.  A name has one value (index 0) or several, each with its own index.  A
 * value belongs to the task that put it: only that task replaces, takes or deletes it, unless it is
 * shared (HN_NAME_SHARED).  It is deleted with its owner, unless it stays (HN_NAME_STAYS).  Then
 * every task may delete it.  A waiting task gets the first matching value that is put.  Tasks that
 * wait for one value are served in the order of their requests, until one takes the value away.
 *
 * Cost: O(values) for a look-up; memory at most NAME_SERVICE_BYTES.
 */
#pragma once

#include "base/list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NAME_SERVICE_BYTES ((size_t)256 << 20)
#define NAME_SERVICE_ANY   UINT32_MAX /* as an index */

/* Owned by the service.  The callback served() may read it, but must not keep it. */
struct name_service_value {
    struct list_node node;
    char *name;
    uint32_t index, owner;
    unsigned flags; /* HN_NAME_... */
    bool left;      /* its owner has ended */
    uint8_t *data;
    size_t length;
};

/* A waiting request; owned by the caller. */
struct name_service_wait {
    struct list_node node;
    char *name;
    uint32_t index, tid;
    unsigned flags; /* HN_NAME_TAKE, HN_NAME_NEXT */
};

/* Part of struct job.  `bytes` counts the data of all values, without names and lists. */
struct name_service {
    struct list_node values; /* sorted by name and index */
    struct list_node waits;  /* in order of time */
    size_t bytes;
    /* Called for a wait that was removed from the list: it gets this value (HN_OK) or must not take
     * it (HN_ESTATE).  The value may be freed afterwards. */
    void (*served)(struct name_service_wait *wait, const struct name_service_value *value,
                   int error);
};

void name_service_init(struct name_service *service);
void name_service_free(struct name_service *service);

/* Stores a value and serves matching waits. index NAME_SERVICE_ANY: 0, or with HN_NAME_MANY the
 * highest index of the name plus 1.  Returns the index; HN_ESTATE: the existing value belongs to
 * another task; HN_ENOMEM: over the limit; HN_EARG: no index left. */
int name_service_put(struct name_service *service, const char *name, uint32_t index, unsigned flags,
                     uint32_t owner, const void *data, size_t length);
/* Finds the value with that index.  NAME_SERVICE_ANY: with the lowest one.  HN_NAME_NEXT: with that
 * or the next higher one.  NULL: there is none. */
struct name_service_value *name_service_find(const struct name_service *service, const char *name,
                                             uint32_t index, unsigned flags);
/* Whether a task may replace, take or delete a value. */
bool name_service_may(const struct name_service_value *value, uint32_t tid);
/* Deletes a value.  HN_OK; HN_ENAME: there is no such value; HN_ESTATE: it belongs to another task.
 * index NAME_SERVICE_ANY: deletes all values of the name that the task may delete. */
int name_service_delete(struct name_service *service, const char *name, uint32_t index,
                        uint32_t tid);
/* A task has ended: deletes its values, unless they stay. */
void name_service_ended(struct name_service *service, uint32_t tid);
