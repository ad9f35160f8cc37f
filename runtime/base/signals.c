/* signals.c - the signal state that a program inherits; see signals.h. */
#include "base/signals.h"

#include <signal.h>
#include <stddef.h>

void signals_begin(void)
{
    sigset_t none;
    signal(SIGCHLD, SIG_DFL);
    signal(SIGXFSZ, SIG_IGN);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

bool signals_is_ignored(int number)
{
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}
