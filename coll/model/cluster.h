/* cluster.h - the subnets of a group's members.
 *
 * Clusters are numbered by their smallest member; members ascend.
 */
#pragma once

#include "model/model.h"
#include "runtime/internal.h"

struct clusters {
    int ranks, count;
    int *of;            /* [rank] */
    int *first;         /* members of c: member[first[c] ... first[c + 1] - 1] */
    int *member;        /* [ranks] */
    struct arena arena; /* of the arrays */
};

/* From label[r] of each rank r, 0 ... labels - 1, in any numbering. HN_OK or HN_ENOMEM; call
 * clusters_end() in either case. */
int clusters_begin(struct clusters *c, int ranks, const int *label, int labels);
/* The same from the subnets of the model. */
int clusters_of_model(struct clusters *c, const struct model *model);
void clusters_end(struct clusters *c);
/* Whether the model has more than one subnet. */
bool clusters_many(const struct model *model);
