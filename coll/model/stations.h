/* stations.h - who has how many turns on a bus.
 *
 * Stations on a bus take turns, one packet each. Who sends and receives at the same time needs
 * every other of its turns for acknowledgements of what it receives, so of what is left each of
 * those who only send gets twice as much (eco8: two hosts send to a third one that passes on what
 * it gets; they have two fifths of the bus each, it has one). What goes to many at once is not
 * acknowledged.
 */
#pragma once

#include "model/model.h"

/* Of a message's lane, in fair_join(). */
enum { STATION_SHARE = 1, STATION_SENDER_SHARE = 2 };

struct station {
    bool on_bus;
    int receives; /* so many messages at the moment */
    int stream;   /* by which it has begun to send last; -1: it does not send */
};

struct stations {
    const struct model *model;
    struct station *all; /* [host]; NULL: there is no bus */
};

/* false: out of memory. */
bool stations_begin(struct stations *s, const struct model *model);
void stations_end(struct stations *s);

/* A rank begins to send by a lane: the share that this has. */
int stations_send(struct stations *s, int rank, int stream);
/* It ceases to. */
void stations_rest(struct stations *s, int rank, int stream);
/* So many messages more (less than 0: fewer) are on their way to a rank.  Returns the lane by which
 * it sends, when that has another share from now on, *share; else -1. */
int stations_receive(struct stations *s, int rank, int more, int *share);
