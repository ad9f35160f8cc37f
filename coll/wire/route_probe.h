/* route_probe.h - measures routes of a network by the members of a group, one route after the
 * other.
 *
 * Each member has its own list of messages to send and to receive. The member at the beginning of a
 * route waits for a token from the previous one. It sends short and long messages to the other end,
 * which answers each with one byte, and passes the token on. So media shared by several routes
 * carry one message at a time. Like an executor (execute.h), it continues when a message has
 * arrived, and blocks only if `waits` is set.
 *
 * Cost: six round trips a route, the last two with long messages; five if a single route is
 * measured.
 */
#pragma once

#include "wire/drift.h"
#include "job/internal.h"

#include "hnow.h"

struct route_probe_step;

enum { ROUTES_ALL = -1, ROUTES_SLOW = -2 };

struct route_probe {
    const struct model *model; /* of the network file */
    struct drift *drift;
    const hn_tid *tids; /* [rank] */
    int rank, tag;
    bool waits;

    struct route_probe_step *steps;
    int count, at;
    uint8_t *bytes; /* buffer of sent and received messages */
    uint64_t begun; /* time of the last message sent */
    int64_t small;  /* shortest times of this route so far; 0: none */
    int64_t large;
    hn_request *sent, *coming;
    int error;          /* of a message */
    hn_request *awaits; /* without this it cannot continue */
};

/* Measures all routes of drift (ROUTES_ALL), those that are slow (ROUTES_SLOW), or the one of this
 * number. Routes that begin at this rank are filled in. All members must call it with the same
 * routes. The caller sets the first fields. HN_OK or HN_ENOMEM; call route_probe_free() in either
 * case. */
int route_probe_begin(struct route_probe *probe, int only);
/* HN_OK when finished, EXECUTOR_WAITS, or the error of a message. The calling thread must have the
 * context of the messages. */
int route_probe_continue(struct route_probe *probe);
void route_probe_free(struct route_probe *probe);
