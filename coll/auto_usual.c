/* auto_usual.c - what `auto` tries first when an operation waits for its plan: what libraries
 * usually do, and, where subnets carry multicasts, what makes use of them.
 */
#include "contest.h"

#include "thumb.h"
#include "work.h"

#include "hnow.h"

enum { SHORT = 1024 }; /* bytes: up to here, messages cost their number */

/* So long may all that share a core look at a first plan, together: 2 ms. */
static const hn_time look_together = 2000000000;

/* Whether the number of messages is what counts: tasks share cores, and data are short. */
static bool is_crowded(const struct contest *c)
{
    return c->crowd > 1 && c->req->op == OP_ALLREDUCE && request_part_bytes(c->req, 0) <= SHORT;
}

/* Whether tasks that share cores would look at a plan, each for itself, for long. */
static bool is_much_work(const struct contest *c, hn_time work)
{
    return c->crowd > 1 && work > look_together / c->crowd;
}

/* What libraries usually do; where that is too much work to begin with, first what has the fewest
 * messages, and then only if that takes long enough. */
int contest_try_thumb(struct contest *c)
{
    struct choice usual, few;
    hn_time makespan;
    if (!thumb_choose(c->req, c->stage, &usual))
        return HN_OK;
    hn_time work = work_messages(&usual, c->req) * c->message_work;
    bool later = is_much_work(c, work) && thumb_choose_few(c->req, &few);
    if (is_crowded(c) && thumb_choose_few(c->req, &few))
        return contest_try(c, &few, &makespan);
    int error = contest_try(c, later ? &few : &usual, &makespan);
    if (!error && later && contest_affords(c, work))
        error = contest_try(c, &usual, &makespan);
    return error;
}

/* The most promising first; of the composed ones only those that need no matrix of all pairs. */
static const char *const casts[] = {"cast",
                                    "cast_exchange",
                                    "cast_allgather",
                                    "cast_shares",
                                    "scan_cast",
                                    "scan_cast:2",
                                    "cast:2",
                                    "cast_exchange:2",
                                    "reduce+bcast:kary:5,cast",
                                    "reduce+bcast:binomial,cast",
                                    "gather+bcast:binomial,cast",
                                    "reduce_scatter+allgather:halving,cast_allgather",
                                    "reduce_scatter+allgather:ring,cast_allgather"};

/* Whether there is time to try one of these. */
static bool affords(struct contest *c, const struct choice *choice)
{
    hn_time messages = choice->planner->composed ? 2 * STAGES * (hn_time)c->req->ranks
                                                 : work_messages(choice, c->req);
    return contest_affords(c, messages * c->message_work);
}

int contest_try_casts(struct contest *c)
{
    int error = HN_OK;
    for (size_t i = 0; i < sizeof casts / sizeof *casts && c->suits[FOR_CASTS] && !error; i++) {
        struct choice choice;
        hn_time makespan;
        if (choice_parse(casts[i], &choice) == HN_OK && planner_serves(choice.planner, c->req) &&
            c->suits[choice.planner->made_for] && !(c->stage && choice.planner->composed) &&
            affords(c, &choice))
            error = contest_try(c, &choice, &makespan);
    }
    return error;
}
