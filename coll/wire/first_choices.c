/* first_choices.c - the first plans chosen on a network (first_choices.h). */
#include "wire/first_choices.h"

#include <stdlib.h>

/* A request without arrays, so a copy of the struct is complete. */
struct first_choice {
    struct request req; /* without sizes and messages */
    struct choice choice;
    struct shortlist shortlist;
};

void first_choices_init(struct first_choices *choices)
{
    *choices = (struct first_choices){.next = 0};
    pthread_mutex_init(&choices->lock, NULL);
}

void first_choices_free(struct first_choices *choices)
{
    for (int i = 0; i < FIRST_CHOICES; i++)
        free(choices->at[i]);
    pthread_mutex_destroy(&choices->lock);
}

/* Parts of different sizes would need copies of their lists. */
static bool is_even(const struct request *req)
{
    return !req->sizes && !req->messages;
}

static bool is_same(const struct request *a, const struct request *b)
{
    return a->op == b->op && a->ranks == b->ranks && a->root == b->root && a->bytes == b->bytes &&
           a->grain == b->grain && a->ordered == b->ordered && a->steady == b->steady;
}

/* With the lock. */
static struct first_choice *find(const struct first_choices *choices, const struct request *req)
{
    for (int i = 0; i < FIRST_CHOICES && choices->at[i]; i++)
        if (is_same(&choices->at[i]->req, req))
            return choices->at[i];
    return NULL;
}

bool first_choices_find(struct first_choices *choices, const struct request *req,
                        struct choice *choice, struct shortlist *shortlist)
{
    if (!is_even(req))
        return false;
    pthread_mutex_lock(&choices->lock);
    const struct first_choice *found = find(choices, req);
    if (found) {
        *choice = found->choice;
        *shortlist = found->shortlist;
    }
    pthread_mutex_unlock(&choices->lock);
    return found;
}

void first_choices_keep(struct first_choices *choices, const struct request *req,
                        const struct choice *choice, const struct shortlist *shortlist)
{
    if (!is_even(req))
        return;
    pthread_mutex_lock(&choices->lock);
    /* The oldest entry is replaced. Two threads may have chosen for the same request; one is kept.
     */
    struct first_choice **place = &choices->at[choices->next];
    if (!find(choices, req) && (*place || (*place = malloc(sizeof **place)))) {
        **place = (struct first_choice){*req, *choice, *shortlist};
        choices->next = (choices->next + 1) % FIRST_CHOICES;
    }
    pthread_mutex_unlock(&choices->lock);
}
