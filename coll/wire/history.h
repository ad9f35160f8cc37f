/* history.h - the log of plans that hrun -v (or HNOW_VERBOSE=1) prints on standard error: a line
 * when a plan is chosen, and at the end a table of predicted and measured times.
 *
 * Rank 0 of a group keeps one. Without -v there is none, and each call costs a branch.
 */
#pragma once

#include "wire/choices.h"

struct history;

/* NULL: disabled, or out of memory. */
struct history *history_open(int ranks);
/* Prints which plan a request follows and why, once for each decision. */
void history_chosen(const struct history *history, const struct request *req,
                    const struct model *model, struct decision *decision);
/* Prints a line about another event of the group's plans. */
__attribute__((format(printf, 2, 3))) void history_log(const struct history *history,
                                                       const char *format, ...);
/* Records the time of an operation with this plan at this member. predicted: by the model, without
 * deflated messages. */
void history_measured(struct history *history, enum operation op, int class, const char *plan,
                      hn_time predicted, int64_t nanoseconds, bool deflated);
/* Prints the table and frees the log; NULL is allowed. */
void history_close(struct history *history);
