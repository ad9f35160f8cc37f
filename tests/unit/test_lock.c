/* The lock of the task context: nobody is inside together with another thread, nobody waits for
 * ever, and the favourite's short way is taken. */
#include "engine/lock.h"
#include "random.h"

#include <criterion/criterion.h>
#include <time.h>

enum { OTHERS = 3, VISITS = 200, ENTRIES = 20 * LOCK_ROW };

struct shared_state {
    struct lock lock;
    /* guarded by it */
    uint64_t count, copy; /* equal outside */
    bool broken;
    /* not */
    atomic_int visiting; /* others that are not done */
    uint64_t seed;
};

static void visit(struct shared_state *s)
{
    lock_enter(&s->lock);
    s->broken |= s->count != s->copy;
    s->count++;
    atomic_signal_fence(memory_order_seq_cst); /* both are really written, one after the other */
    s->copy++;
    lock_leave(&s->lock);
}

static void pause_for(uint64_t ns)
{
    nanosleep(&(struct timespec){.tv_nsec = (long)ns}, NULL);
}

static void *other(void *arg)
{
    struct shared_state *s = arg;
    uint64_t seed = __atomic_fetch_add(&s->seed, 1, __ATOMIC_RELAXED);

    for (int i = 0; i < VISITS; i++) {
        pause_for(random_below(&seed, 300000));
        for (uint64_t n = random_below(&seed, 3) + 1; n > 0; n--)
            visit(s);
    }
    atomic_fetch_sub(&s->visiting, 1);
    return NULL;
}

Test(lock, nobody_is_inside_together_with_another_thread)
{
    static struct shared_state s = {.visiting = OTHERS, .seed = 7};
    pthread_t thread[OTHERS];
    uint64_t mine = 0, opened = 0, seed = 1;

    lock_init(&s.lock);
    for (int i = 0; i < OTHERS; i++)
        cr_assert_eq(pthread_create(&thread[i], NULL, other, &s), 0);
    while (atomic_load(&s.visiting) > 0 || mine < ENTRIES) {
        visit(&s);
        mine++;
        opened += atomic_load(&s.lock.open);
        if (random_below(&seed, 20000) == 0)
            pause_for(50000);
    }
    for (int i = 0; i < OTHERS; i++)
        pthread_join(thread[i], NULL);
    cr_assert(!s.broken);
    cr_assert_eq(s.count, s.copy);
    cr_assert_geq(s.count, mine + OTHERS * VISITS);
    cr_assert(opened > 0 || !s.lock.can_open);
    lock_destroy(&s.lock);
}

static void *come_in(void *arg)
{
    struct shared_state *s = arg;

    lock_enter(&s->lock);
    s->count++;
    lock_leave(&s->lock);
    return NULL;
}

Test(lock, who_waits_for_the_favourite_is_woken)
{
    struct shared_state s = {0};
    pthread_t thread;

    lock_init(&s.lock);
    for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 2 * LOCK_ROW; i++)
            visit(&s);
        cr_assert_eq(atomic_load(&s.lock.open), s.lock.can_open);
        lock_enter(&s.lock);
        cr_assert_eq(pthread_create(&thread, NULL, come_in, &s), 0);
        pause_for(2000000); /* it sleeps by now */
        s.copy++;
        lock_leave(&s.lock);
        pthread_join(thread, NULL);
        cr_assert_eq(s.count, s.copy);
        cr_assert_eq(atomic_load(&s.lock.open), 0);
    }
    lock_destroy(&s.lock);
}

Test(lock, each_lock_has_a_favourite_of_its_own)
{
    struct lock a, b;

    lock_init(&a);
    lock_init(&b);
    cr_assert_neq(a.number, b.number);
    for (int i = 0; i < 2 * LOCK_ROW; i++) {
        lock_enter(&a);
        lock_leave(&a);
    }
    cr_assert_eq(atomic_load(&a.open), 0); /* this thread is b's now */
    lock_destroy(&a);
    lock_destroy(&b);
}
