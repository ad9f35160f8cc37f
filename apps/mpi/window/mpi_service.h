/* mpi_service.h - a thread that answers other tasks while the program computes.
 *
 * A window belongs to a task that may be anywhere in its own code.  Accesses of others are messages
 * to a thread of that task, which waits in hn_recv() and so drives the engine.  It runs only while
 * the task has windows.
 */
#pragma once

#include "hnow.h"
#include "datatype/mpi_pack.h"

enum service_kind {
    SERVICE_STOP,
    SERVICE_PUT,
    SERVICE_GET,
    SERVICE_ACCUMULATE,
    SERVICE_GET_ACCUMULATE,
    SERVICE_COMPARE_AND_SWAP,
    SERVICE_FLUSH,
    SERVICE_LOCK,
    SERVICE_UNLOCK,
    SERVICE_POST,
    SERVICE_COMPLETE,
    SERVICE_LOOK /* for locks of members that have failed */
};

/* Bytes of data that travel inside a request, where all machines are alike: one message less. */
enum { SERVICE_INLINE = 128 };

/* A request, sent as elements of HN_INT64. */
struct service_message {
    int64_t kind;
    int64_t object; /* number of the window at the receiver */
    int64_t id;     /* tag of the request's data and of its reply */
    int64_t rank;   /* of the sender, in the window */
    int64_t at, count;
    int64_t type; /* its number; with `described` > 0, a description of so many words follows */
    int64_t described;
    int64_t op, base; /* of accumulates: numbers of the operator and of the basic type */
    int64_t bytes;    /* of data in `data`; -1: they are a message of their own */
    int64_t data[SERVICE_INLINE / sizeof(int64_t)];
};

/* Starts the thread for its first user: HN_OK or an error.  service_end() ends it with the last. */
int service_begin(void);
void service_end(void);
/* A thread for one call, which nobody waits for: HN_OK or an error. */
int service_thread(void *(*body)(void *), void *arg);
/* An id for a request. */
int service_id(void);
/* Each sends one message: HN_OK or an error. */
int service_send(hn_tid to, const struct service_message *m);
int service_send_data(hn_tid to, int id, const struct wire *w);
int service_start_data(hn_tid to, int id, const struct wire *w, hn_request **request);
int service_send_words(hn_tid to, int id, const int64_t *words, size_t n);
int service_reply(hn_tid to, int id, const struct wire *w);
int service_reply_word(hn_tid to, int id, int64_t word);
/* Receive in the thread itself. */
int service_receive_data(hn_tid from, int id, struct wire *w, hn_info *info);
int service_receive_words(hn_tid from, int id, int64_t *words, size_t n);
/* Wait for a reply (milliseconds -1: as long as it takes; else HN_ETIMEOUT), or post its receive.
 */
int service_await_word(hn_tid from, int id, int64_t *word, int milliseconds);
int service_post_reply(hn_tid from, int id, struct wire *w, hn_request **request);

/* Serves a request; called in the thread. */
void win_serve(hn_tid from, const struct service_message *m);
