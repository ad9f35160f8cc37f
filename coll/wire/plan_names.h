/* plan_names.h - plans asked for by name: hn_set_plan() and hrun's -plan. */
#pragma once

#include "planners/planner.h"

/* An operation follows the first one that serves it. */
enum { PLAN_NAMES_MOST = 8 };
struct plan_names {
    struct choice choice[PLAN_NAMES_MOST];
    int count;
};

/* Parses NAME[,NAME]... in the form of choice_text(); "auto" gives an empty list. HN_EARG, with its
 * text: not the name of a plan, or too many. */
int plan_names_parse(const char *text, struct plan_names *names);
/* HN_EARG, with its text, if a name contains a rank that a group of this size does not have. */
int plan_names_fit(const struct plan_names *names, int ranks);
/* Sets HN_EARG with a text: the first `length` characters are not the name of a plan. */
int plan_names_unknown(const char *text, size_t length);
