/* real_stage_file.c - hn_stage_file() from rank ROOT, TIMES times: real_stage_file ROOT PATH TIMES.
 * Each rank prints "RANK on HOST: PATH", or its error; rank 0 the seconds of each call.
 */
#include "hnow_coll.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    char where[PATH_MAX] = "";
    if (argc != 4 || hn_enrol())
        return 2;
    int root = atoi(argv[1]);
    for (int i = 0; i < atoi(argv[3]); i++) {
        hn_barrier(hn_world());
        double begun = hn_wtime();
        int error = (hn_stage_file)(argv[2], where, sizeof where, root, hn_world());
        hn_barrier(hn_world());
        if (hn_rank() == 0)
            printf("seconds %.4f\n", hn_wtime() - begun);
        printf("%d on %s: %s\n", hn_rank(), hn_host_of(hn_mytid()),
               error ? hn_error_text() : where);
    }
    return hn_exit();
}
