/* timers.h - the distribution of a run's time.
 *
 * A step consists of the forces of the own share (with the neighbour list), the exchange, and the
 * integration of the own atoms.  Time in the exchange is partly waiting for tasks that are still
 * computing.  Each task sends the others the time of its forces (one double per task, with the sum
 * of forces); the excess of the slowest task's time is waiting.
 */
#pragma once

/* The list is a part of the forces. REST is what remains of STEP without FORCE, COMM and WAIT. */
enum timers_part {
    TIMERS_STEP,
    TIMERS_FORCE,
    TIMERS_LIST,
    TIMERS_COMM,
    TIMERS_WAIT,
    TIMERS_REST,
    TIMERS_PARTS
};

/* Filled in by the run, and completed for all tasks by session_times(). */
struct timers {
    double step, force, list, comm, wait; /* seconds, all steps */
    long lists;                           /* neighbour lists made */
    double least[TIMERS_PARTS], mean[TIMERS_PARTS],
        most[TIMERS_PARTS]; /* of the tasks' seconds; set when the run is complete */
    long steps;
    double *share; /* of each task, at the end of the run; mem_free() */
    int *ring;     /* ranks in the order of their shares; mem_free() */
};

/* Seconds of a monotonic clock. */
double timers_now(void);
/* Seconds in which this thread has computed, or would have with a processor: waiting for other
 * programs or for a quota counts, waiting for messages does not.  Negative if the machine does not
 * report that. */
double timers_busy(void);
