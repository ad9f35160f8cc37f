/* cluster.h - the subnets of a group's members, and the trees and tours that follow them (ECO).
 *
 * Clusters are numbered by their smallest member; members ascend.
 */
#ifndef HNOW_COLL_CLUSTER_H
#define HNOW_COLL_CLUSTER_H

#include "model/model.h"
#include "plan/tree.h"

struct clusters {
    int ranks, count;
    int *of;     /* [rank] */
    int *first;  /* members of c: member[first[c] ... first[c + 1] - 1] */
    int *member; /* [ranks] */
};

/* From labels: label[r] of each rank, 0 ... labels - 1 (any numbering). HN_OK or HN_ENOMEM;
 * clusters_end() in every case. */
int clusters_begin(struct clusters *c, int ranks, const int *label, int labels);
/* The subnets that the model knows. */
int clusters_of_model(struct clusters *c, const struct model *model);
void clusters_end(struct clusters *c);
/* Whether there is more than one. */
bool clusters_many(const struct model *model);

/* leader[c]: the root in its own cluster, in others the member that the root reaches soonest
 * (reach[rank]; among equals the smallest). */
void clusters_leaders(const struct clusters *c, int root, const hn_time *reach, int *leader);

/* ECO's tree (section 5): the root serves the leaders of the other clusters, in their order; inside
 * cluster c, a balanced tree of arity[c] over leader and other members, who ascend. Sends to other
 * clusters go first. HN_OK or HN_ENOMEM. */
int clusters_eco(const struct clusters *c, const int *leader, const int *arity, struct tree *tree);

/* ECO's ring (Figure 3c): from rank 0 always to the nearest rank not visited, staying inside a
 * cluster as long as it can; near is the smaller cost[i][j] + cost[j][i]. O(n^2). */
void clusters_tour(const struct clusters *c, const hn_time *cost, int *tour);

#endif
