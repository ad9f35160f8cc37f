/* fuzz_crd.c - any bytes as coordinates in a CRD file: refused with a place, or accepted with
 * finite numbers and names that end. */
#include "coor.h"
#include "text_of.h"

#include <math.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text t;
    struct coor_file file = {0};
    struct err e = {0};
    char *copy = text_of(data, size, &t);
    int status = crd_read(&file, &t, &e);
    outcome(status, &e);
    for (size_t i = 0; !status && i < file.n; i++) {
        const struct coor_atom *a = &file.atom[i];
        demand(memchr(a->name, 0, PSF_NAME) && memchr(a->segid, 0, PSF_NAME));
        demand(isfinite(a->x[0]) && isfinite(a->x[1]) && isfinite(a->x[2]));
    }
    coor_free(&file);
    mem_free(copy);
    return 0;
}
