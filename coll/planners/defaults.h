/* defaults.h - rules of thumb: a plan for a network that nobody has measured. */
#pragma once

#include "planners/planner.h"

/* The usual choice for the operation at its size, `plain`: none that is made of others; false when
 * there is no rule for the request. */
bool defaults_choose(const struct request *req, bool plain, struct choice *choice);
/* For many tasks on few cores: the plan with the fewest messages; false where it would move more
 * bytes than others, or is not known to be better. */
bool defaults_choose_few(const struct request *req, struct choice *choice);
/* For many tasks on few cores of one host, and short data: a star, whose root finds several
 * messages each time that it wakes, while inner ranks of a tree wake for each; false for other
 * requests. */
bool defaults_choose_star(const struct request *req, struct choice *choice);
