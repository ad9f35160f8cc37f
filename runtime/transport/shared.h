/* shared.h - the path between two tasks of one host: two rings (ring.h) in one piece of memory.
 *
 * The dialler makes the memory (a memfd, which has no name anywhere) and passes it over the UNIX
 * socket with its proof (handshake.h); the acceptor says whether it has mapped it.  The socket
 * stays: its end tells that the other task is gone, and a byte on it (a "bell") wakes a side that
 * sleeps.  Sealed against shrinking, the memory cannot be taken away under the reader.
 *
 * Small messages go through a slot queue beside the ring, one each way (small.h).
 *
 * A ring carries the same stream of frames as a socket does, and what is written stays with the
 * link until the reader's position says that it has been received; so a connection that breaks is
 * resumed like any other.  No frames are spent on acknowledgements.
 *
 *      awake   neither flag is set; rings on the task's list `awake` are looked at in every turn
 *              of the loop; nothing costs a system call
 *      asleep  before the loop blocks (peer_turn()), every ring on the list gets its flag and
 *              leaves the list; a bell brings it back
 *
 * Payloads of large messages need not pass through the ring where the reader may fetch them itself
 * (cross_read.h), and do not where that is faster (copy_mode.h).  Where it fails after all, the
 * connection is closed, and the next one does without.
 *
 * Cost: one copy of those; of others two copies, which run at the same time on two cores.  Memory:
 * 16 KiB each way for pairs that exchange small messages only, else 512 KiB; a task lets rings grow
 * for SHARED_LARGE partners, the others make do with small ones.
 */
#ifndef HNOW_SHARED_H
#define HNOW_SHARED_H

#include "transport/slot_queue.h"
#include "base/list.h"
#include "transport/cross_read.h"
#include "transport/ring.h"
#include "transport/copy_mode.h"

#include <stddef.h>

struct peer;
struct task;

enum { SHARED_LARGE = 32 };

struct shared {
    void *map; /* NULL: there is none */
    struct ring in, out;
    struct slot_queue slots_in, slots_out; /* for small messages */
    uint64_t heard;    /* link.received when we looked last whether the ring has ... */
    unsigned unlooked; /* ... been read, and small messages since */
    struct ringer to_reader, to_writer; /* of what we write, of what we read */
    struct cross_read cross_read;       /* what the other side lends ... */
    struct cross_read_shared *lender;   /* ... and we */
    bool learns;                        /* which way is the better one */
    struct copy_mode copy_mode;         /* of large messages that come in */
    uint64_t begun;        /* when the first byte of the one that is coming was there; 0: none */
    size_t coming;         /* its bytes, and ... */
    bool fetched;          /* ... which way it comes */
    struct list_node node; /* in peer_table.awake */
    bool stuck;            /* there was no room for all there is to write */
    bool large;            /* counted in peer_table.large */
};

/* Maps the memory of a connection.  The dialler makes it (*fd is -1 and becomes the descriptor to
 * pass on), the acceptor gets it; the task's key is shown in it.  False: this pair has to do
 * without. */
bool shared_map(struct shared *s, int *fd, bool dialler, const uint8_t key[CROSS_READ_KEY]);
void shared_unmap(struct shared *s);

/* Begins to use what has been mapped. */
void shared_start(struct peer *p);
void shared_stop(struct peer *p);

/* Sends a message of at most SLOT_ROOM bytes through the slot queue; false: it has to go through
 * the ring.
 */
bool shared_put(struct peer *p, const hn_info *info, hn_context context, const void *data,
                size_t bytes);
/* Writes what there is room for.  Does not fail. */
void shared_write(struct peer *p);
/* Reads what is there: bytes taken (0: none), or HN_EPROTO or HN_ENOMEM, and there is no way to go
 * on, or HN_ELINK: not over this connection. */
ptrdiff_t shared_read(struct peer *p);
/* Whether it is worth while to read on at once: within a message, or where more is known to be
 * there.  To look for more after each small message would take the line of the cache away from
 * their writer each time. */
bool shared_goes_on(const struct peer *p);
/* Tells the writer how far we are. */
void shared_tell(struct peer *p);
/* Takes the bells from the socket: false when it has ended. */
bool shared_take_doorbells(struct peer *p);
/* Looks at p's rings in every turn from now on. */
void shared_wake(struct peer *p);
/* All rings go to sleep and ask for bells, or none does: false when something has come in between.
 */
bool shared_go_to_sleep(struct task *t);

#endif
