/* messages.c - our own: a multiple multicast in which each message uses a tree over subnets.
 *
 * Wu's algorithms compare hosts, and forward a message to the host that can receive it first. They
 * do not count that the message passes the same uplink several times. Here each message is sent
 * once into every subnet with destinations: along a tree (ECEF) over one leader of each subnet, and
 * inside each subnet along another tree. The source leads its own subnet. In any other subnet the
 * leader is the member that leads for the fewest messages so far; among equals, the one that is
 * reached first. It suits slow uplinks.
 *
 * All trees are executed together: every rank sends the messages of all its edges in the order in
 * which these were added to their trees, segment by segment.
 *
 * Cost: for each message O(s^2 log s) for s subnets and O(k^2 log k) for k destinations in each.
 */
#include "planners/planners.h"
#include "planners/portion.h"

#include "model/cluster.h"

#include "hnow.h"

struct edge {
    int from, to;
};

struct messages {
    const struct problem *problem;
    struct clusters subnets; /* of all ranks */
    int *leads;              /* [rank]: for so many messages */
    struct edge *edges;      /* of all messages, each in the order of its tree */
    int *first;              /* [message]: its edges are first[k] ... first[k + 1] - 1 */
    int longest;             /* edges of one message */
    /* For the message whose tree is being built: */
    int *member;        /* its source and destinations */
    int *label;         /* [member]: its subnet */
    struct clusters c;  /* of the members */
    int *leader;        /* [cluster]: a member */
    int *rank;          /* the ranks of a portion */
    struct arena arena; /* of the arrays */
};

/* ---- one message ------------------------------------------------------------------------ */

/* Lists the source first, then the destinations.  Returns their number. */
static int list_members(struct messages *s, const struct multicast_message *message)
{
    int count = 0;
    s->member[count++] = message->source;
    for (int rank = 0; rank < s->problem->req->ranks; rank++)
        if (message->wants[rank] && rank != message->source)
            s->member[count++] = rank;
    for (int i = 0; i < count; i++)
        s->label[i] = s->subnets.of[s->member[i]];
    return count;
}

/* Whether member a is a better leader of its subnet than member b. */
static bool leads_before(const struct messages *s, int a, int b, int64_t bytes)
{
    const struct model *model = s->problem->model;
    int source = s->member[0], one = s->member[a], other = s->member[b];
    if (s->leads[one] != s->leads[other])
        return s->leads[one] < s->leads[other];
    return model_deliver(model, source, one, bytes) < model_deliver(model, source, other, bytes);
}

/* Chooses a leader for each subnet of the message.  Member 0, the source, always leads its own. */
static void choose_leaders(struct messages *s, int64_t bytes)
{
    for (int cluster = 0; cluster < s->c.count; cluster++) {
        int best = s->c.member[s->c.first[cluster]];
        for (int i = s->c.first[cluster] + 1; i < s->c.first[cluster + 1] && best != 0; i++)
            if (leads_before(s, s->c.member[i], best, bytes))
                best = s->c.member[i];
        s->leader[cluster] = best;
        s->leads[s->member[best]] += best != 0;
    }
}

/* Adds the edges of a tree over the ranks of s->rank. */
static int add_tree(struct messages *s, int count, int root, int pairs_most, int *edges)
{
    struct portion portion = {s->problem->model, s->rank, NULL, pairs_most};
    struct tree *tree = tree_new(count, root);
    int error = tree ? portion_grow(s->problem, planner_ecef, &portion, tree, NULL) : HN_ENOMEM;
    for (int i = 1; i < count && !error; i++)
        s->edges[(*edges)++] =
            (struct edge){s->rank[tree->parent[tree->order[i]]], s->rank[tree->order[i]]};
    tree_free(tree);
    return error;
}

/* Adds the tree inside a subnet, from its leader. */
static int add_inside(struct messages *s, int cluster, int *edges)
{
    int first = s->c.first[cluster], count = s->c.first[cluster + 1] - first, root = 0;
    for (int i = 0; i < count; i++) {
        int member = s->c.member[first + i];
        s->rank[i] = s->member[member];
        root = member == s->leader[cluster] ? i : root;
    }
    return add_tree(s, count, root, PORTION_INSIDE, edges);
}

/* Adds the edges of one message: those over leaders come first, so every leader has the message
 * before it forwards it inside. */
static int add_message(struct messages *s, const struct multicast_message *message, int *edges)
{
    int count = list_members(s, message);
    int error = clusters_begin(&s->c, count, s->label, s->subnets.count);
    if (!error) {
        choose_leaders(s, message->bytes);
        for (int i = 0; i < s->c.count; i++)
            s->rank[i] = s->member[s->leader[i]];
        error = add_tree(s, s->c.count, s->c.of[0], MATRIX_RANKS_MOST, edges);
    }
    for (int i = 0; i < s->c.count && !error; i++)
        error = add_inside(s, i, edges);
    clusters_end(&s->c);
    return error;
}

/* ---- all of them ------------------------------------------------------------------------ */

static int begin(struct messages *s, const struct problem *problem)
{
    const struct request *req = problem->req;
    size_t n = (size_t)req->ranks;
    *s = (struct messages){.problem = problem};
    int error = clusters_of_model(&s->subnets, problem->model);
    if (error)
        return error;
    ARENA_ARRAYS(&s->arena, n, s->leads, s->member, s->label, s->leader, s->rank);
    s->edges = arena_array(&s->arena, (size_t)request_deliveries(req) + 1, sizeof *s->edges);
    s->first = arena_array(&s->arena, (size_t)req->message_count + 1, sizeof *s->first);
    return s->arena.failed ? HN_ENOMEM : HN_OK;
}

static void end(struct messages *s)
{
    clusters_end(&s->subnets);
    arena_free(&s->arena);
}

/* In the order of messages, since leaders are chosen by how often they lead already. */
static int grow_trees(struct messages *s)
{
    const struct request *req = s->problem->req;
    int edges = 0, error = HN_OK;
    for (int k = 0; k < req->message_count && !error; k++) {
        error = add_message(s, &req->messages[k], &edges);
        s->first[k + 1] = edges;
        if (edges - s->first[k] > s->longest)
            s->longest = edges - s->first[k];
    }
    return error;
}

/* Writes segment after segment, and within one the i-th edges of all messages, so that no message
 * waits until another is complete. */
static void serve(const struct messages *s, struct plan *plan)
{
    int messages = s->problem->req->message_count, segments = plan_segments(plan);
    for (int segment = 0; segment < segments; segment++)
        for (int i = 0; i < s->longest; i++)
            for (int k = 0; k < messages; k++) {
                int block = plan->part_first[k] + segment;
                const struct edge *edge = &s->edges[s->first[k] + i];
                if (block < plan->part_first[k + 1] && s->first[k] + i < s->first[k + 1])
                    plan_message(plan, edge->from, edge->to, PLAN_RECV, block, 1);
            }
}

void planner_subnets_messages(const struct problem *problem, struct plan *plan)
{
    struct messages s;
    plan_cut(plan, problem->req, problem->segment);
    int error = begin(&s, problem);
    if (!error)
        error = grow_trees(&s);
    if (error)
        plan_fail(plan, error);
    else
        serve(&s, plan);
    end(&s);
}
