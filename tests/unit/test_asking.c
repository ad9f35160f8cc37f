/* test_asking.c - a program asks for forecasts while another thread finds that the network has
 * changed and replaces its model, again and again: each answer is by one model, which stays as long
 * as it is needed. */
#include "wire/adapt.h"
#include "hnow.h"
#include "hnow_coll.h"
#include "job.h"
#include "quick_net.h"
#include "wire/group_state.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { MEMBERS = 5, CHANGES = 400, SLOWER = 16 };

static atomic_bool over;

/* What the members do when they have agreed on a change (adapt.c), at one of them. */
static void change_network(struct group_state *state, bool slow)
{
    struct request req = {.op = OP_BCAST, .ranks = MEMBERS, .bytes = 1000, .grain = 1};
    struct agreement s = group_state_agreement(state, &req, NULL, 0);
    struct drift drift;
    bool moved;
    job_check(model_update_routes(&s.adapt->model_update, &drift) == HN_OK && drift.count > 0);
    for (int i = 0; i < drift.count; i++)
        drift.routes[i].factor = slow ? SLOWER * DRIFT_NONE : DRIFT_NONE;
    job_check(model_update_measured(&s.adapt->model_update, &drift, group_state_tids(state), false,
                                    0, s.guard, &moved) == HN_OK &&
              moved);
    drift_free(&drift);
}

static void *change_often(void *state)
{
    for (int i = 0; i < CHANGES; i++)
        change_network(state, i % 2 == 0);
    over = true;
    return NULL;
}

static _Bool asks(void)
{
    struct group_state *state;
    hn_forecast f;
    pthread_t changer;
    job_check(group_state_get(hn_world(), &state) == HN_OK);
    job_check(hn_forecast_plan(hn_world(), "bcast", 100000, HN_BYTE, 0, "flat", &f) == HN_OK);
    hn_time as_stated = f.makespan;
    if (hn_rank() == 0) {
        over = false;
        job_check(pthread_create(&changer, NULL, change_often, state) == 0);
        while (!over) {
            job_check(hn_forecast_plan(hn_world(), "bcast", 100000, HN_BYTE, 0, "flat", &f) ==
                      HN_OK);
            job_check(f.makespan == as_stated || f.makespan > 2 * as_stated);
            job_check(hn_forecast_plan(hn_world(), "allgather", 1000, HN_BYTE, 0, NULL, &f) ==
                      HN_OK);
        }
        pthread_join(changer, NULL);
    }
    return hn_barrier(hn_world()) == HN_OK;
}

Test(asking, while_the_model_is_replaced)
{
    cr_assert_eq(job_run_on(MEMBERS, 3, quick_net, 60, asks), 0);
}
