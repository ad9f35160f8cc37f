/* p2p_pvm.c - PVM's messages, for hbench p2p (p2p.h).
 *
 *     hbench-pvmexec -n 2 hbench-pvm latency:BYTES:WINDOW:WARM:COUNT stream:... rate:...
 *
 * PVM's sends return when the kernel has taken the data, so a window of them is a loop.
 */
#include "p2p.h"
#include "pvm_world.h"

#include <stdio.h>

static struct pvm_world world;

void p2p_send(int to, const char *data, int bytes)
{
    pvm_world_send(&world, to, data, bytes);
}

void p2p_receive(int from, char *data, int bytes)
{
    pvm_world_receive(&world, from, data, bytes);
}

void p2p_pour(int to, const char *data, int bytes, int window)
{
    while (window-- > 0)
        pvm_world_send(&world, to, data, bytes);
}

void p2p_drain(int from, char *data, int bytes, int window)
{
    while (window-- > 0)
        pvm_world_receive(&world, from, data, bytes);
}

int main(int argc, char **argv)
{
    pvm_world_open(&world, argv);
    if (world.size != 2 || !p2p_measure(world.rank, argc, argv))
        pvm_world_fail("two tasks and memory for their messages are needed");
    fflush(stdout);
    pvm_world_close(&world);
    return 0;
}
