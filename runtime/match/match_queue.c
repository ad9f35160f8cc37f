/* match_queue.c - posted receives and unexpected messages, in order of time (match_queue.h). */
#include "match/match_queue.h"

void match_dequeue(struct inbound *in)
{
    list_remove(&in->node);
    list_remove(&in->same);
}

void match_unpost(struct hn_request *r)
{
    list_remove(&r->node);
    list_remove(&r->same);
}

static void index_receive(struct match *m, struct hn_request *r, bool first)
{
    struct list_node *bucket = match_index_bucket(&m->posted_index, r->from, r->tag, r->context);

    (first ? list_prepend : list_append)(bucket, &r->same);
}

void match_enqueue_receive(struct match *m, struct hn_request *r, bool first)
{
    (first ? list_prepend : list_append)(&m->posted, &r->node);
    list_init(&r->same);
    if (m->posted_index.buckets)
        index_receive(m, r, first);
}

/* After a search that was too long. */
static void index_posted(struct match *m)
{
    if (!match_index_make(&m->posted_index))
        return;
    list_for_each (n, &m->posted)
        index_receive(m, list_entry(n, struct hn_request, node), false);
}

static void index_message(struct match *m, struct inbound *in, bool first)
{
    struct list_node *bucket =
        match_index_bucket(&m->unexpected_index, in->info.from, in->info.tag, in->context);

    (first ? list_prepend : list_append)(bucket, &in->same);
}

void match_enqueue_message(struct match *m, struct inbound *in, bool first)
{
    (first ? list_prepend : list_append)(&m->unexpected, &in->node);
    if (m->unexpected_index.buckets)
        index_message(m, in, first);
}

static void index_unexpected(struct match *m)
{
    if (!match_index_make(&m->unexpected_index))
        return;
    list_for_each (n, &m->unexpected)
        index_message(m, list_entry(n, struct inbound, node), false);
}

/* While a receive with a wildcard is posted, the index does not show which one is first. */
struct hn_request *match_take_posted(struct match *m, struct inbound *in)
{
    const struct match_index *x = &m->posted_index;
    bool indexed = x->buckets && list_empty(match_index_wild(x));
    struct list_node *head =
        indexed ? match_index_bucket(x, in->info.from, in->info.tag, in->context) : &m->posted;
    struct hn_request *found = NULL;
    int passed = 0;

    list_for_each_safe (n, head) {
        struct hn_request *r = indexed ? list_entry(n, struct hn_request, same)
                                       : list_entry(n, struct hn_request, node);
        passed++;
        if (!match_wants(r->from, r->tag, r->context, in))
            continue;
        match_unpost(r);
        r->info = in->info;
        if (match_fits(r, in) == HN_OK) {
            found = r;
            break;
        }
        request_finish(r, match_fits(r, in));
    }
    if (passed > MATCH_INDEX_LONG)
        index_posted(m);
    return found;
}

struct inbound *match_first_unexpected(struct match *m, hn_tid from, int tag, hn_context context,
                                       bool whole)
{
    bool exact = match_index_is_exact(from, tag), indexed = exact && m->unexpected_index.buckets;
    struct list_node *head =
        indexed ? match_index_bucket(&m->unexpected_index, from, tag, context) : &m->unexpected;
    struct inbound *found = NULL;
    int passed = 0;

    list_for_each (n, head) {
        struct inbound *in =
            indexed ? list_entry(n, struct inbound, same) : list_entry(n, struct inbound, node);
        passed++;
        if (match_wants(from, tag, context, in) && (!whole || match_is_whole(in))) {
            found = in;
            break;
        }
    }
    if (passed > MATCH_INDEX_LONG && exact)
        index_unexpected(m);
    return found;
}
