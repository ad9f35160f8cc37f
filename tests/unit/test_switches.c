/* Racks that are found by how slow exchanges across their ways out are. */
#include "derive/switches.h"
#include "random.h"
#include "measure/rounds.h"

#include <criterion/criterion.h>

enum { MOST = 24, RUNS = 200, TOURNAMENTS = 3 };

struct hall {
    int n, racks;
    int rack[MOST], size[MOST]; /* numbered by their smallest member */
    double wide[MOST];          /* transfers that a rack's way out carries as quickly as one */
};

static uint64_t state;

static int among(int count)
{
    return (int)random_below(&state, count);
}

/* Racks of two to six hosts, mixed, whose ways out carry half of what their hosts send. */
static struct hall random_hall(int racks)
{
    struct hall hall = {.racks = racks};
    int of[MOST], number[MOST], numbered = 0;
    for (int r = 0; r < racks; r++)
        for (int i = 2 + among(5); i > 0 && hall.n < MOST; i--)
            of[hall.n++] = r;
    for (int i = hall.n - 1; i > 0; i--) {
        int k = among(i + 1), rack = of[i];
        of[i] = of[k];
        of[k] = rack;
    }
    for (int r = 0; r < racks; r++)
        number[r] = -1;
    for (int i = 0; i < hall.n; i++) {
        if (number[of[i]] < 0)
            number[of[i]] = numbered++;
        hall.rack[i] = number[of[i]];
        hall.size[hall.rack[i]]++;
    }
    for (int r = 0; r < racks; r++)
        hall.wide[r] = racks > 1 ? hall.size[r] / 2.0 : MOST;
    return hall;
}

/* One round of a tournament, with a third of noise. */
static void play(const struct hall *hall, const int *place, int round, double *sum, int *count)
{
    int out[MOST] = {0};
    for (int i = 0; i < hall->n; i++) {
        int partner = rounds_partner(hall->n, round, i);
        if (partner >= 0 && hall->rack[place[i]] != hall->rack[place[partner]])
            out[hall->rack[place[i]]]++;
    }
    for (int i = 0; i < hall->n; i++) {
        int partner = rounds_partner(hall->n, round, i), a = place[i];
        int b = partner < 0 ? a : place[partner], x = hall->rack[a], y = hall->rack[b];
        double slow = 1;
        if (x != y && out[x] / hall->wide[x] > slow)
            slow = out[x] / hall->wide[x];
        if (x != y && out[y] / hall->wide[y] > slow)
            slow = out[y] / hall->wide[y];
        if (partner <= i)
            continue;
        slow *= 1 + among(333) / 1000.0;
        sum[a * hall->n + b] = sum[b * hall->n + a] += slow;
        count[a * hall->n + b] = count[b * hall->n + a] = count[a * hall->n + b] + 1;
    }
}

static int found(const struct hall *hall, int *rack)
{
    double slow[MOST * MOST] = {0};
    int count[MOST * MOST] = {0}, place[MOST];
    for (int i = 0; i < hall->n; i++)
        place[i] = i;
    for (int t = 0; t < TOURNAMENTS; t++) {
        for (int i = hall->n - 1; i > 0; i--) {
            int k = among(i + 1), host = place[i];
            place[i] = place[k];
            place[k] = host;
        }
        for (int round = 0; round < rounds_count(hall->n); round++)
            play(hall, place, round, slow, count);
    }
    for (int i = 0; i < hall->n * hall->n; i++)
        slow[i] = count[i] ? slow[i] / count[i] : 0;
    return switches_divide(hall->n, slow, rack);
}

Test(switches, are_found_again)
{
    int right = 0, rack[MOST];
    state = random_seed();
    for (int run = 0; run < RUNS; run++) {
        struct hall hall = random_hall(2 + among(3));
        bool same = found(&hall, rack) == hall.racks;
        for (int i = 0; i < hall.n; i++)
            same &= rack[i] == hall.rack[i];
        right += same;
    }
    cr_expect_geq(right, RUNS * 9 / 10, "%d of %d", right, RUNS);
}

Test(switches, are_not_found_where_there_are_none)
{
    int rack[MOST];
    state = random_seed();
    for (int run = 0; run < RUNS; run++) {
        struct hall hall = random_hall(1);
        cr_expect_eq(found(&hall, rack), 1);
    }
}

/* Of two racks whose hosts are mixed in one subnet and in another; one host has no label, and is
 * nearest to host 2. */
Test(switches, split_subnets)
{
    enum { N = 6 };
    int64_t cost[N * N];
    int label[N] = {0, 1, 0, -1, 7, -1}, subnet_of[N] = {0, 0, 0, 0, 1, 1};
    for (int i = 0; i < N * N; i++)
        cost[i] = 1000;
    cost[3 * N + 2] = 900;
    cr_expect_eq(switches_split(N, cost, label, subnet_of), 3);
    cr_expect_arr_eq(subnet_of, ((int[]){0, 1, 0, 0, 2, 2}), sizeof subnet_of);
}
