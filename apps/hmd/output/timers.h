/* timers.h - where the time of a run goes.
 *
 * A step is: the forces of the own share (with the neighbour list), the exchange, and the
 * integration of the own atoms.  Time in the exchange is partly waiting for tasks that are still
 * computing: each task informs the others how long its forces took (one double a task, with the sum
 * of the forces), and what the slowest took longer than oneself is waiting.
 */
#pragma once

/* The list is a part of the forces. */
enum timers_part {
    TIMERS_STEP,
    TIMERS_FORCE,
    TIMERS_LIST,
    TIMERS_COMM,
    TIMERS_WAIT,
    TIMERS_REST,
    TIMERS_PARTS
};

struct timers {
    double step, force, list, comm, wait; /* seconds, all steps */
    long lists;                           /* neighbour lists made */
    double needs;                         /* atoms whose places this task must know, of all */
    double least[TIMERS_PARTS], mean[TIMERS_PARTS],
        most[TIMERS_PARTS]; /* of the tasks' seconds;
                               set when the run is over */
    long steps;
    double *share; /* of each task, at the end of the run; mem_free() */
    int *ring;     /* ranks in the order in which shares stand; mem_free() */
};

/* Seconds on a clock that only goes forward. */
double timers_now(void);
/* Seconds that this thread has computed, or could have if it had been given a processor: waiting
 * for other programs or for a quota counts, waiting for messages does not.  Negative where the
 * machine does not tell. */
double timers_busy(void);
