/* routes.h - which function processes which frame of the agent. */
#pragma once

#include "job/agent.h"

extern const struct agent_route task_routes[];
