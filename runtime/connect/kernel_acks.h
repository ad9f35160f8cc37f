/* kernel_acks.h - the acknowledgements that the kernel sends by itself.
 *
 * Linux lets an acknowledgement travel with what goes back on the connection, and gives it a packet
 * of its own when nothing has gone back for 40 ms; but when the connection is new, or nothing has
 * come for 200 ms, it sends that packet at once, since the other side may be at its slow start.
 * Each takes a bus of 10 Mb/s 53 us, a sixteenth of what a message of 1 KB does, just while an
 * operation is waiting for the bus.  Nobody waits for acknowledgements of short messages here; so
 * the kernel is told that they may wait (TCP_QUICKACK), again and again, since it forgets that
 * whenever nothing has gone back in time.  Not where packets get lost: there, acknowledgements tell
 * which.  What is longer than a packet is acknowledged at once in any case, and so is the second of
 * two short messages as soon as it is read: a sender whose congestion window is ten packets does
 * not wait (20 messages in 20 ms after a silence: none later than without this).
 */
#ifndef HNOW_KERNEL_ACKS_H
#define HNOW_KERNEL_ACKS_H

struct peer;

/* Something has been written to p's connection: what comes back need not be acknowledged at once.
 */
void kernel_acks_wait(struct peer *p);

#endif
