/* pvm_receive.c - receiving and probing, and the program's own matching function (pvm_recvf()).
 *
 * hnow receives a message or describes it, but PVM returns the buffer of a message that was only
 * probed.  So a probe receives all messages from hnow, up to the wanted one, into a list, and
 * receives search this list first.  Messages in the list arrived before those still in hnow, so
 * their order is preserved.  As in PVM, such messages take as much memory as they need.
 *
 * A receive of hnow fails with HN_EDEAD if no task is left that could send.  A call without a time
 * limit then returns PvmNoTask; all others find no message when their time is up.  PVM would block
 * for ever, and many programs ignore the error.  So a program that repeats the same receive many
 * times after that error is terminated.
 *
 * A receive that matches no message in the list takes its message from hnow, and leaves others
 * there. So a program that never probes has an empty list, and pays nothing for it.
 *
 * The list is common to all threads and contexts. Probing and the program's own function move
 * messages to it; a receive, a new handler or pvm_exit() takes them out. So does the program, if
 * it frees the buffer.
 */
#include "vm.h"

#include <limits.h>
#include <stdlib.h>
#include <time.h>

/* Messages that have left hnow, but were not received by the program yet. */
static struct {
    int *kept; /* numbers of buffers, in order of arrival */
    int n, room;
    int (*match)(int buffer, int tid, int tag); /* NULL: by source and tag */
    int vain, vain_tid, vain_tag; /* failures in a row of this receive because no sender was left */
} arrivals;

/* Receives in a row that fail with PvmNoTask, for the same task and tag, before the program is
 * terminated.  PVM would block there; a program that ignores the error would repeat it for ever. */
enum { MOST_IN_VAIN = 100 };

bool vm_program_matches(void)
{
    return arrivals.match;
}

/* Only -1 is a wildcard. */
bool vm_names_source(int tid, int tag)
{
    return (tid > 0 || tid == HN_ANY) && tag >= HN_ANY;
}

/* ---- the list ----------------------------------------------------------------------------- */

/* Makes room for one more entry.  Returns false if out of memory. */
static bool make_room(void)
{
    /* Doubled, so adding is constant on average. */
    int room = arrivals.room ? 2 * arrivals.room : 16;
    int *more;

    if (arrivals.n < arrivals.room)
        return true;
    more = realloc(arrivals.kept, sizeof *more * (size_t)room);
    if (!more)
        return false;
    arrivals.kept = more;
    arrivals.room = room;
    return true;
}

/* Removes a message from the list.  Unpacking starts at its beginning, since the program may have
 * read from the buffer. */
static int take_out(int place)
{
    int id = arrivals.kept[place];

    if (vm_buffer(id))
        hn_buffer_rewind(vm_buffer(id)->data);
    arrivals.n--;
    /* The others keep their order, which costs time in proportion to the list. */
    for (int i = place; i < arrivals.n; i++)
        arrivals.kept[i] = arrivals.kept[i + 1];
    return id;
}

/* The program may have freed a buffer that it has only probed. From the end, so that removals do
 * not move entries still to be checked. */
static void forget_freed(void)
{
    for (int i = arrivals.n - 1; i >= 0; i--)
        if (!vm_buffer(arrivals.kept[i]))
            take_out(i);
}

/* A buffer has the context in which it was received, unless the program has changed that. */
static bool fits(int id, int tid, int tag, int context)
{
    const struct vm_buffer *buffer = vm_buffer(id);

    return (context == VM_ANY_CONTEXT || buffer->context == context) &&
           (tid == HN_ANY || buffer->from == tid) && (tag == HN_ANY || buffer->tag == tag);
}

/* Returns the index of the first matching message in the list; -1: none. */
static int find(int tid, int tag, int context)
{
    forget_freed();
    for (int i = 0; i < arrivals.n; i++)
        if (fits(arrivals.kept[i], tid, tag, context))
            return i;
    return -1;
}

/* The buffer belongs to the caller from now on, and no probe returns it any more. */
int vm_kept(int tid, int tag, int context)
{
    int place = find(tid, tag, context);

    return place < 0 ? 0 : take_out(place);
}

/* ---- receiving from hnow ------------------------------------------------------------------ */

/* Receives the next matching message.  Returns its buffer, or hnow's result. The lock is released
 * while it waits, so the buffer is found anew afterwards by its number. */
static int pull(int tid, int tag, int milliseconds)
{
    /* The buffer must exist before the message comes, as hnow fills it. */
    int id = vm_buffer_new(PvmDataDefault, NULL), result;
    struct vm_buffer *buffer = vm_buffer(id);
    hn_info info;

    if (id < 0)
        return HN_ENOMEM;
    hn_buffer *data = buffer->data;
    VM_WAIT(result = hn_recv_buffer(tid, tag, milliseconds, data, &info));
    /* Also after a failure: the descriptor may announce what another thread has taken. */
    vm_descriptor_reset();
    if (result != HN_OK) {
        vm_buffer_free(id);
        return result;
    }
    buffer = vm_buffer(id);
    buffer->from = info.from;
    buffer->tag = info.tag;
    /* At most one of the two changes the message. */
    vm_notification_convert(buffer, &info);
    vm_output_convert(buffer, &info);
    return id;
}

/* Receives the next message into the list.  Returns its buffer, or hnow's result. Room is made
 * first: a message without room would be lost. */
static int keep_next(int milliseconds)
{
    int id = make_room() ? pull(HN_ANY, HN_ANY, milliseconds) : HN_ENOMEM;

    if (id > 0 && !make_room()) { /* a handler has added others meanwhile */
        vm_buffer_free(id);
        return HN_ENOMEM;
    }
    if (id > 0)
        arrivals.kept[arrivals.n++] = id;
    return id;
}

/* All that have arrived, without waiting. */
static void keep_all(void)
{
    while (keep_next(0) > 0)
        ;
}

/* Messages in the list are dropped in all contexts. */
void vm_forget_messages(void)
{
    int id;

    /* In the current context also those that hnow still has. */
    keep_all();
    while ((id = vm_kept(HN_ANY, HN_ANY, VM_ANY_CONTEXT)) > 0)
        vm_buffer_free(id);
}

/* Receives messages into the list, up to the first match.  Returns its index, or -1. A message that
 * does not match stays in the list for later receives. */
static int find_among_all(int tid, int tag)
{
    int place = find(tid, tag, vm_context());

    while (place < 0) {
        /* The order of arrival is that of the list, so a match is always its last entry. */
        int id = keep_next(0);
        if (id <= 0)
            return -1;
        if (fits(id, tid, tag, vm_context()))
            place = arrivals.n - 1;
    }
    return place;
}

/* ---- time --------------------------------------------------------------------------------- */

/* Monotonic, in milliseconds, so that a change of the clock does not matter. */
static int64_t now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* A signal does not shorten it. */
static void sleep_until(int64_t end)
{
    int64_t left;

    while ((left = end - now()) > 0)
        nanosleep(&(struct timespec){left / 1000, left % 1000 * 1000000}, NULL);
}

/* Returns the remaining time; without limit if milliseconds is negative. */
static int time_left(int milliseconds, int64_t end)
{
    int64_t left = end - now();

    return milliseconds < 0 ? milliseconds : left > 0 ? (int)left : 0;
}

/* Returns PVM's result if hnow has no message: see the comment at the top. */
static int nothing(int result, int milliseconds, int64_t end)
{
    /* A poll finds no message; whether there could be one does not matter. */
    bool in_vain = result == HN_EDEAD || result == HN_ENOTASK;

    if (result == HN_ETIMEOUT || (in_vain && milliseconds == 0))
        return 0;
    if (!in_vain || milliseconds < 0)
        return vm_result(result);
    /* A program that waits with a time limit expects that the time passes. */
    VM_WAIT(sleep_until(end));
    return 0;
}

/* ---- the program's matching function ------------------------------------------------------ */

/* Returns the index of the message that the program's function selects; -1: none, or its error. */
static int choose(int tid, int tag, int *error)
{
    int best = -1, highest = 0;

    forget_freed();
    for (int i = 0; i < arrivals.n; i++) {
        int rank;
        if (vm_buffer(arrivals.kept[i])->context != vm_context())
            continue;
        /* Called under the lock. The function may use the library, but must not free the buffer. */
        rank = arrivals.match(arrivals.kept[i], tid, tag);
        /* An error ends the search, also if an earlier message was good. */
        if (rank < 0)
            *error = rank;
        if (rank == 1)
            return i;
        if (rank < 0)
            break;
        /* Of equal ranks the oldest message counts. */
        if (rank > highest) {
            highest = rank;
            best = i;
        }
    }
    return best;
}

/* The function sees all messages that have arrived, and each new one. */
static int receive_chosen(int tid, int tag, int milliseconds, int64_t end)
{
    for (;;) {
        int id, place, error = 0;
        keep_all();
        /* Again over all, as the answer may depend on what has arrived. */
        place = choose(tid, tag, &error);
        if (error < 0)
            return error;
        if (place >= 0)
            return take_out(place);
        /* Every new message wakes the call, which then asks the function about all of them. */
        id = keep_next(time_left(milliseconds, end));
        if (id <= 0)
            return nothing(id, milliseconds, end);
    }
}

/* ---- receiving ---------------------------------------------------------------------------- */

int vm_receive(int tid, int tag, int milliseconds)
{
    /* Not needed for a poll, or without a limit. */
    int64_t end = milliseconds > 0 ? now() + milliseconds : 0;
    int id;

    if (arrivals.match) /* the program's function interprets tid and tag */
        return receive_chosen(tid, tag, milliseconds, end);
    if (!vm_names_source(tid, tag)) /* in PVM an impossible source or tag is a bad parameter */
        return milliseconds < 0 ? PvmBadParam : nothing(HN_EDEAD, milliseconds, end);
    id = vm_kept(tid, tag, vm_context());
    if (id > 0)
        return id;
    /* Messages that do not match stay in hnow. */
    id = pull(tid, tag, milliseconds);
    return id > 0 ? id : nothing(id, milliseconds, end);
}

/* Any other result starts the count anew. */
static void count_vain(int id, int tid, int tag)
{
    if (id != PvmNoTask || tid != arrivals.vain_tid || tag != arrivals.vain_tag)
        arrivals.vain = 0;
    arrivals.vain_tid = tid;
    arrivals.vain_tag = tag;
    /* Only failures count. */
    if (id != PvmNoTask || ++arrivals.vain < MOST_IN_VAIN)
        return;
    fprintf(stderr,
            "libpvm [t%x]: ends: it waits again and again for a message that nobody sends\n",
            (unsigned)hn_mytid());
    exit(1);
}

/* The current receive buffer is freed first, whatever arrives. */
static int receive_current(int tid, int tag, int milliseconds)
{
    int id;

    vm_buffer_free(vm_thread.receive);
    id = vm_receive(tid, tag, milliseconds);
    count_vain(id, tid, tag);
    if (id > 0)
        vm_set_receive(id);
    return id;
}

/* Rounded up, so that a short time is not a poll. */
static int milliseconds_of(const struct timeval *time)
{
    int64_t ms;

    if (!time)
        return -1;
    ms = (int64_t)time->tv_sec * 1000 + (time->tv_usec + 999) / 1000;
    return ms < 0 ? 0 : ms > INT_MAX ? INT_MAX : (int)ms;
}

/* Returns the buffer, which stays in the list. */
static int look(int tid, int tag)
{
    int place, error = 0;

    if (arrivals.match) {
        keep_all();
        place = choose(tid, tag, &error);
    } else {
        place = find_among_all(tid, tag);
    }
    return error < 0 ? error : place < 0 ? 0 : arrivals.kept[place];
}

/* Blocks until a message matches. PvmNoTask: no task is left that could send one. In PVM the call
 * never returns then. */
int pvm_recv(int tid, int tag)
{
    return VM_CALL(receive_current(tid, tag, -1));
}

/* Result 0: no message. That is the result also if the sender has ended. */
int pvm_nrecv(int tid, int tag)
{
    return VM_CALL(receive_current(tid, tag, 0));
}

/* Time 0 is a poll, and so is a negative one. */
int pvm_trecv(int tid, int tag, struct timeval *time)
{
    return VM_CALL(receive_current(tid, tag, milliseconds_of(time)));
}

/* The returned buffer may be passed to pvm_bufinfo(). A receive with the same arguments returns the
 * same buffer. */
int pvm_probe(int tid, int tag)
{
    return VM_CALL(look(tid, tag));
}

/* The default matching function, which the program may call. */
static int match_as_usual(int id, int tid, int tag)
{
    const struct vm_buffer *buffer = vm_buffer(id);

    return buffer && (tid == -1 || tid == buffer->from) && (tag == -1 || tag == buffer->tag);
}

int (*pvm_recvf(int (*match)(int buffer, int tid, int tag)))(int, int, int)
{
    /* Setting the default function again ends the search by function, which costs more. */
    int (*before)(int, int, int) = arrivals.match;

    arrivals.match = match == match_as_usual ? NULL : match;
    return before ? before : match_as_usual;
}
