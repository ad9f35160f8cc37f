/* test_doorbell.c - a thread that sleeps between what another one does is woken each time it has to
 * be. A bell that does not ring leaves the sleeper asleep for ever, and the test runs into its
 * limit.
 */
#include "transport/doorbell.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

enum { ROUNDS = 100000 };

struct bed {
    struct doorbell bell;
    struct ringer ringer;
    bool ringer_joined;
    _Atomic unsigned done; /* what the ringer has done */
    _Atomic unsigned seen;
    sem_t rings;
    unsigned rung;
};

/* Now and then it waits until all has been seen, so that the sleeper does sleep. */
static void *ring_on(void *arg)
{
    struct bed *b = arg;

    for (unsigned i = 1; i <= ROUNDS; i++) {
        atomic_store_explicit(&b->done, i, memory_order_release);
        if (doorbell_needed(&b->bell, &b->ringer, b->ringer_joined)) {
            b->rung++;
            sem_post(&b->rings);
        }
        while (i % 64 == 0 && atomic_load(&b->seen) < i)
            sched_yield();
    }
    return NULL;
}

static void sleep_until(struct bed *b, unsigned seen)
{
    doorbell_ask(&b->bell);
    if (doorbell_is_plain(&b->bell))
        doorbell_barrier();
    if (atomic_load(&b->done) != seen)
        doorbell_decline(&b->bell);
    else
        sem_wait(&b->rings);
}

static void run(bool sleeper_joined, bool ringer_joined)
{
    struct bed b = {.ringer_joined = ringer_joined};
    unsigned seen = 0;
    pthread_t ringer;

    sem_init(&b.rings, 0, 0);
    doorbell_start(&b.bell, sleeper_joined);
    pthread_create(&ringer, NULL, ring_on, &b);
    while (seen < ROUNDS) {
        unsigned now = atomic_load_explicit(&b.done, memory_order_acquire);
        if (now == seen)
            sleep_until(&b, seen);
        seen = now;
        atomic_store(&b.seen, seen);
    }
    pthread_join(ringer, NULL);
    cr_assert_eq(seen, (unsigned)ROUNDS);
    sem_destroy(&b.rings);
}

Test(doorbell, nobody_sleeps_for_ever)
{
    run(false, false);
}

Test(doorbell, nor_where_the_ringer_does_not_fence)
{
    bool joined = doorbell_join();

    run(joined, joined);
    run(true, false);
    run(false, joined);
}

/* Who has had to ring fences again; who has not for long does not. */
Test(doorbell, quiet_ringers_are_plain)
{
    struct doorbell bell = {0};
    struct ringer ringer = {0};

    doorbell_start(&bell, true);
    for (int i = 0; i < DOORBELL_QUIET; i++) {
        cr_assert(!doorbell_is_plain(&bell));
        cr_assert(!doorbell_needed(&bell, &ringer, true));
    }
    cr_assert(doorbell_is_plain(&bell));
    doorbell_ask(&bell);
    cr_assert(doorbell_needed(&bell, &ringer, true));
    cr_assert(!doorbell_needed(&bell, &ringer, true), "it asks once");
    cr_assert(!doorbell_is_plain(&bell));
}
