/* mpi_service.c - the thread that serves windows (mpi_service.h).
 *
 * Requests and their data travel in CONTEXT_SERVICE, replies in CONTEXT_SERVICE_REPLIES. So a task
 * can wait for a reply while its own thread receives requests.
 *
 * The thread is the only receiver in CONTEXT_SERVICE. A request with data is therefore followed
 * by its data without interference, although many origins send at the same time: the tag is the
 * request's id, and the sender is named.
 * Functions that send may be called from any thread, those that receive data only from the
 * service thread, except service_await_word() and service_post_reply().
 */
#include "window/mpi_service.h"

#include "message/mpi_request.h"

#include <pthread.h>
#include <signal.h>

/* Requests have tag 0; their data and replies have the request's id as tag. */
enum { TAG_REQUEST = 0, ID_FIRST = 1, ID_LAST = 0x7fffffff };

/* Guards `runs` only. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool runs;
static unsigned last_id;

/* ---- messages ------------------------------------------------------------------------------- */

/* Cyclic, from 1 on; 0 is the tag of requests. An id is used again after 2^31 requests. */
int service_id(void)
{
    return ID_FIRST + (int)(__atomic_fetch_add(&last_id, 1, __ATOMIC_RELAXED) % (ID_LAST - 1));
}

/* bytes -1 (data in a message of its own) sends no data here. */
int service_send(hn_tid to, const struct service_message *m)
{
    /* Only the used part of `data` is sent. Most requests need 88 bytes of the struct's 216. */
    size_t head = offsetof(struct service_message, data) / sizeof(int64_t);
    size_t data = m->bytes > 0 ? ((size_t)m->bytes + sizeof(int64_t) - 1) / sizeof(int64_t) : 0;

    return IN_CONTEXT(CONTEXT_SERVICE, hn_send(to, TAG_REQUEST, m, head + data, HN_INT64));
}

/* The receiver takes it with service_receive_data() and the same id. */
int service_send_data(hn_tid to, int id, const struct wire *w)
{
    return IN_CONTEXT(CONTEXT_SERVICE, hn_send(to, id, w->data, w->count, w->type));
}

/* For long data: hnow reads the buffer until the request ends. */
int service_start_data(hn_tid to, int id, const struct wire *w, hn_request **request)
{
    return IN_CONTEXT(CONTEXT_SERVICE, hn_isend(to, id, w->data, w->count, w->type, request));
}

int service_send_words(hn_tid to, int id, const int64_t *words, size_t n)
{
    return IN_CONTEXT(CONTEXT_SERVICE, hn_send(to, id, words, n, HN_INT64));
}

/* An empty w is a reply, too: it reports a rejected access. */
int service_reply(hn_tid to, int id, const struct wire *w)
{
    return IN_CONTEXT(CONTEXT_SERVICE_REPLIES, hn_send(to, id, w->data, w->count, w->type));
}

int service_reply_word(hn_tid to, int id, int64_t word)
{
    return IN_CONTEXT(CONTEXT_SERVICE_REPLIES, hn_send(to, id, &word, 1, HN_INT64));
}

int service_receive_data(hn_tid from, int id, struct wire *w, hn_info *info)
{
    /* Cut: what exceeds the room is dropped with HN_ETRUNC, so that a rejected access leaves no
     * message. */
    return IN_CONTEXT(CONTEXT_SERVICE, hn_recv_cut(from, id, w->data, w->count, w->type, info));
}

int service_receive_words(hn_tid from, int id, int64_t *words, size_t n)
{
    return IN_CONTEXT(CONTEXT_SERVICE, hn_recv(from, id, words, n, HN_INT64, NULL));
}

/* Any thread may call it; only the thread that has the id waits for this reply. */
int service_await_word(hn_tid from, int id, int64_t *word, int milliseconds)
{
    return IN_CONTEXT(CONTEXT_SERVICE_REPLIES,
                      milliseconds < 0
                          ? hn_recv(from, id, word, 1, HN_INT64, NULL)
                          : hn_recv_timeout(from, id, word, 1, HN_INT64, milliseconds, NULL));
}

int service_post_reply(hn_tid from, int id, struct wire *w, hn_request **request)
{
    return IN_CONTEXT(CONTEXT_SERVICE_REPLIES,
                      hn_irecv_cut(from, id, w->data, w->count, w->type, request));
}

/* ---- the thread ----------------------------------------------------------------------------- */

/* Milliseconds between two checks for other tasks when all have ended: the program may start
 * some. */
enum { LOOK_EVERY = 100 };

/* Receives the next request.  Errors of a single message, and failures of members, are not errors
 * here. After HN_EDEAD every other task has ended; receiving from itself for LOOK_EVERY is only a
 * way to wait for that time. */
static int next(struct service_message *m, hn_info *info)
{
    size_t words = sizeof *m / sizeof(int64_t);
    int result;

    do {
        result = hn_recv_cut(HN_ANY, TAG_REQUEST, m, words, HN_INT64, info);
        /* The wait ends early if this task sends itself a request, which it never does. */
        if (result == HN_EDEAD)
            result = hn_recv_timeout(hn_mytid(), TAG_REQUEST, m, words, HN_INT64, LOOK_EVERY, info);
        if (result == HN_ENOMEM) /* until the program has received pending messages */
            request_pause();
    } while (result == HN_ETIMEOUT || result == HN_ENOMEM || result == HN_ETRUNC);
    return result;
}

/* The thread.  It ends when the task leaves the job: MPI programs make windows again and again. The
 * context belongs to the thread, so it is set once. */
static void *serve(void *unused)
{
    struct service_message m;
    hn_info info;
    (void)unused;

    hn_set_context(CONTEXT_SERVICE);
    while (next(&m, &info) == HN_OK)
        win_serve(info.from, &m);
    return NULL;
}

/* Blocks signals, which are meant for the program's threads. */
static int start(pthread_t *started, void *(*body)(void *), void *arg)
{
    sigset_t all, before;

    /* A new thread inherits the mask. With all signals blocked, handlers of the program never
     * run in a thread that it does not know. */
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int result = pthread_create(started, NULL, body, arg);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result == 0 ? HN_OK : HN_ENOMEM;
}

/* Detached, because nothing waits for its end. */
int service_thread(void *(*body)(void *), void *arg)
{
    pthread_t started;
    int result = start(&started, body, arg);

    if (result == HN_OK)
        pthread_detach(started);
    return result;
}

/* Thread-safe. */
int service_begin(void)
{
    int result = HN_OK;

    pthread_mutex_lock(&lock);
    /* A failure is not remembered: the next window tries again. */
    if (!runs)
        result = service_thread(serve, NULL);
    runs = runs || result == HN_OK;
    pthread_mutex_unlock(&lock);
    return result;
}
