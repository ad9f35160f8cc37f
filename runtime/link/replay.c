/* replay.c - the replay window (method: replay.h). */
#include "link/replay.h"

/* Numbers below `first` belong to the time before the connection. */
void replay_start(struct replay *r, uint64_t first)
{
    *r = (struct replay){.first = first, .top = first / REPLAY_WORD};
}

/* Moves the end of the window to that word, and clears the words that enter the window. */
static void move_window(struct replay *r, uint64_t word)
{
    uint64_t fresh = word - r->top;

    for (uint64_t i = 0; i < fresh && i < REPLAY_WORDS; i++)
        r->seen[(word - i) % REPLAY_WORDS] = 0;
    r->top = word;
}

/* Three cases: below the window or below `first` (refused), inside the window (its bit decides),
 * above it (the window moves).  O(1), except for a large jump, which clears at most REPLAY_WORDS
 * words. */
bool replay_accept(struct replay *r, uint64_t number)
{
    uint64_t word = number / REPLAY_WORD, bit = UINT64_C(1) << number % REPLAY_WORD;

    if (number < r->first || (word < r->top && r->top - word >= REPLAY_WORDS))
        return false;
    if (word > r->top)
        move_window(r, word);
    if (r->seen[word % REPLAY_WORDS] & bit)
        return false;
    r->seen[word % REPLAY_WORDS] |= bit;
    return true;
}
