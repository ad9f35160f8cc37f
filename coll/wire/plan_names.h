/* plan_names.h - plans asked for by name: hn_set_plan()'s, and hrun's -plan. */
#pragma once

#include "planners/planner.h"

/* An operation follows the first one that serves it. */
enum { PLAN_NAMES_MOST = 8 };
struct plan_names {
    struct choice choice[PLAN_NAMES_MOST];
    int count;
};

/* NAME[,NAME]... as choice_text() writes them; "auto" is a list of none. HN_EARG, with its text:
 * one of them is no plan's name, or there are too many. */
int plan_names_parse(const char *text, struct plan_names *names);
/* Whether a group of so many members has all ranks that are named; HN_EARG, with its text. */
int plan_names_fit(const struct plan_names *names, int ranks);
/* Says that the beginning of the text, so many characters, is no plan's name: HN_EARG. */
int plan_names_unknown(const char *text, size_t length);
