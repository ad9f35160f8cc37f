/* job_stage.h - staging: agents and programs for hosts that have none. */
#pragma once

#include "hrun/job.h"

/* Reads what -stage is to send.  HN_OK, or an error with hn_error_text(). */
int job_stage_begin(struct job *job);
void job_stage_free(struct job *job);
/* Adds what hosts of this line need.  HN_OK, or an error with hn_error_text(). */
int job_stage_for(struct job *job, const struct host_line *line);
/* Before a spawn: true if the program is still on its way to hosts.  Then the question is kept, and
 * job_stage_go_on() asks it again. */
bool job_stage_first(const struct job_task *asker, const char *program,
                     const struct unpack *question);
void job_stage_go_on(struct job *job);
/* The host's shell asks for the agent, compressed or not.  False: there is none to send. */
bool job_stage_agent(struct job_host *host, bool packed);
/* The host's agent is up: offers it the programs. */
void job_stage_host(struct job_host *host);
/* STAGE_WANT and STAGE_DONE. */
void job_stage_frame(struct job_host *host, struct control_frame *frame);
