/* job_directory.c - where tasks begin to run; see job.h. */
#include "hrun/job.h"

#include <stdio.h>
#include <stdlib.h>

void job_pack_directory(struct pack *out, const struct job_host *host, uint32_t number,
                        const char *asked, const char *here)
{
    char *absolute = NULL;
    if (!asked)
        asked = host->job->options->wdir;
    if (asked && asked[0] != '/' && asprintf(&absolute, "%s/%s", here, asked) >= 0)
        asked = absolute;
    if (!asked && host->line)
        asked = host->line->wdir;
    pack_u32(out, number);
    pack_str(out, asked ? asked : here);
    pack_u8(out, asked != NULL);
    free(absolute);
}
