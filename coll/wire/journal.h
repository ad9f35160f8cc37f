/* journal.h - what hrun -v (or HNOW_VERBOSE=1 in the environment) says about plans: a line on
 * standard error when one is chosen, and at the end a table, predicted against measured.
 *
 * Rank 0 of a group keeps one; without -v there is none, and every call costs a branch.
 */
#ifndef HNOW_COLL_JOURNAL_H
#define HNOW_COLL_JOURNAL_H

#include "wire/choices.h"

struct journal;

/* NULL: nobody wants to know, or no memory. */
struct journal *journal_open(int ranks);
/* Says which plan a request follows and why, once for each decision. */
void journal_chosen(const struct journal *journal, const struct request *req,
                    const struct model *model, struct decision *decision);
/* One line about something else that happened to the group's plans. */
__attribute__((format(printf, 2, 3))) void journal_say(const struct journal *journal,
                                                       const char *format, ...);
/* An operation by this plan took so long at this member; predicted: what the model says of that,
 * where no message is deflated. */
void journal_measured(struct journal *journal, enum operation op, int class, const char *plan,
                      hn_time predicted, int64_t nanoseconds, bool deflated);
/* Prints the table and frees; NULL is all right. */
void journal_close(struct journal *journal);

#endif
