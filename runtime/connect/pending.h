/* pending.h - accepted connections that have not proven who they are, and which of them is closed
 * when there are too many.
 *
 * An accepted connection is in one of three classes.  Each class has its own limit, so that
 * connections of one class never displace those of another:
 *
 *     STRANGER   TCP without a genuine HELLO: anybody
 *     LOCAL      the UNIX socket, before its HELLO: processes of this user, and the relay's agent
 *     MEMBER     after a genuine HELLO (handshake.h): has the secret, or has recorded a HELLO
 *
 * Inside a class, connections are counted by source.  A source is an IPv4 address, or an IPv6
 * network of 64 bits, because one machine may use all of its addresses.  The source of a member is
 * its tid.  Above the limit, the source with the most connections loses its oldest one.  Among
 * equal sources, the oldest connection is closed.  So an address that floods the port displaces
 * only its own connections, and so does an attacker that repeats a member's HELLO.  No I/O and no
 * clock here; the caller closes silent connections after a timeout.
 */
#pragma once

#include "base/list.h"

#include <stdint.h>
#include <sys/socket.h>

/* A connection moves from STRANGER or LOCAL to MEMBER, never back. */
enum pending_class { PENDING_STRANGER, PENDING_LOCAL, PENDING_MEMBER, PENDING_CLASSES };

/* Limits.  Strangers: a genuine HELLO arrives a few ms after the connection.  Even from many
 * addresses fewer than 128 arrive in that time.  Members: all tasks of a large job may dial one at
 * the same time; each costs less than 2 KB. */
enum { PENDING_STRANGERS = 128, PENDING_LOCALS = 256, PENDING_MEMBERS = 1024 };

/* An IPv6 address in network order, with zeros behind the first 64 bits unless it is a mapped IPv4
 * address.  For a member: its tid. */
struct pending_source {
    uint8_t bytes[16];
};

/* One connection; embedded in the caller's own struct. */
struct pending {
    struct list_node node;       /* in the list of its source, by age */
    struct pending_group *group; /* NULL: it is in no table */
    uint64_t number;             /* sequence number of its arrival */
};

/* One for each listener.  An empty group does not exist, so the number of groups is bounded by the
 * number of connections. */
struct pending_table {
    struct {
        struct list_node groups; /* struct pending_group, one for each source */
        unsigned count;
    } class[PENDING_CLASSES];
    uint64_t last;
};

/* The source that an address counts for. */
struct pending_source pending_from_address(const struct sockaddr *address);
struct pending_source pending_from_tid(int tid);

/* Writes "10.0.0.1" or "2001:db8:0:7::/64"; only for sources that are addresses. */
void pending_describe(const struct pending_source *source, char *text, size_t size);

void pending_init(struct pending_table *table);
/* Adds a connection as the youngest.  Returns the connection that must be closed and is no longer
 * in the table, or NULL.  Returns p if there is no memory. */
struct pending *pending_enter(struct pending_table *table, struct pending *p,
                              enum pending_class class, struct pending_source source);
/* Removes it, if it is in a table. */
void pending_leave(struct pending_table *table, struct pending *p);
/* Removes and returns the connection of a class that would be closed next; NULL: there is none. */
struct pending *pending_give_way(struct pending_table *table, enum pending_class class);
