/* thumb.h - rules of thumb: a plan for a network that nobody has measured. */
#ifndef HNOW_COLL_THUMB_H
#define HNOW_COLL_THUMB_H

#include "planner.h"

/* The usual choice for the operation at its size, `plain`: none that is made of others; false when
 * there is no rule for the request. */
bool thumb_choose(const struct request *req, bool plain, struct choice *choice);

#endif
