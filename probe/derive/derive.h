/* derive.h - a network model from samples. */
#pragma once

#include "net/net.h"
#include "derive/previous.h"
#include "derive/sample.h"

struct derive_notes {
    /* Relative errors of the model's times against the samples, over all ways and sizes: root of
     * the mean square, and the largest. */
    double residual, worst;
    int missing; /* ordered pairs of which nothing is known */
};

/* Fills the model of the hosts that were measured: sample rank r is host host[r], and ranks are
 * 0 ... n-1.  Costs, subnets, sites and speeds of these hosts are set; tolerance (millionths) is
 * ECO's.  What `previous` states of hosts that it knows is kept; NULL: nothing.  HN_OK or
 * HN_ENOMEM.
 */
int derive_model(hn_net *net, const int *host, int n, const struct samples *samples,
                 int64_t tolerance, const struct previous *previous, struct derive_notes *notes);
