/* derive_contention.h - transfers at the same time, as samples; private to derive*.c. */
#ifndef HNOW_DERIVE_CONTENTION_H
#define HNOW_DERIVE_CONTENTION_H

#include "derive/derivation.h"

/* The last sample of one transfer alone before sample number i, of the same pair and size; itself
 * when there is none. */
const struct sample *trial_last_way(const struct samples *samples, int i);

/* A small message's time on a sample's way. */
int64_t trial_small_time(const struct derivation *d, const struct sample *s);

/* It was measured, between two hosts. */
bool trial_is_possible(const struct derivation *d, const struct sample *s);

/* How many times as long as alone the bytes of sample number i took; 0: unknown. */
double trial_slower(const struct derivation *d, const struct samples *samples, int i);

/* Time of the bytes alone. */
int64_t trial_bytes_time(const struct derivation *d, const struct sample *s);

#endif
