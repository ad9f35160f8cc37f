/* problem.c - the message sizes for which planners compare pairs of ranks (planner.h). */
#include "planners/planner.h"

int64_t choice_bytes(const struct choice *choice, const struct request *req)
{
    int64_t bytes = 0, parts = request_parts(req), whole = request_part_bytes(req, 0);
    if (parts == 1 && choice->segment > 0 && choice->segment < whole)
        return choice->segment;
    if (parts == 1 || (!req->sizes && !req->messages))
        return whole;
    for (int part = 0; part < parts; part++)
        bytes += request_part_bytes(req, part);
    return bytes / parts;
}

int64_t problem_bytes(const struct problem *problem)
{
    struct choice choice = {.segment = problem->segment};
    return problem->matrix ? problem->matrix->bytes : choice_bytes(&choice, problem->req);
}
