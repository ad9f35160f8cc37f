/* rounds.c - the circle method of round-robin tournaments.
 *
 * With an even number of places, place n-1 stays fixed and the others rotate by one in each round;
 * two places meet if their numbers add up to the round, modulo n-1.  With an odd number of hosts
 * the fixed place is empty, and the host that would meet it rests.
 */
#include "measure/rounds.h"
#include "thresholds.h"

int rounds_count(int n)
{
    return n < 2 ? 0 : n - 1 + n % 2;
}

int rounds_partner(int n, int round, int host)
{
    int turning = rounds_count(n), standing = turning;
    if (turning == 0)
        return -1;
    int partner;
    if (host == standing) {
        /* the host that would meet itself: 2 x = round, modulo an odd number */
        partner = (round % 2 ? round + turning : round) / 2;
    } else {
        partner = (round - host + turning) % turning;
        if (partner == host)
            partner = standing;
    }
    return partner < n ? partner : -1;
}

/* Greedy: the first pair that fits is taken. A cell of busy holds the round in which it was last
 * used. The first n cells are hosts; then follows one cell for each two groups. Cells keep the
 * number of a round instead of a flag, so that n * n cells need not be cleared before each
 * round. */
int rounds_next(struct rounds_pair *pair, int count, int n, const int *group, int *busy,
                int *chosen)
{
    int found = 0, round = ++busy[n];
    int *groups = busy + n + 1;
    for (int i = 0; i < count; i++) {
        int a = group[pair[i].from], b = group[pair[i].to];
        int *link = &groups[a < b ? a * n + b : b * n + a];
        int *from = &busy[pair[i].from], *to = &busy[pair[i].to];
        if (pair[i].taken || *from == round || *to == round || (a != b && *link == round))
            continue;
        pair[i].taken = true;
        *from = *to = *link = round;
        chosen[found++] = i;
    }
    return found;
}

/* Host number i of the pairs. */
static int host_at(const int *from, const int *to, int i)
{
    return i % 2 ? to[i / 2] : from[i / 2];
}

int rounds_within(const int *from, const int *to, int count, const int *part, int *first,
                  int *second)
{
    bool taken[SWITCH_HOSTS_MOST] = {false};
    int found = 0;
    for (int i = 0; i < 2 * count; i++)
        for (int k = i + 1; k < 2 * count && !taken[i]; k++) {
            int a = host_at(from, to, i), b = host_at(from, to, k);
            if (taken[k] || part[a] != part[b])
                continue;
            first[found] = a;
            second[found++] = b;
            taken[i] = taken[k] = true;
        }
    return found;
}
