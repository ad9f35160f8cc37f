/* turn.c - the line (turn.h). */
#include "turn.h"

#include "activity.h"

void turns_init(struct turns *t)
{
    *t = (struct turns){0};
    pthread_mutex_init(&t->lock, NULL);
    list_init(&t->line);
}

void turns_free(struct turns *t)
{
    pthread_mutex_destroy(&t->lock);
}

bool turn_take(struct turns *t, struct turn *turn)
{
    pthread_mutex_lock(&t->lock);
    bool there = !t->closed && !t->called;
    turn->gate = (hn_request){0};
    list_init(&turn->node);
    if (!there)
        list_append(&t->line, &turn->node);
    pthread_mutex_unlock(&t->lock);
    return there;
}

void turn_pass(struct turn *turn)
{
    activity_await(&turn->gate);
}

void turns_close(struct turns *t)
{
    pthread_mutex_lock(&t->lock);
    t->closed = true;
    pthread_mutex_unlock(&t->lock);
}

/* The next in line; NULL: there is none, or it must wait. */
static struct turn *next(struct turns *t)
{
    struct turn *turn = NULL;
    pthread_mutex_lock(&t->lock);
    if (!t->closed && !list_empty(&t->line)) {
        turn = list_entry(t->line.next, struct turn, node);
        list_remove(&turn->node);
    }
    t->called = turn != NULL;
    pthread_mutex_unlock(&t->lock);
    return turn;
}

void turns_open(struct turns *t)
{
    pthread_mutex_lock(&t->lock);
    t->closed = false;
    t->called = true;
    pthread_mutex_unlock(&t->lock);
    for (struct turn *turn; (turn = next(t));) {
        if (turn->plan)
            turn->plan(turn);
        activity_open(&turn->gate);
    }
}
