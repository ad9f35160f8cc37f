/* list.h - an intrusive, doubly linked, circular list.
 *
 * The node is a member of the object that is on the list:
 *
 *     struct piece { struct list_node node; ... };
 *     struct list_node queue;                       the head; list_init(&queue) first
 *     list_append(&queue, &piece->node);
 *     list_for_each (n, &queue)
 *         use(list_entry(n, struct piece, node));
 *
 * A node that is on no list points to itself, so list_remove() is always allowed.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* As a head: `next` is the first element and `prev` the last. */
struct list_node {
    struct list_node *next, *prev;
};

#define list_entry(node, type, member) ((type *)((char *)(node)-offsetof(type, member)))
#define list_for_each(n, head)         for (struct list_node *n = (head)->next; n != (head); n = n->next)
/* The body may remove or free n. */
#define list_for_each_safe(n, head)                                                                \
    for (struct list_node *n = (head)->next, *n##_next = n->next; n != (head);                     \
         n = n##_next, n##_next = n->next)

static inline void list_init(struct list_node *n)
{
    n->next = n->prev = n;
}

static inline bool list_empty(const struct list_node *head)
{
    return head->next == head;
}

static inline void list_append(struct list_node *head, struct list_node *n)
{
    n->prev = head->prev;
    n->next = head;
    head->prev->next = n;
    head->prev = n;
}

/* Inserts n before all others. */
static inline void list_prepend(struct list_node *head, struct list_node *n)
{
    list_append(head->next, n);
}

static inline void list_remove(struct list_node *n)
{
    n->prev->next = n->next;
    n->next->prev = n->prev;
    list_init(n);
}
