/* mpi_service.h - a thread that serves other tasks while the program computes.
 *
 * The target of an access may be executing any code of the program.  So accesses are messages to a
 * thread of the target, which waits in hn_recv_cut().  The thread starts with the first window and
 * lasts until the task leaves the job.  Other threads that wait have precedence in driving the
 * engine (runtime/engine/engine.h, "Patient callers").
 *
 * A request consists of up to three messages: this struct, the words of a derived type, the
 * data. All travel in the order of sending between two tasks, which the protocol relies on.
 * Replies carry the request's id as tag, so several threads can wait for replies at once.
 * If an origin fails between these messages, the receive of the next one ends with an error.
 */
#pragma once

#include "hnow.h"
#include "datatype/mpi_pack.h"

/* Kinds from SERVICE_FLUSH on concern synchronisation and carry no data. */
enum service_kind {
    SERVICE_PUT,
    SERVICE_GET,
    SERVICE_ACCUMULATE,
    SERVICE_GET_ACCUMULATE,
    SERVICE_COMPARE_AND_SWAP,
    /* From here on: win_serve_sync() in mpi_win_sync.c. The order of kinds is compared with >=. */
    SERVICE_FLUSH,
    SERVICE_LOCK,
    SERVICE_UNLOCK,
    SERVICE_POST,
    SERVICE_COMPLETE,
    SERVICE_LOOK /* for locks of failed members */
};

/* Up to this many bytes of data travel inside a request if all machines are alike, which saves a
 * message. */
enum { SERVICE_INLINE = 128 };

/* A request, sent as elements of HN_INT64. Only as much of `data` as is used is sent. All fields
 * are int64_t, so byte order is converted. */
struct service_message {
    int64_t kind;
    int64_t object; /* the window's number at the receiver */
    int64_t id;     /* tag of the request's data and reply */
    int64_t rank;   /* of the sender, in the window */
    /* In bytes from the start of the window, or an address; count of `type`. For SERVICE_LOCK,
     * count is the lock type. */
    int64_t at, count;
    int64_t type; /* type number; if described > 0, a serialised type of that many words follows */
    int64_t described;
    int64_t op, base; /* of accumulates: numbers of the operator and of the basic type */
    int64_t bytes;    /* of data in `data`; -1: data is a separate message */
    int64_t data[SERVICE_INLINE / sizeof(int64_t)];
};

/* Starts the thread that serves windows, unless it runs.  Returns HN_OK or an error. */
int service_begin(void);
/* Runs body in a detached thread.  Returns HN_OK or an error. */
int service_thread(void *(*body)(void *), void *arg);
/* Returns an id for a request. Unique among the requests of this task in progress. */
int service_id(void);
/* Each sends one message.  Returns HN_OK or an error. */
int service_send(hn_tid to, const struct service_message *m);
/* None waits for the receiver. service_start_data() uses w until its request ends; the others have
 * copied it when they return. */
int service_send_data(hn_tid to, int id, const struct wire *w);
/* Nonblocking. */
int service_start_data(hn_tid to, int id, const struct wire *w, hn_request **request);
int service_send_words(hn_tid to, int id, const int64_t *words, size_t n);
/* To the origin, which waits for this id. */
int service_reply(hn_tid to, int id, const struct wire *w);
int service_reply_word(hn_tid to, int id, int64_t word);
/* These receive in the thread itself. */
int service_receive_data(hn_tid from, int id, struct wire *w, hn_info *info);
int service_receive_words(hn_tid from, int id, int64_t *words, size_t n);
/* service_await_word() waits for a reply, for so many milliseconds (then HN_ETIMEOUT; -1: without
 * limit). service_post_reply() posts its receive. */
int service_await_word(hn_tid from, int id, int64_t *word, int milliseconds);
/* Nonblocking. The reply is received into its place. */
int service_post_reply(hn_tid from, int id, struct wire *w, hn_request **request);

/* Serves a request in the thread. */
void win_serve(hn_tid from, const struct service_message *m);
