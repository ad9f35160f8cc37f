/* plan_names.h - plans that are requested by name: hn_set_plan() and hrun's -plan. */
#pragma once

#include "planners/planner.h"

/* Most names of a list. An operation uses the first plan that serves it. */
enum { PLAN_NAMES_MOST = 8 };
struct plan_names {
    struct choice choice[PLAN_NAMES_MOST];
    int count;
};

/* Parses NAME[,NAME]... in the form of choice_text(); "auto" gives an empty list. HN_OK, or HN_EARG
 * with a text: a name is not a plan's, or there are too many. */
int plan_names_parse(const char *text, struct plan_names *names);
/* HN_OK, or HN_EARG with a text: a name contains a rank that a group of this size does not have. */
int plan_names_fit(const struct plan_names *names, int ranks);
/* Sets and returns HN_EARG, with a text that these `length` characters are not the name of a plan.
 */
int plan_names_unknown(const char *text, size_t length);
