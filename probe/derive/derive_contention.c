/* derive_contention.c - what a transfer took alone, and at the same time as others
 * (derive_contention.h). */
#include "derive/derive_contention.h"
#include "derive/medium.h"

const struct sample *trial_last_way(const struct samples *samples, int i)
{
    const struct sample *both = &samples->sample[i];
    for (int k = i - 1; k >= 0; k--) {
        const struct sample *s = &samples->sample[k];
        if (s->kind == SAMPLE_WAY && s->from == both->from && s->to == both->to &&
            s->bytes == both->bytes)
            return s;
    }
    return both;
}

int64_t trial_small_time(const struct derivation *d, const struct sample *s)
{
    return derivation_small_time(d, s->from, s->to);
}

bool trial_is_possible(const struct derivation *d, const struct sample *s)
{
    return s->count && s->from < d->n && s->to < d->n && s->from != s->to;
}

double trial_slower(const struct derivation *d, const struct samples *samples, int i)
{
    const struct sample *s = &samples->sample[i];
    return medium_slower(trial_last_way(samples, i), s, trial_small_time(d, s));
}

int64_t trial_bytes_time(const struct derivation *d, const struct sample *s)
{
    return s->best - 2 * trial_small_time(d, s);
}
