/* known_parts.h - what the parts of known*.c share. */
#ifndef HNOW_KNOWN_PARTS_H
#define HNOW_KNOWN_PARTS_H

#include "derive/known.h"

int64_t known_nanoseconds(hn_time time);
/* One-way, of two ranks, in nanoseconds. */
int64_t known_time(const hn_net *net, const int *host, int from, int to, int64_t bytes);
/* One sample: HN_OK or HN_ENOMEM. */
int known_put(struct samples *samples, enum sample_kind kind, int from, int to, int64_t bytes,
              int64_t ns);
/* Of what known hosts' transfers share. */
int known_shared(const hn_net *net, const int *host, int n, const bool *known,
                 struct samples *samples);

#endif
