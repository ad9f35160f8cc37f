/* step.c - sends and receives steps (step.h).
 *
 * A step is an array of HN_INT64, so hosts of unlike byte order can take part. Steps and data
 * have different tags, and messages between two tasks keep their order.
 */
#include "step.h"

#include "fail.h"

enum { TAG_STEP = 7100, STEP_WORDS = sizeof(struct step) / sizeof(int64_t) };

bool step_send(hn_tid to, const struct step *s)
{
    return hn_send(to, TAG_STEP, s, STEP_WORDS, HN_INT64) == HN_OK || fail_hn("hn_send");
}

/* Blocks, and thereby uses no processor between two steps. */
bool step_receive(hn_tid from, struct step *s)
{
    return hn_recv(from, TAG_STEP, s, STEP_WORDS, HN_INT64, NULL) == HN_OK || fail_hn("hn_recv");
}

/* The first false result of serve() ends the loop. */
bool step_follow(hn_tid leader, bool (*serve)(void *data, const struct step *s), void *data)
{
    struct step s;

    while (step_receive(leader, &s))
        if (s.what == STEP_END)
            return true;
        else if (!serve(data, &s))
            return false;
    return false;
}

bool step_send_all(const struct step *s)
{
    /* One message for each, in the order of ranks: a step is short. */
    for (int rank = 1; rank < hn_size(); rank++)
        if (!step_send(hn_group_tid(hn_world(), rank), s))
            return false;
    return true;
}
