/* bounds_kept.h - lower bounds of one request, which take long and are asked for once a plan. */
#pragma once
#include "model/bounds/bound.h"

#include <string.h>

struct bounds_kept {
    hn_time of[PORT_MEDIA + 1][2]; /* by port, of plans in one segment and in more; -1: not known */
};

/* For another request or network. */
static inline void bounds_forget(struct bounds_kept *kept)
{
    memset(kept->of, -1, sizeof kept->of);
}

static inline hn_time bounds_of(struct bounds_kept *kept, const struct request *req,
                                const struct model *model, bool segmented)
{
    hn_time *bound = &kept->of[model->port][segmented];
    if (*bound < 0)
        *bound = lower_bound(req, model, segmented);
    return *bound;
}
