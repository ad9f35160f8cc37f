/* routes.h - who takes which frame of the agent. */
#ifndef HNOW_ROUTES_H
#define HNOW_ROUTES_H

#include "job/agent.h"

extern const struct agent_route task_routes[];

#endif
