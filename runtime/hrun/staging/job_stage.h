/* job_stage.h - staging: copies agents and programs to hosts that lack them.
 *
 * A host that lacks the agent requests it through its shell (launch_words.c); programs follow
 * through the agent (hnowd_stage.c).
 */
#pragma once

#include "hrun/job.h"

/* Reads the files for -stage.  HN_OK, or an error with hn_error_text(). */
int job_stage_begin(struct job *job);
void job_stage_free(struct job *job);
/* Adds the files for hosts with this line.  HN_OK, or an error with hn_error_text(). */
int job_stage_for(struct job *job, const struct host_line *line);
/* Before a spawn: whether the program is still being staged.  Then the question is stored, and
 * job_stage_continue() processes it again. */
bool job_stage_first(const struct job_task *asker, const char *program,
                     const struct unpack *question);
void job_stage_continue(struct job *job);
/* The host's shell requests the agent, compressed or not.  False: there is none to send. */
bool job_stage_agent(struct job_host *host, bool packed);
/* The host's agent is up: offers it the programs. */
void job_stage_host(struct job_host *host);
/* Processes STAGE_WANT and STAGE_DONE. */
void job_stage_frame(struct job_host *host, struct control_frame *frame);
