/* name_service.c - the name service in hrun (rules: name_service.h).
 *
 * Values of a name are neighbours on the list, in ascending order of their index.  So the first
 * match of a search is the lowest, and the last value of a name has the highest index.
 *
 * Values are few and requests rare, so all searches are linear.  The service knows no tasks: it
 * gets tids, and calls served() for waits that end.
 */
#include "hrun/services/name_service.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

void name_service_init(struct name_service *service)
{
    list_init(&service->values);
    list_init(&service->waits);
}

static void remove_value(struct name_service *service, struct name_service_value *value)
{
    list_remove(&value->node);
    service->bytes -= value->length;
    free(value->name);
    free(value->data);
    free(value);
}

/* Waits belong to their creator, which must have removed them before. */
void name_service_free(struct name_service *service)
{
    list_for_each_safe (node, &service->values)
        remove_value(service, list_entry(node, struct name_service_value, node));
}

/* ---- look-up ---------------------------------------------------------------------------- */

static struct name_service_value *value_at(struct list_node *node)
{
    return list_entry(node, struct name_service_value, node);
}

/* HN_NAME_NEXT also accepts a higher index; the list's order makes the first match the nearest one.
 * NULL: there is none. */
struct name_service_value *name_service_find(const struct name_service *service, const char *name,
                                             uint32_t index, unsigned flags)
{
    list_for_each (node, &service->values) {
        struct name_service_value *value = value_at(node);
        if (strcmp(value->name, name))
            continue;
        if (index == NAME_SERVICE_ANY || value->index == index ||
            (flags & HN_NAME_NEXT && value->index > index))
            return value;
    }
    return NULL;
}

/* Whether the task may change, take or delete the value. */
bool name_service_may(const struct name_service_value *value, uint32_t tid)
{
    return value->owner == tid || value->flags & HN_NAME_SHARED;
}

/* The index after all others of the name, so that a task that takes the lowest one takes values in
 * the order in which they were put. */
static uint32_t next_index(const struct name_service *service, const char *name)
{
    uint32_t index = 0;
    list_for_each (node, &service->values) {
        const struct name_service_value *value = value_at(node);
        if (strcmp(value->name, name) == 0)
            index = value->index + 1;
    }
    return index;
}

/* The lowest unused index from `index` on.  One walk suffices, because the values of a name are in
 * ascending order. */
static uint32_t free_index(const struct name_service *service, const char *name, uint32_t index)
{
    list_for_each (node, &service->values) {
        const struct name_service_value *value = value_at(node);
        index += strcmp(value->name, name) == 0 && value->index == index;
    }
    return index;
}

/* ---- putting ---------------------------------------------------------------------------- */

/* Inserts a value before the first one that is sorted after it. */
static void insert(struct name_service *service, struct name_service_value *value)
{
    struct list_node *at = service->values.next;
    for (; at != &service->values; at = at->next) {
        int order = strcmp(value_at(at)->name, value->name);
        if (order > 0 || (order == 0 && value_at(at)->index > value->index))
            break;
    }
    list_append(at, &value->node); /* before `at`, as a list is a ring */
}

/* Copies name and data.  NULL: out of memory. */
static struct name_service_value *value_new(const char *name, const void *data, size_t length)
{
    struct name_service_value *value = calloc(1, sizeof *value);
    if (!value)
        return NULL;
    list_init(&value->node);
    value->name = strdup(name);
    value->data = malloc(length + 1);
    if (!value->name || !value->data) {
        free(value->name);
        free(value->data);
        free(value);
        return NULL;
    }
    memcpy(value->data, data, length);
    value->length = length;
    return value;
}

/* A wait is served only by the value that it would find now: a lower index that exists already
 * precedes the new one.  Stops when a task has taken the value. */
static void serve_waits(struct name_service *service, struct name_service_value *value)
{
    list_for_each_safe (node, &service->waits) {
        struct name_service_wait *wait = list_entry(node, struct name_service_wait, node);
        if (name_service_find(service, wait->name, wait->index, wait->flags) != value)
            continue;
        bool take = wait->flags & HN_NAME_TAKE, may = name_service_may(value, wait->tid);
        list_remove(&wait->node);
        service->served(wait, value, take && !may ? HN_ESTATE : HN_OK);
        if (take && may) {
            remove_value(service, value);
            return;
        }
    }
}

/* The new value is complete before the old one is removed, so a failure changes nothing.  Returns
 * the index.  HN_ESTATE: the old value is another task's.  HN_EARG: no index is left.  HN_ENOMEM:
 * also when all values together exceed NAME_SERVICE_BYTES. */
int name_service_put(struct name_service *service, const char *name, uint32_t index, unsigned flags,
                     uint32_t owner, const void *data, size_t length)
{
    if (index == NAME_SERVICE_ANY)
        index = flags & HN_NAME_MANY ? next_index(service, name) : 0;
    if (flags & HN_NAME_FREE)
        index = free_index(service, name, index);
    if (index > INT32_MAX)
        return HN_EARG;
    struct name_service_value *old = name_service_find(service, name, index, 0);
    if (old && !name_service_may(old, owner))
        return HN_ESTATE;
    if (length > NAME_SERVICE_BYTES - service->bytes)
        return HN_ENOMEM;
    struct name_service_value *value = value_new(name, data, length);
    if (!value)
        return HN_ENOMEM;
    if (old)
        remove_value(service, old);
    value->index = index;
    value->owner = owner;
    value->flags = flags & ~(unsigned)HN_NAME_FREE;
    service->bytes += length;
    insert(service, value);
    serve_waits(service, value);
    return (int)index;
}

/* ---- deleting --------------------------------------------------------------------------- */

/* With NAME_SERVICE_ANY, all values of the name that may be deleted are.  HN_ESTATE: there are
 * some, but none may be deleted.  A value left by an ended task may be deleted by every task. */
int name_service_delete(struct name_service *service, const char *name, uint32_t index,
                        uint32_t tid)
{
    int result = HN_ENAME;
    list_for_each_safe (node, &service->values) {
        struct name_service_value *value = value_at(node);
        if (strcmp(value->name, name) || (index != NAME_SERVICE_ANY && value->index != index))
            continue;
        if (name_service_may(value, tid) || value->left) {
            remove_value(service, value);
            result = HN_OK;
        } else if (result != HN_OK) {
            result = HN_ESTATE;
        }
    }
    return result;
}

/* Values that stay keep their owner, whose tid is not used again. */
void name_service_ended(struct name_service *service, uint32_t tid)
{
    list_for_each_safe (node, &service->values) {
        struct name_service_value *value = value_at(node);
        if (value->owner == tid && !(value->flags & HN_NAME_STAYS))
            remove_value(service, value);
        else if (value->owner == tid)
            value->left = true;
    }
}
