/* history.h - what hrun -v (or HNOW_VERBOSE=1 in the environment) says about plans: a line on
 * standard error when one is chosen, and at the end a table, predicted against measured.
 *
 * Rank 0 of a group keeps one; without -v there is none, and every call costs a branch.
 */
#pragma once

#include "wire/choices.h"

struct history;

/* NULL: nobody wants to know, or no memory. */
struct history *history_open(int ranks);
/* Says which plan a request follows and why, once for each decision. */
void history_chosen(const struct history *history, const struct request *req,
                    const struct model *model, struct decision *decision);
/* One line about something else that happened to the group's plans. */
__attribute__((format(printf, 2, 3))) void history_log(const struct history *history,
                                                       const char *format, ...);
/* An operation by this plan took so long at this member; predicted: what the model says of that,
 * where no message is deflated. */
void history_measured(struct history *history, enum operation op, int class, const char *plan,
                      hn_time predicted, int64_t nanoseconds, bool deflated);
/* Prints the table and frees; NULL is all right. */
void history_close(struct history *history);
