/* shared.h - the path between two tasks of one host: two rings (ring.h) in one piece of memory.
 *
 * The dialler makes the memory (a memfd, which has no name anywhere) and passes it over the UNIX
 * socket with its proof (handshake.h); the acceptor says whether it has mapped it.  The socket
 * stays: its end says that the other task is gone, and a byte on it (a doorbell) wakes a side that
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
 *              leaves the list; a doorbell brings it back
 *
 * Payloads of large messages need not pass through the ring where the reader may fetch them itself
 * (cross_read.h), and do not where that is faster (copy_mode.h).  Where it fails after all, the
 * connection is closed, and the next one does without.
 *
 * Cost: one copy of those; of others two copies, which run at the same time on two cores.  Memory:
 * 16 KiB each way for pairs that exchange small messages only, else 512 KiB; a task lets rings grow
 * for SHARED_LARGE partners, the others make do with small ones.
 */
#pragma once

#include "transport/slot_queue.h"
#include "base/list.h"
#include "transport/cross_read.h"
#include "transport/ring.h"
#include "transport/copy_mode.h"

#include <stddef.h>

struct peer;
struct task;

enum { SHARED_LARGE = 32 }; /* 16 MiB of memory of a task */

/* One connection's memory, and what this side knows of it. */
struct shared {
    struct peer *peer; /* whose connection it is */
    void *map;
    struct ring in, out;
    struct slot_queue slots_in, slots_out; /* for small messages */
    uint64_t heard;    /* link.received when the writer last looked whether the ring was read */
    unsigned unlooked; /* small messages since then */
    struct ringer to_reader, to_writer; /* doorbells of the reader of `out`, the writer of `in` */
    struct cross_read cross_read;       /* what the other side lends */
    struct cross_read_shared *lender;   /* what this side lends */
    bool learns;                        /* the copy mode is measured, not forced */
    struct copy_mode copy_mode;         /* of large messages that come in */
    uint64_t begun;        /* when the first byte of the message now coming was seen; 0: none is */
    size_t coming;         /* bytes of that message */
    bool fetched;          /* that message is read from the sender's memory */
    struct list_node node; /* in shared_table.awake */
    bool stuck;            /* the ring had no room for all there is to write */
    bool large;            /* counted in shared_table.large */
};

/* State that a task's connections through shared memory share. */
struct shared_table {
    uint8_t key[CROSS_READ_KEY]; /* proves that memory read across is this task's */
    bool joined;                 /* can take part in others' barriers (doorbell.h) */
    struct list_node awake;      /* struct shared: looked at in every turn of the loop */
    unsigned large;              /* how many rings may be large */
};

/* Maps the memory of a connection.  The dialler makes it (*fd is -1 and becomes the descriptor to
 * pass on), the acceptor gets it; the task's key is shown in it.  NULL: this pair has to do
 * without. */
struct shared *shared_map(int *fd, bool dialler, const uint8_t key[CROSS_READ_KEY]);
/* May be NULL. */
void shared_unmap(struct shared *s);

/* All rings go to sleep and ask for doorbells, or none does: false when something has arrived in
 * between. */
bool shared_go_to_sleep(struct task *t);
