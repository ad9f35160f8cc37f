/* member_net.h - the network of a group's members, and what was chosen on it first. Groups with the
 * same members in the same order share one. Some that no group uses are kept for later groups.
 */
#pragma once

#include "wire/first_choices.h"

#include "runtime/internal.h"
#include "model/model.h"
#include "hnow.h"
#include "hnow_net.h"

struct wire_state;

/* Its model refers to `guess` or to the job's network, so it must not be moved. Constant after it
 * has been made, except `users` and `first`, which has a lock of its own. */
struct member_net {
    struct list_node node; /* in wire_state.nets */
    int users;             /* groups */
    int size;
    hn_tid *tids;  /* [rank] */
    int *host;     /* [rank], in the network */
    hn_net *guess; /* the network, if guessed; NULL: that of the job's file */
    bool measured; /* the network is that of the file */
    struct model model;
    struct first_choices first;
};

/* Finds or makes the network of these tasks. The caller drops it. Calls must not overlap with each
 * other (wire_state.making). HN_OK, HN_ENOMEM or an error of the network file. */
int member_net_hold(struct wire_state *shared, const hn_tid *tids, int size,
                    struct member_net **net);
/* Drops it; in any thread. NULL is allowed. */
void member_net_drop(struct wire_state *shared, struct member_net *net);
/* Frees those that no group uses. */
void member_nets_free(struct wire_state *shared);
