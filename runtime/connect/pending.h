/* pending.h - which connections wait to be proven, and which one gives way when there are too many.
 *
 * A connection that was accepted is in one of three classes, each with a limit of its own, so that
 * those of one class never take the place of another's:
 *
 *     STRANGER   TCP, and it has not said a genuine HELLO: anybody
 *     LOCAL      the UNIX socket, before its HELLO: processes of this user, and the relay's agent
 *     MEMBER     it has said a genuine HELLO (handshake.h), so it knows the secret or a record
 *
 * Inside a class, connections are counted by source: an address (of IPv6, the network of 64 bits,
 * which one machine may have all of), or of a member, its tid.  Above the limit, the source with
 * most connections loses its oldest one; among equal sources, the oldest connection goes.  So one
 * address that floods the port takes places only from itself, and a member whose HELLO somebody
 * repeats again and again only from itself.  No I/O and no clock here; the caller ends connections
 * that are silent for too long.
 */
#pragma once

#include "base/list.h"

#include <stdint.h>
#include <sys/socket.h>

enum pending_class { PENDING_STRANGER, PENDING_LOCAL, PENDING_MEMBER, PENDING_CLASSES };

/* Limits.  Strangers: a genuine HELLO comes within a few ms of the connection, and 128 are more
 * than come in that time even from many addresses.  Members: all tasks of a large job may dial one
 * at the same time; each costs less than 2 KB. */
enum { PENDING_STRANGERS = 128, PENDING_LOCALS = 256, PENDING_MEMBERS = 1024 };

struct pending_source {
    uint8_t bytes[16];
};

/* One connection; a part of what the caller keeps of it. */
struct pending {
    struct list_node node;       /* among those of its source, by age */
    struct pending_group *group; /* NULL: it is in no table */
    uint64_t number;             /* of its coming */
};

struct pending_table {
    struct {
        struct list_node groups; /* of one source each */
        unsigned count;
    } class[PENDING_CLASSES];
    uint64_t last;
};

/* The source that an address counts as. */
struct pending_source pending_from_address(const struct sockaddr *address);
struct pending_source pending_from_tid(int tid);

/* "10.0.0.1", "2001:db8:0:7::/64"; of addresses only. */
void pending_describe(const struct pending_source *source, char *text, size_t size);

void pending_init(struct pending_table *table);
/* Enters a connection, as the youngest.  Returns the one that has to give way, which is in the
 * table no more, or NULL; p itself when memory is out. */
struct pending *pending_enter(struct pending_table *table, struct pending *p,
                              enum pending_class class, struct pending_source source);
/* Takes it out, when it is in. */
void pending_leave(struct pending_table *table, struct pending *p);
/* Takes the one out that would give way next in a class; NULL: there is none. */
struct pending *pending_give_way(struct pending_table *table, enum pending_class class);
