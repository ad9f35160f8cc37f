/* Leader and follower: whoever looks again before it sleeps, and works without the lock in between,
 * may come back to a loop that another thread leads now. */
#include "engine.h"
#include "hnow.h"

#include <criterion/criterion.h>
#include <time.h>

struct looker {
    struct engine engine;
    int looks;
    bool led; /* the background thread has taken the lead while this one worked */
};

static void pause_for(long ns)
{
    nanosleep(&(struct timespec){.tv_nsec = ns}, NULL);
}

static bool never(void *arg)
{
    const struct looker *l = arg;

    cr_assert(!l->engine.polling || l->engine.led, "a thread polls and nobody leads");
    return false;
}

/* The first time it works for so long, without the lock, that the background thread leads on. */
static bool work_once(void *arg)
{
    struct looker *l = arg;
    struct engine *e = &l->engine;

    for (int i = 0; l->looks == 0 && i < 1000 && !l->led; i++) {
        engine_step_out(e);
        pause_for(5000000);
        engine_enter(e);
        l->led = e->background_leads && e->polling;
    }
    l->looks++;
    return false;
}

enum { ROUNDS = 20, WAIT = 20000000 /* ns */ };

/* Several times: a core that others keep too long in the first moment ends the looking early. */
Test(engine, who_has_worked_follows_whoever_leads_now)
{
    static struct looker looker;
    struct engine *e = &looker.engine;
    int rounds = 0;

    cr_assert_eq(engine_init(e), HN_OK);
    cr_assert_eq(engine_start(e), HN_OK);
    for (int i = 0; i < ROUNDS; i++) {
        pause_for(1000000);
        engine_enter(e);
        engine_look(e); /* nobody else leads when it begins to wait */
        e->tired = 0;
        e->typical = 0;
        e->offers = ENGINE_OFFERS; /* it offers the core after each look */
        looker.looks = 0;
        looker.led = false;
        cr_assert_eq(engine_wait_soon(e, never, work_once, &looker, engine_now() + WAIT),
                     HN_ETIMEOUT);
        rounds += looker.led;
        engine_leave(e, false);
    }
    cr_assert_gt(rounds, 0);
    engine_stop(e);
    engine_destroy(e);
}
