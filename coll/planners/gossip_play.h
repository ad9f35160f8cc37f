/* gossip_play.h - who sends what to whom in an allgather, one transfer after the other: private to
 * gossip.
 *
 * Of all transfers that could come next the one that ends first, of these one of a part that few
 * have. A transfer begins when the sender has the part and all that it occupies (ports, and the
 * media on its way) is free.
 */
#pragma once

#include "planners/played.h"
#include "planners/timetable.h"

#include "runtime/internal.h"

/* A transfer that has been played. */
struct gossip_note {
    struct played done;
    hn_time begin;
    int at; /* its number in the play */
};

struct gossip_play {
    int n, blocks;
    const struct plan_block *block;
    struct gossip_note *notes; /* of the last play, in the order in which they were chosen */
    int count;
    hn_time *has; /* [rank * blocks + block]: since when. Between plays the caller may change it */
    uint64_t *kept; /* [rank * words + block / 64]: bits of the blocks that it has */
    int words;
    struct timetable timetable;
    int *copies; /* [block] */
    bool fills;
    hn_time *begun, *last; /* [from * n + to]: when the last transfer begins and ends */
    hn_time *soonest;      /* [from * n + to]: the next one does not end before this */
    int *best;             /* [from]: to whom it is soonest, */
    hn_time *next;         /* and what that way's next one does not end before */
    struct arena arena;    /* of the arrays */
};

/* For the blocks of `cut`, which must live as long, on the ways of a model. HN_OK or HN_ENOMEM;
 * gossip_play_end() in every case. */
int gossip_play_begin(struct gossip_play *g, const struct model *model, const struct plan *cut);
void gossip_play_end(struct gossip_play *g);

/* Plays all transfers anew, into notes[]; fills: they may begin in the gaps that others, chosen
 * before them, have left. HN_OK or HN_ENOMEM. Cost for b blocks and n ranks: n b transfers, after
 * each of which n ways are looked at, each at b blocks. */
int gossip_play(struct gossip_play *g, bool fills);
