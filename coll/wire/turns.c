/* turns.c - the line (turns.h). */
#include "wire/turns.h"

#include "job/internal.h"

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

static void join(struct turns *t, struct turn *turn)
{
    turn->gate = (hn_request){0};
    turn->in_line = true;
    turn->ready = false;
    list_append(&t->line, &turn->node);
}

/* With the lock: the next in line; NULL: there is none, or it must wait. */
static struct turn *next(struct turns *t)
{
    if (t->closed || list_empty(&t->line))
        return NULL;
    struct turn *turn = list_entry(t->line.next, struct turn, node);
    if (!turn->ready)
        return NULL;
    list_remove(&turn->node);
    turn->in_line = false;
    return turn;
}

/* With the lock, which is free while somebody plans: those whose turn it is, one after the other.
 * `own` is planned for its caller, who does not wait at its gate. */
static void call_line(struct turns *t, const struct turn *own)
{
    if (t->called)
        return; /* whoever does that goes on with them */
    t->called = true;
    for (struct turn *turn; (turn = next(t));) {
        pthread_mutex_unlock(&t->lock);
        if (turn->plan)
            turn->plan(turn);
        if (turn != own)
            activity_open(&turn->gate);
        pthread_mutex_lock(&t->lock);
    }
    t->called = false;
}

static bool get_ready(struct turns *t, struct turn *turn)
{
    turn->ready = true;
    /* Else somebody else may plan it. */
    bool own = !t->called;
    call_line(t, own ? turn : NULL);
    return own && !turn->in_line;
}

void turn_join(struct turns *t, struct turn *turn)
{
    pthread_mutex_lock(&t->lock);
    join(t, turn);
    pthread_mutex_unlock(&t->lock);
}

bool turn_ready(struct turns *t, struct turn *turn)
{
    pthread_mutex_lock(&t->lock);
    bool there = get_ready(t, turn);
    pthread_mutex_unlock(&t->lock);
    return there;
}

bool turn_take(struct turns *t, struct turn *turn)
{
    pthread_mutex_lock(&t->lock);
    join(t, turn);
    bool there = get_ready(t, turn);
    pthread_mutex_unlock(&t->lock);
    return there;
}

void turn_pass(struct turn *turn)
{
    activity_await(&turn->gate);
}

void turn_leave(struct turns *t, struct turn *turn)
{
    pthread_mutex_lock(&t->lock);
    if (turn->in_line) {
        list_remove(&turn->node);
        turn->in_line = false;
        call_line(t, NULL);
    }
    pthread_mutex_unlock(&t->lock);
}

void turns_close(struct turns *t)
{
    pthread_mutex_lock(&t->lock);
    t->closed = true;
    pthread_mutex_unlock(&t->lock);
}

void turns_open(struct turns *t)
{
    pthread_mutex_lock(&t->lock);
    t->closed = false;
    call_line(t, NULL);
    pthread_mutex_unlock(&t->lock);
}
