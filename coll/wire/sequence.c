/* sequence.c - the queue of turns (sequence.h). */
#include "wire/sequence.h"

void sequence_init(struct sequence *t)
{
    *t = (struct sequence){0};
    pthread_mutex_init(&t->lock, NULL);
    list_init(&t->line);
}

void sequence_free(struct sequence *t)
{
    pthread_mutex_destroy(&t->lock);
}

static void join(struct sequence *t, struct turn *turn)
{
    turn->gate = (hn_request){0};
    turn->in_line = true;
    turn->ready = false;
    list_append(&t->line, &turn->node);
}

/* Lock held. The next turn that can be planned; NULL: none, or it must wait. */
static struct turn *next(struct sequence *t)
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

/* Lock held; released while a turn is planned. Calls all turns that can be planned, in order. `own`
 * belongs to the caller, which does not wait at its gate. */
static void call_line(struct sequence *t, const struct turn *own)
{
    if (t->called)
        return; /* the thread that does it continues with them */
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

static bool get_ready(struct sequence *t, struct turn *turn)
{
    turn->ready = true;
    /* Otherwise another thread may plan it. */
    bool own = !t->called;
    call_line(t, own ? turn : NULL);
    return own && !turn->in_line;
}

void turn_join(struct sequence *t, struct turn *turn)
{
    pthread_mutex_lock(&t->lock);
    join(t, turn);
    pthread_mutex_unlock(&t->lock);
}

bool turn_ready(struct sequence *t, struct turn *turn)
{
    pthread_mutex_lock(&t->lock);
    bool there = get_ready(t, turn);
    pthread_mutex_unlock(&t->lock);
    return there;
}

bool turn_take(struct sequence *t, struct turn *turn)
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

void turn_leave(struct sequence *t, struct turn *turn)
{
    pthread_mutex_lock(&t->lock);
    if (turn->in_line) {
        list_remove(&turn->node);
        turn->in_line = false;
        call_line(t, NULL);
    }
    pthread_mutex_unlock(&t->lock);
}

void sequence_close(struct sequence *t)
{
    pthread_mutex_lock(&t->lock);
    t->closed = true;
    pthread_mutex_unlock(&t->lock);
}

void sequence_open(struct sequence *t)
{
    pthread_mutex_lock(&t->lock);
    t->closed = false;
    call_line(t, NULL);
    pthread_mutex_unlock(&t->lock);
}
