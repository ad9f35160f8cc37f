/* job_service.h - questions of tasks to hrun, and their answers.
 *
 * A function job_on_..._ask() answers a question of a task.  `in` contains its fields, beginning
 * with the number that the answer repeats.
 */
#pragma once

#include "hrun/diagnosis/job_stall.h"

/* ---- questions of tasks and their answers (job_questions.c, job_service.c) ---- */

/* Processes the fields of a FROM_TASK frame after the tid. */
void job_question(struct job_task *asker, struct unpack *fields);
/* The same for an unwrapped question. */
void job_answer_question(struct job_task *asker, enum control_kind kind, struct unpack *in);
/* Sends a frame to the agents of all hosts that are up. */
void job_put_all(struct job *job, enum control_kind kind, ...);
/* Sends a task the fields in inner, and frees them.  Sends nothing to a task that has ended.  The
 * answer is dropped as well if `inner` has failed. */
void job_send_task(const struct job_task *task, enum control_kind kind, struct pack *inner);
void job_send_all_tasks(struct job *job, enum control_kind kind, struct pack *inner);
/* Answers a question with DONE: an error code, and why. */
__attribute__((format(printf, 4, 5))) void job_done(const struct job_task *task, uint32_t number,
                                                    int error, const char *format, ...);
void job_done_well(const struct job_task *task, uint32_t number);
void job_done_no_memory(const struct job_task *task, uint32_t number);
/* Answers a question with NUMBER. */
void job_number(const struct job_task *task, uint32_t number, uint32_t value);
/* Whether only one task is left, and no spawn is in progress. */
bool job_is_alone(const struct job *job);
/* After tasks were spawned: notifies all tasks when only one is left, and when that changes. */
void job_announce_grown(struct job *job);

/* ---- questions that bypass the agents (job_shortcut.c, job/shortcut.h) ---- */

void job_shortcuts_begin(struct job *job);
void job_shortcuts_end(struct job *job);
/* Answers a question that arrived on such a connection.  False: it did not, or the task has closed
 * the connection. */
bool job_shortcut_answer(const struct job_task *task, enum control_kind kind,
                         const struct pack *inner);

/* ---- questions that are answered later (job_deferred.c) ---- */

/* Appends a question, from its number on, to a list.  False: out of memory. */
bool job_defer_question(struct list_node *list, const struct job_task *asker,
                        enum control_kind kind, const struct unpack *question);
/* Removes the first question from a list, and answers it if its task still takes part. */
void job_ask_again(struct job *job, struct list_node *list);
/* Frees the questions of a list, which must be initialised before its next use. */
void job_forget_questions(struct list_node *list);
/* ---- spawning (job_spawn.c) ---- */

void job_on_spawn_ask(struct job_task *asker, struct unpack *in);
/* A task runs (HN_OK), or does not; why: the reason.  Has no effect for tasks that hrun has
 * started. */
void job_spawn_outcome(struct job_task *task, int error, const char *why);

/* ---- the name service (job_names.c, name_service.h) ---- */

void job_names_begin(struct job *job);
void job_names_end(struct job *job);
/* A task has ended, or has called hn_exit(). */
void job_names_without(struct job_task *task);
/* Ends waits without a time limit when no task is left that could put a value. */
void job_names_check(struct job *job);
/* Describes what this question of a task waits for.  False: not for a value. */
bool job_names_explain(const struct job *job, uint32_t tid, uint32_t number, char text[JOB_ASKED]);
void job_on_put_ask(struct job_task *asker, struct unpack *in);
void job_on_get_ask(struct job_task *asker, struct unpack *in);
void job_on_drop_ask(struct job_task *asker, struct unpack *in);
void job_on_names_ask(struct job_task *asker, struct unpack *in);

/* ---- notifications (job_watch.c, watch.h) ---- */

/* Processes NOTIFY_ASK: hn_notify(). */
void job_on_notify_ask(struct job_task *asker, struct unpack *in);
/* Events: send notifications to the tasks that have requested them. */
void job_watch_task_end(const struct job_task *task);
void job_watch_host_lost(const struct job_host *host, bool removed);
/* One request has added n >= 1 hosts. */
void job_watch_hosts_added(struct job *job, const uint32_t *tids, uint32_t n);
