/* doubling.c - exchanges at growing distances: recursive doubling and dissemination, and variants
 * of a larger radix with more messages in fewer stages.
 *
 * Recursive doubling (CHARMM's butterfly, ECO section 6): q is the largest power of two <= n. The
 * ranks >= q first send their data to rank - q. Then in stages s = 1, 2, 4, ... < q the ranks r and
 * r xor s exchange everything they hold. Finally the ranks >= q get the result. It has log2 n
 * stages, where a tree up and down has 2 log2 n. All ranks send in each stage, which suits switches
 * and, as ECO shows, not buses. All ranks combine in the same order, so all get the same bits. The
 * contribution of a rank >= q is combined next to that of rank - q. So the order of operands is
 * kept only if n is a power of two.
 *
 * With radix k (recursive multiplying: Ruefenacht, Bull and Booth 2017) up to k ranks exchange in a
 * stage, every rank with all others, and q is the largest product of factors <= k. For 64 ranks and
 * k = 8 there are two stages of 7 messages instead of six of one message. This suits latencies that
 * are long compared to the time for which a message occupies its ranks.
 *
 * Dissemination (Hensgen, Finkel and Manber) for the barrier: in stage s = 1, k, k^2, ... < n rank
 * r notifies r + s, r + 2 s, ..., r + (k - 1) s of all ranks that have arrived (k = 2; k > 2:
 * Hoefler, Mehlan, Mietke and Rehm 2006). It has ceil(log_k n) stages for every n.
 */
#include "planners/planners.h"

#include "hnow.h"

#include <stdlib.h>

/* One exchange among some ranks. Positions in member[] are what the algorithm calls ranks. */
struct doubling {
    const int *member;
    int count, q;
    bool gather; /* gathers all parts; else combines values */
    int *parts;  /* workspace for a list of them */
    int *run;    /* [member]: start of the list of what it holds */
    struct plan *plan;
};

/* Members that exchange in a stage: first, first + s, ..., first + (factor - 1) s. */
struct partners {
    int first, s, factor;
};

/* ---- radices ---------------------------------------------------------------------------- */

/* The largest factor <= radix of a number; 1: it has none. */
static int factor_of(int number, int radix)
{
    int factor = number < radix ? number : radix;
    while (number % factor)
        factor--;
    return factor;
}

/* Whether a number is a product of factors <= radix. */
static bool is_product(int number, int radix)
{
    for (int factor; number > 1; number /= factor)
        if ((factor = factor_of(number, radix)) == 1)
            return false;
    return true;
}

/* The loop ends at 1, which is an empty product. */
static int largest_product(int most, int radix)
{
    while (!is_product(most, radix))
        most--;
    return most;
}

/* ---- a stage ---------------------------------------------------------------------------- */

/* Lists what member r < q holds before stage s of an allgather: the parts of the s members of its
 * aligned run, and those of their partners from q on. Returns the number of parts. */
static int held(const struct doubling *d, int r, int s)
{
    int first = r / s * s, count = 0;
    for (int i = first; i < first + s; i++)
        d->parts[count++] = i;
    for (int i = first; i < first + s; i++)
        if (i + d->q < d->count)
            d->parts[count++] = i + d->q;
    return count;
}

/* Every rank sends the parts that it holds to all others of the stage, starting with the next
 * one. */
static void send_to_all(struct doubling *d, struct partners m)
{
    for (int i = 0; i < m.factor; i++) {
        int r = m.first + i * m.s, count = held(d, r, m.s);
        d->run[r] = plan_list(d->plan, d->parts, count);
        for (int k = 1; k < m.factor; k++)
            plan_step(d->plan, d->member[r], PLAN_SEND,
                      d->member[m.first + (i + k) % m.factor * m.s], d->run[r], count);
    }
}

/* Appends the receives of a stage in the order of arrival. */
static void receive_from_all(struct doubling *d, struct partners m)
{
    for (int i = 0; i < m.factor; i++)
        for (int k = 1; k < m.factor; k++) {
            int from = m.first + (i + m.factor - k) % m.factor * m.s;
            plan_step(d->plan, d->member[m.first + i * m.s], PLAN_RECV, d->member[from],
                      d->run[from], held(d, from, m.s));
        }
}

/* Appends the receives of member i, which combines in the order of the list, as all members do:
 * ((first o second) o third) o ... A member after the first two saves its own value, by a message
 * to itself, until its position is reached. */
static void combine_in_order(struct plan *plan, const int *member, int count, int i)
{
    int own = member[i];
    if (i > 1) {
        plan_step(plan, own, PLAN_SEND, own, 0, 1);
        plan_step(plan, own, PLAN_RECV, member[0], 0, 1);
    }
    if (i == 1)
        plan_step(plan, own, PLAN_FOLD_LEFT, member[0], 0, 1);
    for (int k = 1; k < count; k++)
        if (k != i || i > 1)
            plan_step(plan, own, PLAN_FOLD_RIGHT, member[k], 0, 1);
}

void planner_combine_ends(const int *member, int count, struct plan *plan)
{
    for (int i = 0; i < count; i++)
        combine_in_order(plan, member, count, i);
}

void planner_combine_up(const int *member, int count, struct plan *plan)
{
    for (int s = 1; s < count; s *= 2)
        for (int i = 0; i + s < count; i += 2 * s)
            plan_message(plan, member[i + s], member[i], PLAN_FOLD_RIGHT, 0, 1);
}

void planner_combine_all(const int *member, int count, struct plan *plan)
{
    for (int i = 0; i < count; i++)
        for (int k = 1; k < count; k++)
            plan_step(plan, member[i], PLAN_SEND, member[(i + k) % count], 0, 1);
    planner_combine_ends(member, count, plan);
}

/* One group of partners in one stage. */
static void write_exchange(struct doubling *d, struct partners m)
{
    if (d->gather) {
        send_to_all(d, m);
        receive_from_all(d, m);
        return;
    }
    for (int i = 0; i < m.factor; i++)
        d->parts[i] = d->member[m.first + i * m.s];
    planner_combine_all(d->parts, m.factor, d->plan);
}

/* Groups begin where the digit of the position at s is 0. */
static void exchange(struct doubling *d, int s, int factor)
{
    for (int r = 0; r < d->q; r++)
        if (r / s % factor == 0)
            write_exchange(d, (struct partners){r, s, factor});
}

/* ---- all stages ------------------------------------------------------------------------- */

/* Members from q on send their values first, and get the result last. */
static void double_up(struct doubling *d, int radix)
{
    for (int r = d->q; r < d->count; r++)
        plan_message(d->plan, d->member[r], d->member[r - d->q],
                     d->gather ? PLAN_RECV : PLAN_FOLD_RIGHT, d->gather ? r : 0, 1);
    for (int s = 1; s < d->q;) {
        int factor = factor_of(d->q / s, radix);
        exchange(d, s, factor);
        s *= factor;
    }
    for (int r = d->q; r < d->count; r++)
        plan_message(d->plan, d->member[r - d->q], d->member[r], PLAN_RECV, 0,
                     d->gather ? d->count : 1);
}

void planner_exchange_doubling(const int *member, int count, int radix, bool gather,
                               struct plan *plan)
{
    struct doubling d = {.member = member,
                         .count = count,
                         .q = largest_product(count, radix),
                         .gather = gather,
                         .parts = malloc((size_t)count * sizeof *d.parts),
                         .run = malloc((size_t)count * sizeof *d.run),
                         .plan = plan};
    if (d.parts && d.run)
        double_up(&d, radix);
    else
        plan_fail(plan, HN_ENOMEM);
    free(d.parts);
    free(d.run);
}

void planner_doubling(const struct problem *problem, struct plan *plan)
{
    int n = problem->req->ranks, *member = malloc((size_t)n * sizeof *member);
    plan_cut(plan, problem->req, 0);
    for (int rank = 0; rank < n && member; rank++)
        member[rank] = rank;
    if (!member)
        plan_fail(plan, HN_ENOMEM);
    else if (problem->arity < 2)
        plan_fail(plan, HN_EPLAN);
    else
        planner_exchange_doubling(member, n, problem->arity, !request_combines(problem->req), plan);
    free(member);
}

/* Appends a stage of dissemination: every rank sends to `others` ranks, at multiples of distance s.
 */
static void write_stage(struct plan *plan, int s, int others)
{
    int n = plan->ranks;
    for (int r = 0; r < n; r++)
        for (int j = 1; j <= others; j++)
            plan_step(plan, r, PLAN_SEND, (r + j * s) % n, 0, 1);
    for (int r = 0; r < n; r++)
        for (int j = 1; j <= others; j++)
            plan_step(plan, r, PLAN_FOLD_RIGHT, (r - j * s + n) % n, 0, 1);
}

void planner_dissemination(const struct problem *problem, struct plan *plan)
{
    int n = problem->req->ranks, radix = problem->arity;
    plan_cut(plan, problem->req, 0);
    if (radix < 2)
        plan_fail(plan, HN_EPLAN);
    for (int64_t s = 1; s < n && radix > 1; s *= radix)
        write_stage(plan, (int)s, (n - 1) / (int)s < radix - 1 ? (n - 1) / (int)s : radix - 1);
}
