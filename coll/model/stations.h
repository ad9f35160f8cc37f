/* stations.h - the shares of stations on a bus.
 *
 * Stations on a bus take turns, one packet each. A station that sends and receives at the same time
 * needs every other turn for acknowledgements. So a station that only sends gets twice its share.
 * (Measured on eco8: two hosts send to a third one, which forwards what it receives. They get two
 * fifths of the bus each, it gets one.) Multicasts are not acknowledged.
 */
#pragma once

#include "model/model.h"

/* Shares of a stream in fair_join(). */
enum { STATION_SHARE = 1, STATION_SENDER_SHARE = 2 };

struct station {
    bool on_bus;
    int receives; /* messages on their way to it that it acknowledges */
    int stream;   /* the stream on which it began to send last; -1: it does not send */
};

struct stations {
    const struct model *model;
    struct station *all; /* [host]; NULL: there is no bus */
};

/* false: out of memory. */
bool stations_begin(struct stations *s, const struct model *model);
void stations_end(struct stations *s);

/* A rank begins to send on a stream. Returns the share of the stream. */
int stations_send(struct stations *s, int rank, int stream);
/* The rank stops sending on it. */
void stations_rest(struct stations *s, int rank, int stream);
/* `more` (negative: fewer) messages are on their way to a rank. If this changes the share of the
 * stream on which it sends, returns that stream and sets *share; else -1. */
int stations_receive(struct stations *s, int rank, int more, int *share);
