/* call.h - one call of a collective operation, from the caller's arguments to the finished
 * execution.
 *
 * A public function fills the first half and hands it to call_run() or to call_post(). The rest is
 * the same for all: call_prepare() finds team and plan and says where each part of the data lies
 * (layout.c), the executor runs, call_end() frees.
 */
#ifndef HNOW_COLL_CALL_H
#define HNOW_COLL_CALL_H

#include "execute.h"
#include "fold.h"
#include "team.h"

#include "hnow_coll.h"

struct call {
    /* What the caller said; what an operation has no use for is 0. */
    enum operation op;
    const hn_group *group;
    const void *in;
    void *out;
    size_t count;
    bool vector; /* counts differ from rank to rank: the ...v forms, and reduce_scatter */
    const size_t *counts, *displs;       /* of what is received, or scattered */
    const size_t *in_counts, *in_displs; /* of alltoallv */
    hn_type type;
    hn_op rule; /* by which contributions are combined */
    int root;
    const int *to; /* members of a multicast besides the root; NULL: it is none */
    int to_count;

    /* What is made of it. */
    struct team *team;
    struct request req;
    struct execution x;
    struct fold fold;
    int64_t *sizes;
    uint8_t *scratch, **places;
    int result; /* of an execution that went well: HN_OK, or HN_ETRUNC for counts that do not agree
                 */
};

/* Everything up to the first message; the v-forms whose counts are known to some members only send
 * them round here. Copies the caller's contribution to where the plan expects it. HN_OK, or an
 * error with its text set; call_end() in every case. */
int call_prepare(struct call *call);
/* Runs a prepared call; blocks. */
int call_execute(struct call *call);
void call_end(struct call *call);
/* All three. */
int call_run(struct call *call);

/* layout.c: sets execution.data or the place of each part, and copies. HN_OK or HN_ENOMEM. */
int call_lay_out(struct call *call);

#endif
