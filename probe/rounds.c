/* rounds.c - the circle method of round-robin tournaments.
 *
 * With an even number of places, place n-1 stays and the others turn by one in each round; two
 * places meet when their numbers add up to the round, modulo n-1.  With an odd number of hosts the
 * standing place is empty and whoever meets it rests.
 */
#include "rounds.h"

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
