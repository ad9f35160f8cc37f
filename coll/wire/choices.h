/* choices.h - the plans that a group's operations follow. A decision is made for each operation,
 * root and size class (the next power of two of all bytes), and kept. If parts have different
 * sizes, it also depends on how much they differ.
 *
 * Choosing takes no longer than the operations for which it is done. The first call tries what
 * there is time for; the second, fourth, eighth ... continue as long as something is left (auto.h).
 * All members count the same calls, so they change to a better plan at the same call.
 *
 * A plan found by trials (monitor.h) is kept as long as the model's best plan is the one that it
 * was tried against. Plans that are found later and predicted to be nearly as good are tried
 * against it. Operations whose results are rounded keep their first plan, so that equal calls give
 * equal bits. With many tasks on one host short operations begin with a default plan; the model is
 * used from the eighth call on.
 */
#pragma once

#include "wire/first_choices.h"
#include "wire/monitor.h"
#include "wire/plan_names.h"

enum why {
    WHY_NAME,  /* asked for by name */
    WHY_RULE,  /* default plan: the network has not been measured */
    WHY_FIRST, /* default plan for the first calls, since all members would plan on the same cores
                */
    WHY_BEST   /* the best plan of the model */
};

struct decision {
    enum operation op;
    int root, class, shape; /* shape: class of different sizes; 0: all sizes are equal */
    bool ordered, steady;
    struct choice choice; /* the choice in use; */
    struct choice best;   /* the model's best; trials may prefer another one */
    enum why why;
    struct shortlist shortlist; /* the candidates of that selection */
    int64_t calls, again;       /* calls so far; number of calls at which more plans are tried */
    int64_t took;               /* nanoseconds spent on choosing, in total */
    bool logged;                /* printed by the history */
    struct monitor monitor;

    /* Used by struct choices. */
    int next;      /* next in its hash bucket: 1 + index in kept; 0: none */
    uint64_t used; /* choices.calls at its last call */
};

/* The circumstances for which a choice is made. */
struct circumstances {
    const struct model *model;
    bool measured;                  /* the model's costs were measured, not guessed */
    const struct plan_names *names; /* plans asked for by name; or NULL */
    struct first_choices *first;    /* on this model; or NULL */
};

/* Most decisions kept, one for each operation, root, shape and size class in use. The least
 * recently used one is dropped. */
enum { CHOICES = 256 };
struct choices {
    struct decision *kept[CHOICES]; /* NULL: unused; most groups need a few */
    int first[CHOICES];             /* [hash % CHOICES] as decision.next */
    int count;
    uint64_t calls; /* calls so far, the same at all members */
};

/* Size class of a request: the smallest class with total bytes <= 2^class. */
int choices_class(const struct request *req);
/* The decision for a request in its present state. Owned by `choices`; valid until it is emptied,
 * or CHOICES others have been used. HN_EPLAN: no planner serves the request; HN_ENOMEM. */
int choices_find(struct choices *choices, const struct circumstances *now,
                 const struct request *req, struct decision **decision);
/* The same for an operation that is about to start: counts the call, which may change the decision
 * (*changed). */
int choices_call(struct choices *choices, const struct circumstances *now,
                 const struct request *req, struct decision **decision, bool *changed);
/* The decision if there is one, else NULL. Changes nothing. */
struct decision *choices_kept(struct choices *choices, const struct request *req);
/* Computes the decision that remains when everything has been tried. Changes nothing. */
int choices_foresee(struct choices *choices, const struct circumstances *now,
                    const struct request *req, struct decision *decision);
/* The network has changed: decisions made by the model will be made anew when they are needed. */
void choices_renew(struct choices *choices);
/* All decisions will be made anew. */
void choices_forget(struct choices *choices);
/* Empties it and frees its memory. A struct of zeros is empty. */
void choices_free(struct choices *choices);
