/* machine_hosts.c - the machine's hosts for a job; see machine_hosts.h. */
#include "hrun/machine_hosts.h"

#include "base/error.h"
#include "base/machine.h"
#include "hrun/launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The program hnow is installed beside this one. */
static char *machine_launcher(void)
{
    char *directory = launch_directory(), *launcher = NULL;
    if (directory && asprintf(&launcher, "%s/hnow at %%h", directory) < 0)
        launcher = NULL;
    free(directory);
    return launcher;
}

int machine_hosts(struct hosts **hosts, char **launcher)
{
    static const char *const words[] = {"hosts"};
    const char *directory = getenv(MACHINE_DIRECTORY);
    char *text;
    *hosts = NULL;
    if (directory && strcmp(directory, MACHINE_NONE) == 0)
        return HN_OK;
    int fd = machine_ask(words, 1, NULL);
    if (fd < 0)
        return fd == HN_ENAME ? HN_OK : fd;
    int status = machine_answer(fd, &text);
    close(fd);
    if (status)
        return status < 0 ? status : error_set(HN_ESYS, "the machine does not name its hosts");
    int result = hosts_parse("the machine's hosts", text, strlen(text), hosts);
    free(text);
    if (result)
        return result;
    *launcher = machine_launcher();
    return *launcher ? HN_OK : error_set(HN_ENOMEM, "out of memory");
}
