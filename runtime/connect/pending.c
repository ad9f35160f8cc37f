/* pending.c - accepted connections that are not proven, by class and source (rules: pending.h).
 *
 * Cost: O(sources of the class) for each operation.
 */
#include "connect/pending.h"

#include "base/bytes.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All connections of one source in a class. */
struct pending_group {
    struct list_node node;
    struct list_node members; /* struct pending, the oldest first */
    unsigned count;
    enum pending_class class;
    struct pending_source source;
};

static const unsigned limits[PENDING_CLASSES] = {[PENDING_STRANGER] = PENDING_STRANGERS,
                                                 [PENDING_LOCAL] = PENDING_LOCALS,
                                                 [PENDING_MEMBER] = PENDING_MEMBERS};

/* IPv4 addresses take the same form whether they arrive on an IPv4 or an IPv6 socket, so that they
 * count for one source. */
struct pending_source pending_from_address(const struct sockaddr *address)
{
    struct pending_source source = {{0}};
    const struct sockaddr_in6 *a6 = (const struct sockaddr_in6 *)address;
    const struct sockaddr_in *a4 = (const struct sockaddr_in *)address;

    if (address->sa_family == AF_INET)
        memcpy(source.bytes + 12, &a4->sin_addr, 4);
    else if (address->sa_family == AF_INET6)
        memcpy(source.bytes, &a6->sin6_addr, IN6_IS_ADDR_V4MAPPED(&a6->sin6_addr) ? 16 : 8);
    if (address->sa_family == AF_INET)
        source.bytes[10] = source.bytes[11] = 0xff; /* the IPv4-mapped IPv6 address */
    return source;
}

/* A task whose HELLO is genuine counts as its own source, wherever it connects from. */
struct pending_source pending_from_tid(int tid)
{
    struct pending_source source = {{0}};

    bytes_put32(source.bytes, (uint32_t)tid);
    return source;
}

/* IPv6 sources are whole networks of 64 bits, since one host may have as many addresses. */
void pending_describe(const struct pending_source *source, char *text, size_t size)
{
    bool four = IN6_IS_ADDR_V4MAPPED((const struct in6_addr *)source->bytes);
    char address[INET6_ADDRSTRLEN] = "?";

    inet_ntop(four ? AF_INET : AF_INET6, source->bytes + (four ? 12 : 0), address, sizeof address);
    snprintf(text, size, "%s%s", address, four ? "" : "/64");
}

void pending_init(struct pending_table *table)
{
    *table = (struct pending_table){.last = 0};
    for (int c = 0; c < PENDING_CLASSES; c++)
        list_init(&table->class[c].groups);
}

static struct pending *oldest(const struct pending_group *group)
{
    return list_entry(group->members.next, struct pending, node);
}

/* Makes the group if the source has none.  NULL: no memory. */
static struct pending_group *find_group(struct pending_table *table, enum pending_class class,
                                        const struct pending_source *source)
{
    list_for_each (n, &table->class[class].groups) {
        struct pending_group *group = list_entry(n, struct pending_group, node);
        if (memcmp(&group->source, source, sizeof *source) == 0)
            return group;
    }
    struct pending_group *group = malloc(sizeof *group);
    if (!group)
        return NULL;
    *group = (struct pending_group){.class = class, .source = *source};
    list_init(&group->members);
    list_append(&table->class[class].groups, &group->node);
    return group;
}

/* Frees the group with its last member. */
void pending_leave(struct pending_table *table, struct pending *p)
{
    struct pending_group *group = p->group;

    if (!group)
        return;
    list_remove(&p->node);
    p->group = NULL;
    table->class[group->class].count--;
    if (--group->count > 0)
        return;
    list_remove(&group->node);
    free(group);
}

/* The source with the most connections, or among equals the one with the oldest connection, loses
 * its oldest one. */
struct pending *pending_give_way(struct pending_table *table, enum pending_class class)
{
    const struct pending_group *most = NULL;

    list_for_each (n, &table->class[class].groups) {
        const struct pending_group *group = list_entry(n, struct pending_group, node);
        if (!most || group->count > most->count ||
            (group->count == most->count && oldest(group)->number < oldest(most)->number))
            most = group;
    }
    if (!most)
        return NULL;
    struct pending *p = oldest(most);
    pending_leave(table, p);
    return p;
}

/* The new connection counts before one is chosen.  So a source that already has the most loses its
 * own oldest one.  Returns the connection that must be closed, which may be the new one; NULL:
 * there is room. */
struct pending *pending_enter(struct pending_table *table, struct pending *p,
                              enum pending_class class, struct pending_source source)
{
    struct pending_group *group = find_group(table, class, &source);

    if (!group)
        return p;
    p->group = group;
    p->number = ++table->last;
    list_append(&group->members, &p->node);
    group->count++;
    return ++table->class[class].count > limits[class] ? pending_give_way(table, class) : NULL;
}
