/* levels.h - a group's members as a tree of groups: site, subnet, machine, host, rank (ECO's
 * subnets, section 3, carried on in both directions).
 *
 * A level that says nothing (one group in it, or nothing but groups of one) is left out, so a
 * network of one switch and a task a host is one group of ranks, whatever its file says.
 */
#pragma once

#include "model/model.h"

#include "runtime/internal.h"

/* Members member[begin ... end - 1]. Its parts are the groups first ... first + parts - 1; or, when
 * `leaf`, its `parts` members, each by itself. */
struct level_group {
    int begin, end;
    int first, parts;
    int depth; /* of group 0: 0 */
    bool leaf;
};

struct levels {
    int ranks;
    int *member; /* [ranks]: those of a group one behind the other */
    struct level_group
        *group; /* group[0] is all ranks; parts come after the group that they are of */
    int count;
    int depth;          /* how often groups lie in groups: 0 where all are alike */
    struct arena arena; /* of the arrays */
};

/* The groups that the model knows; inside a group, members and parts stand in the order in which
 * `order` names them (NULL: of ranks). HN_OK or HN_ENOMEM; levels_end() in every case. O(ranks),
 * and s log s for s subnets. */
int levels_begin(struct levels *l, const struct model *model, const int *order);
/* The same with subnets as the only groups, in the order of ranks. */
int levels_of_subnets(struct levels *l, const struct model *model);
void levels_end(struct levels *l);

/* The members of a part of a group: member[*begin ... *end - 1]. */
void levels_part(const struct levels *l, const struct level_group *group, int part, int *begin,
                 int *end);

/* Whether the groups are something else than the subnets. */
bool levels_nested(const struct model *model);
