/* lists.c - drawing lists of destinations (lists.h). */
#include "lists.h"

#include <stdint.h>
#include <stdlib.h>

bool lists_reach(int source, int to)
{
    uint64_t x = ((uint64_t)source << 32 | (uint32_t)to) + 0x9e3779b97f4a7c15u;

    /* The finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return source != to && (x ^ x >> 31) % 2 == 0;
}

/* The lists stand behind the messages. */
hn_multicast_message *lists_new(int n, size_t bytes)
{
    size_t count = (size_t)n;
    hn_multicast_message *messages =
        malloc(count * sizeof *messages + count * count * sizeof *messages->to);
    int *to = messages ? (int *)(messages + count) : NULL;

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

void lists_free(hn_multicast_message *messages)
{
    free(messages);
}
