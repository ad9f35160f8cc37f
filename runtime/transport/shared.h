/* shared.h - the transport between two tasks of one host: two rings (ring.h) in shared memory.
 *
 * The dialler creates the memory (a memfd, which has no name) and passes it over the UNIX socket
 * with its PROOF (handshake.h).  The acceptor answers whether it has mapped it.  The socket stays
 * open: its end shows that the other task is gone, and a byte on it (a doorbell) wakes a sleeping
 * side.  The memory is sealed against shrinking, so it cannot be removed under the reader.
 *
 * Small messages use a slot queue beside the ring, one in each direction (small.h).
 *
 * A ring carries the same stream of frames as a socket.  The link keeps written bytes until the
 * reader's position shows that they were received.  So a broken connection resumes like any other.
 * ACK frames are not needed.
 *
 *      awake   neither flag is set; rings on the task's list `awake` are checked in every
 *              iteration of the loop, without a system call
 *      asleep  before the loop blocks (peer_turn()), every ring on the list gets its flag and
 *              leaves the list; a doorbell puts it back
 *
 * Payloads of large messages bypass the ring if the reader can read them from the sender's memory
 * (cross_read.h) and that is faster (copy_mode.h).  If such a read fails, the connection is closed,
 * and the next one uses rings only.
 *
 * Cost: one copy of such payloads.  Other messages are copied twice, on two cores at the same time.
 * Memory: 16 KiB in each direction for pairs that exchange only small messages, else 512 KiB.  A
 * task lets the rings of SHARED_LARGE partners grow; the rings of others stay small.
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

enum { SHARED_LARGE = 32 }; /* partners; 16 MiB of memory of a task */

/* One connection's memory, and this side's state. */
struct shared {
    struct peer *peer; /* whose connection it is */
    void *map;
    struct ring in, out;
    struct slot_queue slots_in, slots_out; /* for small messages */
    uint64_t
        last_received; /* link.received when the writer last checked whether the ring was read */
    unsigned unlooked; /* small messages since then */
    /* doorbells of the reader of `out`, and of the writer of `in` */
    struct ringer to_reader, to_writer;
    struct cross_read cross_read;     /* loans of the other side */
    struct cross_read_shared *lender; /* loans of this side */
    bool learns;                      /* the copy mode is measured, not forced */
    struct copy_mode copy_mode;       /* of large incoming messages */
    uint64_t begun; /* when the first byte of the message that is arriving was seen; 0: none is
                       arriving */
    size_t coming;  /* bytes of that message */
    bool fetched;   /* that message is read from the sender's memory */
    struct list_node node; /* in shared_table.awake */
    bool stuck;            /* the ring had no room for everything */
    bool large;            /* counted in shared_table.large */
};

/* State of all connections of a task through shared memory. */
struct shared_table {
    uint8_t key[CROSS_READ_KEY]; /* proves to readers that the memory is this task's */
    bool joined;                 /* registered for membarrier(2) (doorbell.h) */
    struct list_node awake;      /* struct shared: checked in every iteration of the loop */
    unsigned large;              /* number of connections whose rings may grow */
};

/* Maps the memory of a connection, and publishes the task's key in it.  The dialler creates it: *fd
 * is -1 and becomes the descriptor to pass.  The acceptor passes the received *fd.  NULL: this pair
 * cannot share memory. */
struct shared *shared_map(int *fd, bool dialler, const uint8_t key[CROSS_READ_KEY]);
/* s may be NULL. */
void shared_unmap(struct shared *s);

/* Puts all rings to sleep and requests doorbells, or none: false if something has arrived
 * meanwhile. */
bool shared_go_to_sleep(struct task *t);
