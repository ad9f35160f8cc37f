/* first_choices.h - the first plans that were chosen for requests on one network, for all groups
 * with these members. Choosing takes 0.3 ms and more, and programs make communicators and windows
 * with the same members again and again.
 *
 * A remembered choice equals what choosing again would find, so members need not remember the same.
 * Calls of several threads may overlap.
 */
#pragma once

#include "select/auto.h"

#include <pthread.h>

/* Choices remembered; the oldest one is dropped. Programs that make many groups use few operations
 * on them. */
enum { FIRST_CHOICES = 32 };

struct first_choice;

struct first_choices {
    pthread_mutex_t lock;
    struct first_choice *at[FIRST_CHOICES]; /* NULL: unused */
    int next;                               /* where the next one is stored */
};

/* Called once, before and after all use. */
void first_choices_init(struct first_choices *choices);
void first_choices_free(struct first_choices *choices);
/* Finds what was chosen for this request; false: nothing, or the request has parts of different
 * sizes. */
bool first_choices_find(struct first_choices *choices, const struct request *req,
                        struct choice *choice, struct shortlist *shortlist);
/* Remembers a choice, if there is memory. */
void first_choices_keep(struct first_choices *choices, const struct request *req,
                        const struct choice *choice, const struct shortlist *shortlist);
