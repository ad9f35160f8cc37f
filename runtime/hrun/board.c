/* board.c - values that tasks put under names (rules: board.h). */
#include "hrun/board.h"

#include "hnow.h"

#include <stdlib.h>
#include <string.h>

void board_init(struct board *board)
{
    list_init(&board->values);
    list_init(&board->waits);
}

static void board_remove(struct board *board, struct board_value *value)
{
    list_remove(&value->node);
    board->bytes -= value->length;
    free(value->name);
    free(value->data);
    free(value);
}

void board_free(struct board *board)
{
    list_for_each_safe (node, &board->values)
        board_remove(board, list_entry(node, struct board_value, node));
}

/* ---- finding ----------------------------------------------------------------------------------
 */

static struct board_value *board_value_at(struct list_node *node)
{
    return list_entry(node, struct board_value, node);
}

static struct board_value *board_look(const struct board *board, const char *name, uint32_t index,
                                      unsigned flags)
{
    list_for_each (node, &board->values) {
        struct board_value *value = board_value_at(node);
        if (strcmp(value->name, name))
            continue;
        if (index == BOARD_ANY || value->index == index ||
            (flags & HN_NAME_NEXT && value->index > index))
            return value;
    }
    return NULL;
}

const struct board_value *board_find(const struct board *board, const char *name, uint32_t index,
                                     unsigned flags)
{
    return board_look(board, name, index, flags);
}

bool board_may(const struct board_value *value, uint32_t tid)
{
    return value->owner == tid || value->flags & HN_NAME_SHARED;
}

/* Behind all others of the name, so that who takes the lowest takes them in the order in which they
 * were put. */
static uint32_t board_next_index(const struct board *board, const char *name)
{
    uint32_t index = 0;
    list_for_each (node, &board->values) {
        const struct board_value *value = board_value_at(node);
        if (!strcmp(value->name, name))
            index = value->index + 1;
    }
    return index;
}

/* ---- putting ----------------------------------------------------------------------------------
 */

/* On the list before the first that comes behind it. */
static void board_insert(struct board *board, struct board_value *value)
{
    struct list_node *at = board->values.next;
    for (; at != &board->values; at = at->next) {
        int order = strcmp(board_value_at(at)->name, value->name);
        if (order > 0 || (order == 0 && board_value_at(at)->index > value->index))
            break;
    }
    list_append(at, &value->node); /* before `at`: a list is a ring */
}

static struct board_value *board_new(const char *name, const void *data, size_t length)
{
    struct board_value *value = calloc(1, sizeof *value);
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

static void board_serve(struct board *board, struct board_value *value)
{
    list_for_each_safe (node, &board->waits) {
        struct board_wait *wait = list_entry(node, struct board_wait, node);
        if (board_look(board, wait->name, wait->index, wait->flags) != value)
            continue;
        bool take = wait->flags & HN_NAME_TAKE, may = board_may(value, wait->tid);
        list_remove(&wait->node);
        board->served(board, wait, value, take && !may ? HN_ESTATE : HN_OK);
        if (take && may) {
            board_remove(board, value);
            return;
        }
    }
}

int board_put(struct board *board, const char *name, uint32_t index, unsigned flags, uint32_t owner,
              const void *data, size_t length)
{
    if (index == BOARD_ANY)
        index = flags & HN_NAME_MANY ? board_next_index(board, name) : 0;
    if (index > INT32_MAX)
        return HN_EARG;
    struct board_value *old = board_look(board, name, index, 0);
    if (old && !board_may(old, owner))
        return HN_ESTATE;
    if (length > BOARD_BYTES - board->bytes)
        return HN_ENOMEM;
    struct board_value *value = board_new(name, data, length);
    if (!value)
        return HN_ENOMEM;
    if (old)
        board_remove(board, old);
    value->index = index;
    value->owner = owner;
    value->flags = flags;
    board->bytes += length;
    board_insert(board, value);
    board_serve(board, value);
    return (int)index;
}

/* ---- deleting ---------------------------------------------------------------------------------
 */

int board_delete(struct board *board, const char *name, uint32_t index, uint32_t tid)
{
    int result = HN_ENAME;
    list_for_each_safe (node, &board->values) {
        struct board_value *value = board_value_at(node);
        if (strcmp(value->name, name) || (index != BOARD_ANY && value->index != index))
            continue;
        if (board_may(value, tid)) {
            board_remove(board, value);
            result = HN_OK;
        } else if (result != HN_OK) {
            result = HN_ESTATE;
        }
    }
    return result;
}

void board_ended(struct board *board, uint32_t tid)
{
    list_for_each_safe (node, &board->values) {
        struct board_value *value = board_value_at(node);
        if (value->owner == tid && !(value->flags & HN_NAME_STAYS))
            board_remove(board, value);
    }
}
