/* question.h - what a task asks hrun and waits for: spawn, list, signal, ...
 *
 *     struct question q;
 *     question_begin(&q, CONTROL_TASKS_ASK);
 *     pack_...(&q.out, ...);                          the fields behind the number
 *     int result = question_ask(&q, CONTROL_TASKS);   blocks; q.answer is what follows the number
 *     ...
 *     question_end(&q);                               in every case
 *
 * The agent passes questions on, but for those that take a shortcut (shortcut.h); hrun answers each
 * with its number.  Several threads may ask at the same time.  Cost: one round trip to hrun.
 */
#pragma once

#include "protocol/control.h"
#include "hnow.h"
#include "base/list.h"

struct task;

struct question {
    struct list_node node; /* on task->questions while there is no answer */
    struct task *task;     /* inside the library from begin to end; NULL: not begun */
    int error;             /* why it cannot be asked; 0: it can */
    uint32_t number;
    size_t begun;
    struct pack out;
    enum control_kind kind; /* of the answer; 0: none yet */
    struct pack copy;       /* the answer's fields */
    struct unpack answer;
};

/* HN_OK, or HN_ESTATE: not enrolled, or a job without hrun; question_ask() returns it again. */
int question_begin(struct question *q, enum control_kind kind);
/* The same, and the first field is a name; NULL: HN_EARG. */
void question_about(struct question *q, enum control_kind kind, const char *name);
/* Adds a list of tids to the question: their number, then each. */
void question_add_tids(struct question *q, const hn_tid *tids, int n);
/* Sends it and blocks until the answer is there: HN_OK when that is of the wanted kind, else the
 * error that hrun gave, with its text.  A question with an error is not sent. */
int question_ask(struct question *q, enum control_kind wanted);
/* The first half of that, for a question that hrun does not answer. */
int question_tell(struct question *q);
/* The second half of that, for a question on task->asking.questions, which others than hrun may
 * answer.  It may be answered soon: look() receives what has arrived; else NULL. */
int question_wait(struct question *q, enum control_kind wanted, bool (*look)(void *question));
/* Reads such a list from the answer; the caller frees it.  HN_OK or HN_ENOMEM. */
int question_tids(struct question *q, hn_tid **tids, int *n);
void question_end(struct question *q);

/* These ask and end it.  The answer is that all is well, or an error; or a number, that is
 * returned; or a list, whose entries of `size` bytes take() fills: `list` is the address of a
 * pointer to them, which the caller frees. */
int question_done(struct question *q);
int question_number(struct question *q);
int question_list(struct question *q, enum control_kind wanted, size_t size,
                  void (*take)(struct unpack *answer, void *entry), void *list, int *n);

/* There is no memory to read answers: those who wait for one get HN_ENOMEM.  What they asked for
 * may have been done. */
void question_give_up(struct task *t);

/* A frame from hrun that may be an answer. */
void question_answered(struct task *t, struct control_frame *frame);
