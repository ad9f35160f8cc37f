/* gates.c - queues of streams for the channels that they would fill (gates.h). */
#include "model/gates.h"

#include "model/array_grow.h"

#include <stdlib.h>

enum { AHEAD = 32 }; /* waiting streams examined when those before them cannot begin */

/* A gate is a pair of a sending host and a channel. Waiting and moving streams are linked by
 * stream.waiting; a stream is in at most one of both lists. */
struct gate {
    hn_channel channel;
    bool bus;            /* the channel is the sender's bus */
    bool listed;         /* in s->doubtful */
    int32_t first, last; /* queue of waiting streams; -1: empty */
    int32_t moving;      /* the moving stream that began last; -1: none */
};

/* ---- which stream has which gate -------------------------------------------------------- */

/* Both arrays have the same room: each gate is in s->doubtful at most once. */
static bool grow(struct gates *s)
{
    int32_t room = s->room ? 2 * s->room : 64;
    if (!ARRAY_ROOM(s->all, room) || !ARRAY_ROOM(s->doubtful, room))
        return false;
    s->room = room;
    return true;
}

/* The gate of a host at one channel of a route; created if new. false: out of memory. */
static bool gate_of(struct gates *s, const struct connection *c, int route, int32_t *number)
{
    const struct model *model = s->connections->model;
    int32_t known = s->numbers.count;
    if (known == s->room && !grow(s)) /* grows first, since a new number would count as known */
        return false;
    int32_t n = numbering_of(&s->numbers, model_host(model, c->from), c->route[route].id);
    if (n < 0)
        return false;
    if (n == known)
        s->all[n] = (struct gate){.channel = c->route[route],
                                  .bus = route == 0 && model_on_bus(model, c->from),
                                  .first = -1,
                                  .last = -1,
                                  .moving = -1};
    *number = n;
    return true;
}

/* The first channel that the connection would fill to more than half has its gate. A port part has
 * none: it does not wait for its sender. */
bool gates_find(struct gates *s, const struct connection *c, int32_t *number)
{
    *number = -1;
    for (int i = 0; i < c->hops && c->part != PART_PORT; i++)
        if (c->alone < 2 * c->route[i].per_byte)
            return gate_of(s, c, i, number);
    return true;
}

void gates_free(struct gates *s)
{
    free(s->all);
    free(s->doubtful);
    numbering_free(&s->numbers);
}

/* ---- queues ----------------------------------------------------------------------------- */

static struct gate *gate_of_stream(const struct gates *s, int32_t l)
{
    return &s->all[(*s->streams)[l].gate];
}

static int32_t behind(const struct gates *s, int32_t l)
{
    return (*s->streams)[l].waiting;
}

/* Removes a stream from a list. Returns the one before it; -1: it was the first. The list must
 * contain it. A linear search, since lists are short. */
static int32_t strike(const struct gates *s, int32_t *first, int32_t l)
{
    int32_t before = -1;
    while (*first != l) {
        before = *first;
        first = &(*s->streams)[before].waiting;
    }
    *first = behind(s, l);
    return before;
}

/* A gate without waiting streams needs no examination. */
void gates_doubt(struct gates *s, int32_t number)
{
    if (number < 0 || s->all[number].first < 0 || s->all[number].listed)
        return;
    s->all[number].listed = true;
    s->doubtful[s->doubtful_count++] = number;
}

bool gates_taken(const struct gates *s, int32_t number)
{
    return s->all[number].moving >= 0 || s->all[number].first >= 0;
}

/* true: the stream is the first one that waits. */
bool gates_wait(struct gates *s, int32_t l)
{
    struct gate *g = gate_of_stream(s, l);
    (*s->streams)[l].waiting = -1;
    if (g->first < 0)
        g->first = l;
    else
        (*s->streams)[g->last].waiting = l;
    g->last = l;
    gates_doubt(s, (*s->streams)[l].gate);
    return g->first == l;
}

bool gates_waited_for(const struct gates *s, int32_t number)
{
    return s->all[number].first >= 0;
}

int32_t gates_latest(const struct gates *s, int32_t number)
{
    return s->all[number].moving;
}

/* The mover that began last is the first in the list; its slice is cut when another stream waits.
 */
void gates_begin(struct gates *s, int32_t l)
{
    struct gate *g = gate_of_stream(s, l);
    (*s->streams)[l].waiting = g->moving;
    g->moving = l;
}

void gates_end(struct gates *s, int32_t l)
{
    strike(s, &gate_of_stream(s, l)->moving, l);
    gates_doubt(s, (*s->streams)[l].gate);
}

/* ---- who is next ------------------------------------------------------------------------ */

/* Whether more than half of the channel is unused. */
static bool much_unused(const struct gates *s, const struct gate *g)
{
    hn_per_byte per_byte = g->channel.per_byte;
    return fair_unused(s->fair, g->channel.id) / per_byte > STREAM_UNIT * 1000 / per_byte / 2;
}

/* Whether a stream has to wait for a moving one: one that moves at its full rate, or is held up by
 * a channel that the stream uses, too. */
static bool has_to_wait(const struct gates *s, int32_t l, int32_t mover)
{
    const struct connection *c = &s->connections->all[l];
    int limit = fair_limit(s->fair, mover);
    for (int i = 0; i < c->hops; i++)
        if (c->route[i].id == limit)
            return true;
    return limit < 0;
}

static bool has_to_wait_for_any(const struct gates *s, const struct gate *g, int32_t l)
{
    for (int32_t mover = g->moving; mover >= 0; mover = behind(s, mover))
        if (has_to_wait(s, l, mover))
            return true;
    return false;
}

/* The stream that may begin; -1: none. */
static int32_t may_begin(const struct gates *s, const struct gate *g)
{
    /* Without a mover, or beside one that leaves much unused, the first one begins. */
    if (g->moving < 0 || much_unused(s, g))
        return g->first;
    /* Only on a bus a stream may overtake the order, if the movers are held up elsewhere. */
    int32_t l = g->bus ? g->first : -1;
    for (int seen = 0; l >= 0 && has_to_wait_for_any(s, g, l); seen++)
        l = seen < AHEAD ? behind(s, l) : -1;
    return l;
}

/* Examines the gates that may have changed, until a stream may begin. -1: none may. */
int32_t gates_next(struct gates *s)
{
    while (s->doubtful_count > 0) {
        int32_t number = s->doubtful[--s->doubtful_count];
        struct gate *g = &s->all[number];
        g->listed = false;
        int32_t l = may_begin(s, g);
        if (l < 0)
            continue;
        int32_t before = strike(s, &g->first, l);
        g->last = g->last == l ? before : g->last;
        /* Further streams of this gate may begin, too. */
        gates_doubt(s, number);
        return l;
    }
    return -1;
}
