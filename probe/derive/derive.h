/* derive.h - derives a network model from samples. */
#pragma once

#include "net/net.h"
#include "derive/previous.h"
#include "derive/sample.h"

struct derive_notes {
    /* Relative errors of the model's times against the samples, over all routes and sizes: root
     * mean square, and maximum. */
    double residual, worst;
    int missing; /* ordered pairs without any sample */
};

/* Fills in the model of the measured hosts: costs, subnets, sites and speeds.  Rank r of the
 * samples, 0 ... n-1, is host host[r] of the model. tolerance is ECO's, in millionths.  Values that
 * `previous` defines for its known hosts are kept; NULL: none.  Returns HN_OK or HN_ENOMEM. */
int derive_model(hn_net *net, const int *host, int n, const struct samples *samples,
                 int64_t tolerance, const struct previous *previous, struct derive_notes *notes);
