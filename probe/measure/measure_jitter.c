/* measure_jitter.c - many round trips between hosts whose messages take now longer, now shorter.
 *
 * Over radio, and on busy lines, the least of thirty round trips is luck: it differs from pair to
 * pair by more than subnets do.  Pairs whose usual times are far from the least ones are measured
 * twice more, at different moments, each time often enough for a median that can be believed.
 *
 * Such times may come of the measuring itself: pairs of one subnet share its wire, if that is a bus
 * (which is not known yet), and then each usually waits for another's message. So here, unless they
 * are many, no two pairs that touch the same subnet are measured at the same time.
 */
#include "measure/measurement_state.h"
#include "derive/jitter.h"

enum { TURNS = 2, SIZES = 2, OFTEN = 64, APART_MOST = 100 /* pairs */ };
/* Of all of them, if they are many; of a pair's pings of one size at least, and at most. */
static const int64_t whole_ns = 5000000000, least_ns = 20000000, most_ns = 300000000;

/* By the mean of both sizes: one of them may have been disturbed all the time. */
static bool is_varied(const struct campaign *c, int at)
{
    int64_t least = c->small[at] / 2 + c->page[at] / 2;
    return c->median[0][at] < HN_TIME_MOST && c->median[1][at] < HN_TIME_MOST &&
           varied_usual(least, c->median[0][at] / 2 + c->median[1][at] / 2) > least;
}

/* Those that are near, or those that are not; in the order of a tournament's rounds. */
static void list_varied(struct campaign *c, bool near)
{
    c->pairs = 0;
    for (int round = 0; round < rounds_count(c->n); round++)
        for (int a = 0; a < c->n; a++) {
            int b = rounds_partner(c->n, round, a);
            if (b > a && campaign_is_wanted(c, a, b) && campaign_is_near(c, a, b) == near &&
                is_varied(c, a * c->n + b))
                c->pair[c->pairs++] = (struct rounds_pair){.from = a, .to = b};
        }
}

static struct job ping_often(const struct campaign *c, const struct rounds_pair *pair,
                             int64_t bytes, int64_t budget_ns)
{
    struct job job = campaign_ping(c, pair->from, pair->to, bytes, OFTEN);
    job.order.budget_ns = budget_ns;
    job.order.settle = 0;
    job.sample.kind = SAMPLE_VARIED;
    return job;
}

/* The lesser of all turns' medians. */
static void keep_usual(int64_t *usual, const struct sample *sample)
{
    if (sample->count && sample->median < *usual)
        *usual = sample->median;
}

static void measure(struct campaign *c, const int *chosen, int count, int64_t budget_ns)
{
    for (int i = 0; i < count; i++) {
        const struct rounds_pair *pair = &c->pair[chosen[i]];
        c->job[SIZES * i] = ping_often(c, pair, CAMPAIGN_SMALL, budget_ns);
        c->job[SIZES * i + 1] = ping_often(c, pair, CAMPAIGN_PAGE, budget_ns);
    }
    conduct(&c->conductor, c->job, SIZES * count);
    for (int i = 0; i < count; i++) {
        int at = c->pair[chosen[i]].from * c->n + c->pair[chosen[i]].to;
        keep_usual(&c->usual[0][at], &c->job[SIZES * i].sample);
        keep_usual(&c->usual[1][at], &c->job[SIZES * i + 1].sample);
    }
}

static int64_t budget_of(int pairs, int width)
{
    int64_t each = whole_ns / (TURNS * SIZES * ((pairs + width - 1) / width));
    return each < least_ns ? least_ns : each > most_ns ? most_ns : each;
}

static void measure_pairs(struct campaign *c, bool near)
{
    int width = near ? c->near_width : c->far_width;
    list_varied(c, near);
    if (c->pairs == 0 || width == 0)
        return;
    bool apart = c->pairs <= APART_MOST;
    int64_t budget_ns = budget_of(c->pairs, apart ? 1 : width);
    for (int count;
         (count = rounds_next(c->pair, c->pairs, c->n, c->group, c->busy, c->chosen)) > 0;) {
        for (int done = 0, some; done < count; done += some) {
            int *rest = c->chosen + done;
            some = count - done < width ? count - done : width;
            if (apart)
                some = rounds_apart(c->pair, c->group, rest, count - done, width);
            measure(c, rest, some, budget_ns);
        }
        campaign_progress(c, "times that vary");
    }
}

static void believe(struct campaign *c, int a, int b)
{
    int there = a * c->n + b, back = b * c->n + a;
    int64_t *of[SIZES] = {c->small, c->page};
    for (int size = 0; size < SIZES; size++)
        if (c->usual[size][there] < HN_TIME_MOST)
            of[size][there] = of[size][back] = varied_usual(of[size][there], c->usual[size][there]);
}

void campaign_varied(struct campaign *c)
{
    for (int i = 0; i < c->n * c->n; i++)
        c->usual[0][i] = c->usual[1][i] = HN_TIME_MOST;
    for (int turn = 0; turn < TURNS; turn++) {
        measure_pairs(c, true);
        measure_pairs(c, false);
    }
    for (int a = 0; a < c->n; a++)
        for (int b = a + 1; b < c->n; b++)
            if (c->usual[0][a * c->n + b] < HN_TIME_MOST)
                believe(c, a, b);
}
