/* hrun_program.c - the program hrun: registers checks that runtime cannot do itself (hrun.h). */
#include "coll/internal.h"
#include "hnow_net.h"
#include "runtime/internal.h"
#include "hrun/internal.h"

/* Names of algorithms are known to coll, which runtime does not use; a wrong plan is rejected
 * before the job starts. */
static int check_plan(const char *plan)
{
    struct plan_names names;
    return plan_names_parse(plan, &names);
}

/* Reads the network file as every task does, so hrun rejects a file that its tasks could not
 * use. */
static int check_hosts(const struct hosts *hosts)
{
    hn_net *net;
    int code = hn_net_parse(hosts->name, hosts->text, hosts->text_length, &net);
    hn_net_free(net);
    return code;
}

int main(int argc, char **argv)
{
    return hrun_main(argc, argv, &(struct hrun_checks){.plan = check_plan, .hosts = check_hosts});
}
