/* Who is told what: every request is fulfilled as often as it says, in order, and no other. */
#include "hnow.h"
#include "random.h"
#include "hrun/services/watch.h"

#include <criterion/criterion.h>
#include <stdio.h>

enum { MOST = 64 };

struct told {
    int n;
    struct watch_request request[MOST];
};

static void tell(void *user, const struct watch_request *request)
{
    struct told *told = user;
    if (told->n < MOST)
        told->request[told->n] = *request;
    told->n++;
}

static int event(struct watch *watch, uint32_t what, uint32_t about, struct told *told)
{
    *told = (struct told){0};
    watch_event(watch, what, about, tell, told);
    return told->n;
}

static void add(struct watch *watch, uint32_t asker, uint32_t what, uint32_t about, uint32_t times)
{
    struct watch_request request = {
        .asker = asker, .tag = 7, .what = what, .about = about, .times = times};
    cr_assert_eq(watch_add(watch, &request), HN_OK);
}

Test(watch, a_certain_task_is_told_of_once)
{
    struct watch watch = {0};
    struct told told;
    add(&watch, 1, HN_TASK_EXIT, 20, WATCH_ALWAYS);
    add(&watch, 2, HN_TASK_EXIT, 20, WATCH_ALWAYS);
    add(&watch, 1, HN_TASK_EXIT, 21, WATCH_ALWAYS);
    cr_assert_eq(event(&watch, HN_HOST_LOST, 20, &told), 0);
    cr_assert_eq(event(&watch, HN_TASK_EXIT, 20, &told), 2);
    cr_assert_eq(told.request[0].asker, 1);
    cr_assert_eq(told.request[1].asker, 2);
    cr_assert_eq(event(&watch, HN_TASK_EXIT, 20, &told), 0);
    cr_assert_eq(event(&watch, HN_TASK_EXIT, 21, &told), 1);
    cr_assert_eq(watch.n, 0);
    watch_free(&watch);
}

Test(watch, any_host_so_often_or_always)
{
    struct watch watch = {0};
    struct told told;
    add(&watch, 1, HN_HOST_ADDED, WATCH_ANY, 2);
    add(&watch, 2, HN_HOST_ADDED, WATCH_ANY, WATCH_ALWAYS);
    for (uint32_t i = 0; i < 4; i++)
        cr_assert_eq(event(&watch, HN_HOST_ADDED, 100 + i, &told), i < 2 ? 2 : 1);
    watch_free(&watch);
}

Test(watch, who_takes_back_or_ends_is_told_no_more)
{
    struct watch watch = {0};
    struct told told;
    for (uint32_t asker = 1; asker < 4; asker++)
        for (uint32_t task = 20; task < 23; task++)
            add(&watch, asker, HN_TASK_EXIT, task, WATCH_ALWAYS);
    struct watch_request like = {.asker = 1, .tag = 7, .what = HN_TASK_EXIT, .about = 21};
    watch_cancel(&watch, &like);
    cr_assert_eq(event(&watch, HN_TASK_EXIT, 21, &told), 2);
    like = (struct watch_request){.asker = 2, .tag = 8, .what = HN_TASK_EXIT};
    watch_cancel(&watch, &like);
    cr_assert_eq(watch.n, 6, "another tag is another request");
    like.tag = 7;
    watch_cancel(&watch, &like);
    watch_forget(&watch, 3);
    cr_assert_eq(event(&watch, HN_TASK_EXIT, 20, &told), 1);
    cr_assert_eq(told.request[0].asker, 1);
    watch_free(&watch);
}

/* ---- against a plain model: an array whose entries are looked at one by one ---- */

struct model {
    struct watch_request request[MOST];
    int n;
};

static void model_drop(struct model *model, int i)
{
    for (; i + 1 < model->n; i++)
        model->request[i] = model->request[i + 1];
    model->n--;
}

static void model_event(struct model *model, uint32_t what, uint32_t about, struct told *told)
{
    *told = (struct told){0};
    for (int i = 0; i < model->n; i++) {
        struct watch_request *request = &model->request[i];
        if (request->what != what || (request->about && request->about != about))
            continue;
        tell(told, request);
        if (request->about || (request->times != WATCH_ALWAYS && --request->times == 0))
            model_drop(model, i--);
    }
}

static struct watch_request any_request(uint64_t *state)
{
    return (struct watch_request){.asker = 1 + (uint32_t)random_below(state, 3),
                                  .tag = (uint32_t)random_below(state, 2),
                                  .what = 1 + (uint32_t)random_below(state, 3),
                                  .about = (uint32_t)random_below(state, 4),
                                  .times = random_below(state, 2) ? WATCH_ALWAYS : 2};
}

static void step(uint64_t *state, struct watch *watch, struct model *model, uint64_t seed)
{
    struct watch_request request = any_request(state);
    struct told told, wanted;
    switch (random_below(state, 6)) {
    case 0:
        watch_cancel(watch, &request);
        for (int i = 0; i < model->n; i++)
            if (model->request[i].asker == request.asker &&
                model->request[i].what == request.what && model->request[i].tag == request.tag &&
                (!request.about || model->request[i].about == request.about))
                model_drop(model, i--);
        break;
    case 1:
        watch_forget(watch, request.asker);
        for (int i = 0; i < model->n; i++)
            if (model->request[i].asker == request.asker)
                model_drop(model, i--);
        break;
    case 2:
        event(watch, request.what, request.about + 1, &told);
        model_event(model, request.what, request.about + 1, &wanted);
        cr_assert_eq(told.n, wanted.n, "seed %lu", (unsigned long)seed);
        for (int i = 0; i < told.n; i++)
            cr_assert_eq(told.request[i].asker, wanted.request[i].asker, "seed %lu",
                         (unsigned long)seed);
        break;
    default:
        if (model->n == MOST)
            return;
        cr_assert_eq(watch_add(watch, &request), HN_OK);
        model->request[model->n++] = request;
    }
    cr_assert_eq(watch->n, (size_t)model->n, "seed %lu", (unsigned long)seed);
}

Test(watch, as_a_plain_model)
{
    for (uint64_t seed = random_seed(), last = seed + 2000; seed < last; seed++) {
        uint64_t state = seed;
        struct watch watch = {0};
        struct model model = {0};
        for (int i = 0; i < 60; i++)
            step(&state, &watch, &model, seed);
        watch_free(&watch);
    }
}
