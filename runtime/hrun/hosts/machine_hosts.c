/* machine_hosts.c - the persistent machine's hosts for a job; see machine_hosts.h. */
#include "hrun/hosts/machine_hosts.h"

#include "base/error.h"
#include "base/machine.h"
#include "hrun/hosts/launch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Seconds until the machine has named its hosts, which it does at once unless it is stopped. */
enum { MACHINE_HOSTS_SECONDS = 10 };

/* HN_OK with NULL: there is no machine. The caller frees *hosts. */
int machine_hosts(struct hosts **hosts)
{
    static const char *const words[] = {"hosts"};
    char *text;
    *hosts = NULL;
    /* A machine that is not there is no error; one that gives no answer is, since its user expects
     * it. */
    int fd = machine_ask(words, 1, NULL);
    if (fd < 0)
        return fd == HN_ENAME ? HN_OK : fd;
    machine_limit(fd, MACHINE_HOSTS_SECONDS);
    int status = machine_answer(fd, &text);
    close(fd);
    if (status)
        return status < 0 ? status : error_set(HN_ESYS, "the machine does not name its hosts");
    int result = hosts_parse("the machine's hosts", text, strlen(text), hosts);
    free(text);
    return result;
}

/* Requests an agent.  A staged agent needs a shell to start it.  Any other is the machine's own,
 * which may already be waiting for jobs.  The launcher's command is `hnow at HOST ...`: behind its
 * first word, it is a request to the gate. streams: standard input, output and error of the agent.
 */
static int machine_ask_agent(const struct launch *launch, const struct host_line *host,
                             const int streams[3])
{
    const char *own[] = {"agent", host->addr ? host->addr : host->name};
    char **staged = launch_agent_of(launch, host) ? launch_words(launch, host) : NULL;
    int n = 0;
    while (staged && staged[n])
        n++;
    int fd = staged ? machine_ask((const char *const *)staged + 1, n - 1, streams)
                    : machine_ask(own, 2, streams);
    launch_free_words(staged);
    return fd;
}

/* The machine gets the child's ends of the streams.  Its answer, when the agent has ended, arrives
 * on launched->answer. On an error nothing is open. */
int machine_launch(const struct launch *launch, const struct host_line *host,
                   struct launched *launched)
{
    int channel[2], errors[2];
    int error = launch_streams(channel, errors);
    if (error)
        return error;
    int fd = machine_ask_agent(launch, host, (const int[]){channel[1], channel[1], errors[1]});
    close(channel[1]);
    close(errors[1]);
    *launched = (struct launched){.answer = fd, .channel = channel[0], .errors = errors[0]};
    if (fd >= 0)
        return HN_OK;
    close(channel[0]);
    close(errors[0]);
    return fd;
}
