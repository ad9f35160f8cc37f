/* Leader and follower: whoever looks again before it sleeps, and works without the lock in between,
 * may come back to a loop that another thread leads now. */
#include "engine/engine.h"
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
        pause_for(3 * ENGINE_TICK_MOST * 1000000L);
        engine_enter(e);
        l->led = e->background_leads && e->polling;
    }
    l->looks++;
    return false;
}

enum { ROUNDS = 20, WAIT = 20000000 /* ns */ };

/* Several times: others may keep the core for so long that it looks only once. */
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
        e->spin.sleeps = false;
        e->spin.typical = 0;
        e->spin.offers = ENGINE_OFFERS; /* it offers the core after each look */
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

/* A caller that computes for a while, then wants the lead, which the background thread has. */
static void compute_and_call(struct engine *e)
{
    for (bool led = false; !led;) {
        pause_for(1000000);
        lock_enter(&e->lock);
        led = e->background_leads && e->polling;
        lock_leave(&e->lock);
    }
    engine_enter(e);
    engine_yield(e, 1000000000);
    engine_leave(e, false);
}

static void on_message(struct ev_loop *loop, ev_timer *w, int events)
{
    (void)w;
    (void)events;
    ((struct engine *)ev_userdata(loop))->background.helped++;
}

/* The tick after so many more times of computing: they are learned from before the next begins. */
static unsigned tick_after(struct engine *e, int times)
{
    unsigned tick;

    for (int i = 0; i < times; i++)
        compute_and_call(e);
    pause_for(1000000);
    lock_enter(&e->lock);
    tick = e->background.tick;
    lock_leave(&e->lock);
    return tick;
}

Test(engine, takes_over_later_where_that_has_helped_nobody)
{
    static struct engine engine;
    struct engine *e = &engine;
    ev_timer message;

    cr_assert_eq(engine_init(e), HN_OK);
    cr_assert_eq(engine_start(e), HN_OK);
    cr_assert_eq(e->background.tick, ENGINE_TICK);
    cr_assert_eq(tick_after(e, 6), ENGINE_TICK_MOST);

    engine_enter(e);
    ev_timer_init(&message, on_message, 0.001, 0);
    ev_timer_start(e->loop, &message);
    engine_leave(e, false);
    pause_for(100000000); /* it comes while the background thread leads */
    cr_assert_eq(tick_after(e, 1), ENGINE_TICK);

    engine_stop(e);
    engine_destroy(e);
}

/* How often the background thread wakes up while a caller leaves again and again, for 0.4 s, and so
 * many activities are under way. */
static unsigned ticks_while_called(unsigned activities)
{
    struct engine engine = {.under_way = activities}, *e = &engine;
    uint64_t end;

    cr_assert_eq(engine_init(e), HN_OK);
    engine_enter(e); /* so that it does not begin by leading */
    engine_leave(e, false);
    cr_assert_eq(engine_start(e), HN_OK);
    for (end = engine_now() + 400000000; engine_now() < end; pause_for(100000)) {
        engine_enter(e);
        engine_leave(e, false);
    }
    engine_stop(e);
    engine_destroy(e);
    return e->background.ticks;
}

enum { FEW = 400 / ENGINE_TICK_MOST + 16 };

Test(engine, wakes_up_seldom_while_calls_come)
{
    unsigned ticks = ticks_while_called(0);

    cr_assert_leq(ticks, FEW, "%u ticks", ticks);
}

/* On a busy machine it may be late, but not each time. */
Test(engine, wakes_up_soon_while_activities_go_on)
{
    unsigned ticks = 0;

    for (int round = 0; round < ROUNDS && ticks <= FEW; round++)
        ticks = ticks_while_called(1);
    cr_assert_gt(ticks, FEW, "%u ticks", ticks);
}

/* ---- patient callers ---------------------------------------------------------------------- */

struct patient_engine {
    struct engine engine;
    pthread_t server, caller;
    _Atomic int turns; /* iterations of the loop that the caller has led */
    bool asked;
    int served; /* result of the server's wait */
};

static bool count_turn(void *arg, bool before_sleep)
{
    struct patient_engine *p = arg;

    (void)before_sleep;
    p->turns += pthread_equal(pthread_self(), p->caller) != 0;
    return false;
}

static bool is_asked(void *arg)
{
    return ((struct patient_engine *)arg)->asked;
}

static void *serve(void *arg)
{
    struct patient_engine *p = arg;

    engine_enter(&p->engine);
    p->served = engine_wait_soon(&p->engine, is_asked, is_asked, p, engine_now() + 10000000000);
    engine_leave(&p->engine, false);
    return NULL;
}

/* Waits until a caller leads. */
static bool is_led(struct engine *e)
{
    bool leads = false;

    for (int i = 0; i < 1000 && !leads; i++) {
        pause_for(1000000);
        lock_enter(&e->lock);
        leads = e->polling && !e->background_leads;
        lock_leave(&e->lock);
    }
    return leads;
}

Test(engine, a_caller_that_waits_for_long_leaves_the_lead_to_others)
{
    static struct patient_engine patient;
    struct patient_engine *p = &patient;
    struct engine *e = &p->engine;

    p->caller = pthread_self();
    cr_assert_eq(engine_init(e), HN_OK);
    e->turn = count_turn;
    e->turn_arg = p;
    cr_assert_eq(engine_start(e), HN_OK);
    cr_assert_eq(pthread_create(&p->server, NULL, serve, p), 0);
    cr_assert(is_led(e));
    pause_for(2 * ENGINE_PATIENT);

    /* A busy machine may not run the server within a single wait. */
    for (int i = 0; i < 500 && p->turns == 0; i++) {
        engine_enter(e);
        cr_assert_eq(engine_wait(e, is_asked, p, engine_now() + 20000000), HN_ETIMEOUT);
        engine_leave(e, false);
    }
    cr_assert_gt(p->turns, 0, "the server led while another caller waited");
    cr_assert(is_led(e), "the server does not lead again");

    engine_enter(e);
    p->asked = true;
    engine_changed(e);
    engine_leave(e, false);
    pthread_join(p->server, NULL);
    cr_assert_eq(p->served, HN_OK);
    engine_stop(e);
    engine_destroy(e);
}
