/* launch.c - starts an agent; see launch.h.
 *
 * On this machine, hnowd is executed directly, from the directory of hrun.  On a virtual machine,
 * its gate starts the agent.  On any other host a launcher does, with the words of
 * launch_words().
 *
 * The decision is made in the child, as it may need a name look-up that blocks.
 */
#include "hrun/hosts/launch.h"

#include "base/addresses.h"
#include "base/error.h"
#include "base/search.h"
#include "hrun/hosts/machine_hosts.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* search_self() is an absolute path, so there is a slash. */
char *launch_directory(void)
{
    char *path = search_self();
    if (path)
        *strrchr(path, '/') = 0;
    return path;
}

/* ---- whether a host is this machine ----------------------------------------------------- */

/* The unspecified address (0.0.0.0) also leads to this machine. O(own addresses). */
static bool launch_is_own_address(const struct address *address)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff}; /* ::ffff:A.B.C.D is A.B.C.D */
    struct address *own, plain = {.family = 4};
    if (address->family == 6 && memcmp(address->ip, mapped, sizeof mapped) == 0) {
        memcpy(plain.ip, address->ip + sizeof mapped, 4);
        address = &plain;
    }
    size_t n;
    bool found = false;
    if (address_is_loopback(address) || address_is_unspecified(address))
        return true;
    if (addresses_own(&own, &n))
        return false;
    for (size_t i = 0; i < n && !found; i++)
        found = address_same(&own[i], address);
    free(own);
    return found;
}

/* Only what the text itself shows: no name look-up, so it does not block. Such a host is never
 * started from another one. */
bool launch_is_loopback(const struct host_line *host)
{
    struct address address;
    const char *name = host->addr ? host->addr : host->name;
    return strcmp(name, "localhost") == 0 ||
           (address_from_text(&address, name) && address_is_loopback(&address));
}

/* Whether its address is one of this machine's.  Blocks for as long as the name look-up takes; a
 * name without an address is not this machine. */
static bool launch_is_own(const struct host_line *host)
{
    const char *name = host->addr ? host->addr : host->name;
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *found;
    struct address address;
    bool here = false;
    if (strcmp(name, "localhost") == 0)
        return true;
    if (getaddrinfo(name, NULL, &hints, &found))
        return false;
    for (struct addrinfo *one = found; one && !here; one = one->ai_next)
        here = address_from_socket(&address, one->ai_addr) && launch_is_own_address(&address);
    freeaddrinfo(found);
    return here;
}

/* A host is this machine if its line has no settings for ssh and its address is one of ours. With
 * settings for ssh the user wants a login, even to this machine. */
bool launch_is_here(const struct host_line *host)
{
    return !host->user && !host->port && !host->key && !host->ssh && !host->via &&
           launch_is_own(host);
}

bool launch_any_is_here(const struct hosts *hosts)
{
    bool here = false;
    for (int i = 0; hosts && i < hosts->n && !here; i++)
        here = launch_is_here(&hosts->line[i]);
    return here;
}

static const char not_here[] =
    "this machine is no host of the job, so a task cannot add it: write it into the hosts file, or "
    "run hrun -allow-ssh";

/* ---- in the child ----------------------------------------------------------------------- */

/* Runs in the child.  -input is the descriptor of hrun's standard input, which the agent passes to
 * a task directly; it must survive exec(). */
static void launch_exec_here(const struct launch *launch)
{
    char path[4200], number[16];
    char *words[] = {path, "-agent", "-direct", "-input", number, NULL};
    snprintf(path, sizeof path, "%s/hnowd", launch->directory);
    snprintf(number, sizeof number, "%d", launch->input);
    if (launch->input < 0)
        words[3] = NULL;
    else
        fcntl(launch->input, F_SETFD, 0);
    execv(path, words);
    dprintf(2, "%s cannot be executed: %s\n", path, strerror(errno));
}

/* What the child needs to decide; on the stack of launch_start(), of which fork() makes a copy. */
struct launch_wish {
    const struct launch *launch;
    const struct host_line *host;
    bool here;
};

/* Runs in the child.  Returns only on failure, after a message on standard error.  The job must be
 * allowed to use this machine, or the user's file must name it.  Otherwise a task could start
 * programs outside the job's hosts. */
static void launch_become(const void *arg)
{
    const struct launch_wish *wish = arg;
    if (wish->host && !wish->here && launch_is_own(wish->host) &&
        !launch_any_is_here(wish->launch->hosts))
        dprintf(2, "%s\n", not_here);
    else if (!wish->host || launch_is_here(wish->host))
        launch_exec_here(wish->launch);
    else
        launch_exec_words(launch_words(wish->launch, wish->host));
}

/* host NULL: a job without a hosts file, on this machine. */
int launch_start(const struct launch *launch, const struct host_line *host, bool here,
                 struct launched *launched)
{
    const struct launch_wish wish = {launch, host, here};
    if (host && launch->launcher && strcmp(launch->launcher, MACHINE_LAUNCHER) == 0)
        /* its gate knows the host of `hnow up` as localhost, where the hosts of jobs do not */
        return here || !launch_is_loopback(host) ? machine_launch(launch, host, launched)
                                                 : error_set(HN_ESYS, not_here);
    return launch_process(launch_become, &wish, &launch->files, launched);
}
