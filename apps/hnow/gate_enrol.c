/* gate_enrol.c - makes programs started by hand tasks; see gate.h.
 *
 * A program's request waits until the stand-in that is spawned for it offers its descriptors.
 *
 * Two requests meet here, each in its own thread.  The program's thread enters its request in the
 * list, spawns the stand-in, and waits.  The stand-in's thread finds the request by its number and
 * sends the descriptors directly over the program's connection.
 *
 * The program therefore gets its answer from the other thread.  The lock is held while it is sent,
 * so that the entry, which is on the waiting thread's stack, remains valid.
 */
#include "gate.h"

#include "runtime/internal.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

/* seconds; starting a stand-in takes milliseconds. Afterwards the program gets an error. */
enum { OFFER_SECONDS = 10 };

/* A waiting request.  It is on the stack of its thread, and in the list between two sections under
 * the lock. */
struct entry {
    int id, connection;
    bool served;
    struct entry *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t offered = PTHREAD_COND_INITIALIZER;
static struct entry *entries;

/* Waits for the offer; called with the lock held. */
static void await_offer(struct entry *entry)
{
    struct timespec limit;

    clock_gettime(CLOCK_MONOTONIC, &limit);
    limit.tv_sec += OFFER_SECONDS;
    while (!entry->served && pthread_cond_clockwait(&offered, &mutex, CLOCK_MONOTONIC, &limit) == 0)
        ;
}

/* Spawns on this host a stand-in that offers for request `id`.  Returns the number of tasks
 * started, which is 1, or an error. */
static int spawn_stand_in(int id, pid_t program)
{
    char number[16], pid[16];
    const char *argv[] = {"stand-in", number, pid, NULL};
    /* the parent is the gate, which PVM's pvm_parent() must not return */
    const char *environment[] = {"HNOW_PVM_NO_PARENT=1", NULL};
    const hn_place place = {.host = ".", .env = environment};

    snprintf(number, sizeof number, "%d", id);
    snprintf(pid, sizeof pid, "%d", (int)program);
    return hn_spawn("hnow", argv, 1, &place, NULL);
}

/* Blocks its thread for at most OFFER_SECONDS after the spawn.  Without an offer the entry is
 * removed, so that a late offer finds nothing and its stand-in ends with status 1. */
void gate_enrol(int connection, FILE *out)
{
    struct entry entry = {.id = gate_new_id(), .connection = connection}, **at = &entries;
    struct ucred who;
    socklen_t size = sizeof who;

    getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &who, &size);
    pthread_mutex_lock(&mutex);
    entry.next = entries;
    entries = &entry;
    pthread_mutex_unlock(&mutex);
    int started = spawn_stand_in(entry.id, who.pid);
    pthread_mutex_lock(&mutex);
    if (started == 1)
        await_offer(&entry);
    while (*at != &entry)
        at = &(*at)->next;
    *at = entry.next;
    pthread_mutex_unlock(&mutex);
    /* Otherwise gate_offer() has answered. */
    if (!entry.served)
        fprintf(out, "1\n%s\n", started == 1 ? "its stand-in gives no answer" : hn_error_text());
}

/* Passes a stand-in's offer to the waiting program.  The answer to the program begins with the
 * digit 0 and all three descriptors; the environment variables follow (runtime/job/adopted.c).  The
 * stand-in gets status 0 only when the program could be reached. */
void gate_offer(const struct words *words, const int descriptors[3], FILE *out)
{
    int id = words->n > 1 ? atoi(words->word[1]) : 0;
    struct entry *entry;

    pthread_mutex_lock(&mutex);
    for (entry = entries; entry && entry->id != id; entry = entry->next)
        ;
    if (entry && !entry->served && descriptors[2] >= 0 &&
        machine_send(entry->connection, "0", 1, descriptors, 3) == HN_OK) {
        for (int i = 2; i < words->n; i++)
            machine_send(entry->connection, words->word[i], strlen(words->word[i]) + 1, NULL, 0);
        entry->served = true;
    }
    bool served = entry && entry->served;
    pthread_cond_broadcast(&offered);
    pthread_mutex_unlock(&mutex);
    fprintf(out, "%d\n", served ? 0 : 1);
}
