/* fuzz_restart.c - any bytes as a restart file of two atoms, CHARMM's or our own: refused with a
 * place, or accepted with finite numbers. */
#include "restart.h"
#include "restart_charmm.h"
#include "text_of.h"

#include <math.h>

static void fuzz_charmm(struct text *t)
{
    struct restart_charmm r;
    struct err e = {0};
    int status = restart_charmm_read(&r, t, 2, &e);
    outcome(status, &e);
    for (int k = 0; !status && k < RESTART_PARTS; k++)
        for (int i = 0; i < 6; i++)
            demand(isfinite(r.part[k][i]));
    demand(status || r.step >= 0);
    restart_charmm_free(&r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text t;
    struct restart r;
    struct err e = {0};
    char *copy = text_of(data, size, &t);
    if (restart_charmm_is(&t)) {
        fuzz_charmm(&t);
        mem_free(copy);
        return 0;
    }
    int status = restart_read(&r, &t, 2, &e);
    outcome(status, &e);
    for (int i = 0; !status && i < 6; i++)
        demand(isfinite(r.x[i]) && isfinite(r.move[i]) && isfinite(r.list[i]));
    demand(status || (r.step >= 0 && r.tasks > 0 && r.dt > 0));
    restart_free(&r);
    mem_free(copy);
    return 0;
}
