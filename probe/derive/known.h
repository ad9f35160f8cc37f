/* known.h - what a network file says already, when hosts have been added to it: only the new ones
 * are measured. */
#ifndef HNOW_KNOWN_H
#define HNOW_KNOWN_H

#include "net/net.h"
#include "derive/sample.h"

/* known[rank] says whether the file states costs of host[rank]; the number of those.  0 when the
 * file knows all of them, too: then they are measured again. */
int known_hosts(const hn_net *net, const int *host, int n, bool *known);

/* The samples that the known hosts of the model would give, so that a model can be derived from
 * them and those of the new hosts: HN_OK or HN_ENOMEM. */
int known_samples(const hn_net *net, const int *host, int n, const bool *known,
                  struct samples *samples);

#endif
