/* levels.h - the members of a group as a tree of groups: site, subnet, machine, host, rank. ECO's
 * subnets (section 3), extended upwards and downwards.
 *
 * A level that adds nothing (a single group, or only groups of one) is left out. So a network of
 * one switch with one task a host is one group of ranks, whatever its file contains.
 */
#pragma once

#include "model/model.h"

#include "runtime/internal.h"

/* Its members are member[begin ... end - 1]. Its parts are the groups first ... first + parts - 1;
 * if `leaf`, the parts are its single members. */
struct level_group {
    int begin, end;
    int first, parts;
    int depth; /* nesting depth; 0 for group[0] */
    bool leaf;
};

struct levels {
    int ranks;
    int *member;               /* [ranks]: the members of a group are adjacent */
    struct level_group *group; /* group[0]: all ranks; parts follow their group */
    int count;
    int depth;          /* deepest nesting; 0: one flat group */
    struct arena arena; /* of the arrays */
};

/* Builds the groups of the model. Members and parts of a group are in the order of order[] (NULL:
 * by rank). HN_OK or HN_ENOMEM; call levels_end() in either case. O(ranks), and s log s for s
 * subnets. */
int levels_begin(struct levels *l, const struct model *model, const int *order);
/* The same with the subnets as the only groups, ordered by rank. */
int levels_of_subnets(struct levels *l, const struct model *model);
void levels_end(struct levels *l);

/* The members of a part of a group: member[*begin ... *end - 1]. */
void levels_part(const struct levels *l, const struct level_group *group, int part, int *begin,
                 int *end);

/* Whether the groups differ from the subnets. */
bool levels_nested(const struct model *model);
