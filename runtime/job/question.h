/* question.h - requests of a task to hrun: spawn, list, signal, ...
 *
 *     struct question q;
 *     question_begin(&q, CONTROL_TASKS_ASK);
 *     pack_...(&q.out, ...);                          the fields after the number
 *     int result = question_ask(&q, CONTROL_TASKS);   blocks; q.answer: the fields after it
 *     ...
 *     question_end(&q);                               in every case
 *
 * The agent forwards questions, except those that use a shortcut (shortcut.h). hrun's answer
 * repeats the number of the question.  Several threads may ask at the same time.  Cost: one round
 * trip to hrun.
 */
#pragma once

#include "protocol/control.h"
#include "hnow.h"
#include "base/list.h"

struct task;

/* On the stack of the asking call.  The lock is held from begin to end, except while
 * question_wait() sleeps. */
struct question {
    struct list_node node; /* on task->asking.questions until it is answered */
    struct task *task;     /* entered (engine_enter) from begin to end; NULL: not begun */
    int error;             /* why it cannot be sent; 0: it can */
    uint32_t number;
    size_t begun;
    struct pack out;
    enum control_kind kind; /* of the answer; 0: none yet */
    struct pack copy;       /* the answer's fields */
    struct unpack answer;
};

/* HN_OK, or HN_ESTATE: not enrolled, or a job without hrun. question_ask() returns the error
 * again. */
int question_begin(struct question *q, enum control_kind kind);
/* The same, with a name as the first field; NULL: HN_EARG. */
void question_about(struct question *q, enum control_kind kind, const char *name);
/* Appends a list of tids: their number, then each. */
void question_add_tids(struct question *q, const hn_tid *tids, int n);
/* Sends the question and blocks for the answer: HN_OK if it is of the wanted kind, else the error
 * that hrun returned, with its text.  A question with an error is not sent. */
int question_ask(struct question *q, enum control_kind wanted);
/* Only sends, for questions that hrun does not answer. */
int question_tell(struct question *q);
/* Only waits, for a question on task->asking.questions, which other tasks may answer as well.
 * look(): receives what has arrived, if the answer is expected soon; else NULL. */
int question_wait(struct question *q, enum control_kind wanted, bool (*look)(void *question));
/* Reads a list of tids from the answer; the caller frees it.  HN_OK or HN_ENOMEM. */
int question_tids(struct question *q, hn_tid **tids, int *n);
void question_end(struct question *q);

/* Send the question and end it. question_done(): the answer is success or an error.
 * question_number(): it is a number, which is returned. question_list(): it is a list; take() fills
 * each entry of `size` bytes.  `list` is the address of a pointer to the entries, which the caller
 * frees. */
int question_done(struct question *q);
int question_number(struct question *q);
int question_list(struct question *q, enum control_kind wanted, size_t size,
                  void (*take)(struct unpack *answer, void *entry), void *list, int *n);

/* There is no memory to read answers: all pending questions return HN_ENOMEM.  Their requests may
 * have been executed. */
void question_give_up(struct task *t);

/* Processes a frame from hrun that may be an answer. */
void question_answered(struct task *t, struct control_frame *frame);
