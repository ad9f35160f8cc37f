/* defaults.h - default plans for networks that have not been measured. */
#pragma once

#include "planners/planner.h"

/* Sets the usual choice for the operation at its size; `plain`: no composed plan. false: there is
 * no default. */
bool defaults_choose(const struct request *req, bool plain, struct choice *choice);
/* For many tasks on few cores: sets the plan with the fewest messages. false if it would move more
 * bytes than others, or is not known to be better. */
bool defaults_choose_few(const struct request *req, struct choice *choice);
/* For many tasks on few cores of one host and short data: sets a star. Its root finds several
 * messages each time it wakes up, while inner ranks of a tree wake up for each message. false for
 * other requests. */
bool defaults_choose_star(const struct request *req, struct choice *choice);
