/* job_stdio.h - standard input and output of the tasks, and captured output. */
#pragma once

#include "hrun/job.h"

/* ---- standard streams (job_stdio.c) ---- */

bool job_stdio_begin(struct job *job);
void job_stdio_end(struct job *job);
bool job_stdio_open_task(struct job_task *task);
/* Frees the buffers of its output.  False: some of it is not written yet. */
bool job_stdio_close_task(struct job_task *task);
/* Output of a task has arrived, from stream 1 or 2; both have ended. */
void job_output(struct job_task *task, uint8_t stream, const uint8_t *data, size_t n);
void job_output_end(struct job_task *task);
/* n bytes of its output were written: its agent may send as many more. */
void job_give_credit(struct job_task *task, uint8_t stream, size_t n);
/* The task can take n more bytes of standard input; 0: it has closed it. */
void job_room(struct job_task *task, uint32_t n);
/* Starts or stops reading standard input, according to the room that tasks have. */
void job_input_check(struct job *job);

/* ---- captured output (job_capture.c) ---- */

/* Questions of a task that captures, wants more, or leaves. */
void job_on_capture_ask(struct job_task *asker, struct unpack *in);
void job_on_captured_ack(struct job_task *asker, struct unpack *in);
void job_on_capture_end(struct job_task *asker, struct unpack *in);
/* Passes output to the task that captures it.  False: no task does. */
bool job_capture_output(struct job_task *task, uint8_t stream, const uint8_t *data, size_t n);
/* Sets who captures a spawned task: as for its parent, or as that has requested. */
void job_capture_inherit(struct job_task *task);
void job_capture_end(struct job_task *task);
