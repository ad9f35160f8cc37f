/* pvm_hoster.c - see pvm_hoster.h. Its messages are those of PVM 3.4.6, which have more fields than
 * pvm_reg_hoster(3) documents: two strings for each host, and the number of answers. */
#include "pvm_hoster.h"

#include "pvm_world.h"

#include <pvm3.h>
#include <pvmproto.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Limits of a pvmd's command line in words and bytes, of its answer in bytes, and seconds to wait
 * for it: a login takes several on a slow network. */
enum { WORDS_MOST = 32, COMMAND_ROOM = 1024, LINE_ROOM = 512, PATIENCE = 30 };

/* A daemon that is being started. */
struct slave {
    /* Of the daemon, as PVM has assigned it; the answer refers to it. */
    int tid;
    int out; /* its standard output */
    char host[PVM_HOST_NAME], line[LINE_ROOM];
};

pid_t pvm_hoster_fork(void)
{
    pid_t parent = getpid(), pid = fork();

    if (pid < 0)
        pvm_world_fail(strerror(errno));
    if (pid > 0)
        return pid;
    /* The signal comes when the parent dies; if it died before this call, the test finds that. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    /* In the child. */
    return 0;
}

/* Executes SCRIPT HOST SELF -slave ARG..., with the arguments of pvmd's command. -S -f: it neither
 * reads its standard input nor forks. */
static _Noreturn void become_ssh(const char *script, const char *host, char *command)
{
    char self[PATH_MAX] = "", *rest = NULL;
    const char *argv[WORDS_MOST] = {script, host, self, "-slave", "-S", "-f"};
    int n = 6;

    if (readlink("/proc/self/exe", self, sizeof self - 1) < 0)
        pvm_world_fail("/proc/self/exe cannot be read");
    strtok_r(command, " ", &rest); /* the path of pvmd, as PVM expects it */
    /* -S above takes the place of -s. */
    for (char *word; n < WORDS_MOST - 1 && (word = strtok_r(NULL, " ", &rest));)
        if (strcmp(word, "-s") != 0)
            argv[n++] = word;
    execv(script, (char *const *)argv);
    pvm_world_fail(strerror(errno));
}

/* Its standard input stays open as long as this process lives. */
static void start_slave(const char *script, struct slave *s, char *command)
{
    int in[2], out[2];

    if (pipe2(in, O_CLOEXEC) < 0 || pipe2(out, O_CLOEXEC) < 0)
        pvm_world_fail(strerror(errno));
    if (pvm_hoster_fork() == 0) {
        dup2(in[0], STDIN_FILENO);
        dup2(out[1], STDOUT_FILENO);
        become_ssh(script, s->host, command);
    }
    /* The other ends stay open on purpose: the daemon ends when they close. */
    close(in[0]);
    close(out[1]);
    s->out = out[0];
}

/* Waits for the line with its address; other output of shells is skipped. */
static void await_slave(struct slave *s)
{
    struct pollfd out = {.fd = s->out, .events = POLLIN};
    size_t used = 0;

    while (poll(&out, 1, PATIENCE * 1000) > 0 && used + 1 < sizeof s->line &&
           read(s->out, s->line + used, 1) == 1) {
        if (s->line[used++] != '\n')
            continue;
        s->line[used - 1] = '\0';
        if (strncmp(s->line, "ddpro<", 6) == 0)
            return;
        used = 0;
    }
    /* PVM reports this text as the reason. */
    strcpy(s->line, "PvmCantStart");
}

/* Serves one request of PVM to start daemons. All daemons are started before the first answer is
 * awaited, as logins over ssh take most of the time. */
static void serve(const char *script)
{
    char unused[COMMAND_ROOM], login[COMMAND_ROOM], command[COMMAND_ROOM];
    int message = pvm_recv(-1, SM_STHOST), n = 0, from;
    struct pvmminfo asked, answer;
    /* One for each host of the request. */
    struct slave *slaves;

    /* A request contains all hosts of one pvm_addhosts(). */
    pvm_world_check(message, "pvm_recv");
    pvm_bufinfo(message, NULL, NULL, &from);
    pvm_getminfo(message, &asked);
    pvm_upkint(&n, 1, 1);
    /* Freed at the end, but the descriptors stay open: see start_slave(). */
    slaves = calloc((size_t)n + 1, sizeof *slaves);
    if (!slaves)
        pvm_world_fail("no memory");
    for (int i = 0; i < n; i++) {
        pvm_upkint(&slaves[i].tid, 1, 1);
        pvm_upkstr(unused); /* options of the hosts file */
        pvm_upkstr(login);
        pvm_upkstr(command);
        pvm_upkstr(unused); /* the command for Windows */
        pvm_upkstr(unused); /* the name of this PVM */
        snprintf(slaves[i].host, sizeof slaves[i].host, "%.255s", login);
        start_slave(script, &slaves[i], command);
    }
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&n, 1, 1);
    for (int i = 0; i < n; i++) {
        /* All daemons start at the same time; a slow one delays only the answer. */
        await_slave(&slaves[i]);
        pvm_pkint(&slaves[i].tid, 1, 1);
        pvm_pkstr(slaves[i].line);
    }
    pvm_getminfo(pvm_getsbuf(), &answer);
    answer.wid = asked.wid; /* identifies the request */
    pvm_setminfo(pvm_getsbuf(), &answer);
    pvm_world_check(pvm_send(from, SM_STHOSTACK), "pvm_send");
    free(slaves);
}

/* Returns when PVM has accepted the hoster: hosts can be added from then on. */
void pvm_hoster_start(const char *script)
{
    int ready[2];
    char ignored;

    if (pipe2(ready, O_CLOEXEC) < 0)
        pvm_world_fail(strerror(errno));
    if (pvm_hoster_fork() == 0) {
        pvm_world_check(pvm_mytid(), "pvm_mytid");
        /* Allows messages with PVM's reserved tags. */
        pvm_setopt(PvmResvTids, 1);
        pvm_world_check(pvm_reg_hoster(), "pvm_reg_hoster");
        if (write(ready[1], "", 1) != 1)
            pvm_world_fail(strerror(errno));
        for (;;)
            serve(script);
    }
    /* So that the read ends if the child fails. */
    close(ready[1]);
    if (read(ready[0], &ignored, 1) != 1)
        pvm_world_fail("PVM takes no hoster");
    close(ready[0]);
}
