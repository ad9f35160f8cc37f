/* lists.c - random lists of destinations (lists.h). */
#include "lists.h"

#include "apps/splitmix.h"

#include <stdint.h>
#include <stdlib.h>

/* Computed from the pair instead of drawn, so that tasks need not exchange their lists. */
bool lists_reach(int source, int to)
{
    uint64_t pair = (uint64_t)source << 32 | (uint32_t)to;

    return source != to && splitmix_next(&pair) % 2 == 0;
}

/* One allocation: the lists follow the messages. */
hn_multicast_message *lists_new(int n, size_t bytes)
{
    size_t count = (size_t)n;
    hn_multicast_message *messages =
        malloc(count * sizeof *messages + count * count * sizeof *messages->to);
    /* Room for lists of all ranks, although each list has about half of them. */
    int *to = messages ? (int *)(messages + count) : NULL;

    /* O(n * n): each pair is tested once. */
    for (int source = 0; messages && source < n; source++) {
        int reached = 0;

        for (int rank = 0; rank < n; rank++)
            if (lists_reach(source, rank))
                to[reached++] = rank;
        messages[source] = (hn_multicast_message){source, to, reached, NULL, bytes};
        to += reached;
    }
    return messages;
}
