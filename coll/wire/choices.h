/* choices.h - which plan a group's operations follow: chosen for an operation, root and size class
 * (the next power of two of all bytes), where parts have sizes of their own also for how much these
 * differ, and kept.
 *
 * Choosing takes no longer than the operations that it is for: the first call tries what there is
 * time for, and so do the second, fourth, eighth, ... as long as there was something left (auto.h).
 * All members count the same calls, so they change to a better plan at the same one.  What trials
 * have found (monitor.h) stays as long as the model names no other plan than the one that was tried
 * against; plans that are found later and promise nearly the same are tried against it.  Operations
 * whose results are rounded keep their first plan, so that equal calls give equal bits.  Among many
 * tasks of one host, short operations begin with a rule of thumb: there, the model comes in at the
 * eighth call. */
#pragma once

#include "wire/monitor.h"
#include "wire/plan_names.h"

enum why {
    WHY_NAME,  /* it was asked for by name */
    WHY_RULE,  /* a rule of thumb: nobody has measured the network */
    WHY_FIRST, /* a rule of thumb, since all members would plan on the same cores: for some calls */
    WHY_BEST   /* the best of all in the model */
};

struct decision {
    enum operation op;
    int root, class, shape; /* shape: of sizes that differ; 0: they are alike */
    bool ordered, steady;
    struct choice choice; /* that is followed; */
    struct choice best;   /* in the model, when it was asked last: trials may find another one */
    enum why why;
    struct shortlist shortlist; /* that the best was chosen from */
    int64_t calls, again; /* so far; how many it will have been when there is time to try more */
    int64_t took;         /* nanoseconds that choosing took, all times together */
    bool logged;          /* by the history */
    struct monitor monitor;

    /* In struct choices. */
    int next;      /* in its bucket: 1 + place in kept; 0: none */
    uint64_t used; /* when it was called last: choices.calls */
};

/* The circumstances for which a choice is made. */
struct circumstances {
    const struct model *model;
    bool measured;                  /* the model's costs were measured, not guessed */
    const struct plan_names *names; /* asked for; or NULL */
};

/* Decisions kept, one for each operation, root, shape and size class in use.  Of more, the one
 * called longest ago is given up. */
enum { CHOICES = 256 };
struct choices {
    struct decision *kept[CHOICES]; /* NULL: has not been needed yet; most groups need a few */
    int first[CHOICES];             /* [hash % CHOICES] as decision.next */
    int count;
    uint64_t calls; /* so far: all members count the same ones */
};

/* Total bytes of a request as a power of two: the least class with bytes <= 2^class. */
int choices_class(const struct request *req);
/* The decision for a request, as it is now; belongs to `choices`, until it is emptied, or CHOICES
 * others have been asked for since.  HN_EPLAN: nobody serves the request; HN_ENOMEM. */
int choices_find(struct choices *choices, const struct circumstances *now,
                 const struct request *req, struct decision **decision);
/* The same for an operation that follows it: the call counts, and may change the decision; *changed
 * tells. */
int choices_call(struct choices *choices, const struct circumstances *now,
                 const struct request *req, struct decision **decision, bool *changed);
/* The same when there is one; else NULL.  Changes nothing. */
struct decision *choices_kept(struct choices *choices, const struct request *req);
/* The decision as it will be when all has been tried; changes nothing. */
int choices_foresee(struct choices *choices, const struct circumstances *now,
                    const struct request *req, struct decision *decision);
/* The network has changed: those made by the model are to be made anew, when they are needed. */
void choices_renew(struct choices *choices);
/* All are to be made anew. */
void choices_forget(struct choices *choices);
/* Empties it, and gives its memory back; one of zeros is empty. */
void choices_free(struct choices *choices);
