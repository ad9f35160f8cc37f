/* fuzz_prm.c - any bytes as a parameter file (first byte even) or a topology file (odd), read twice
 * as when a user names it twice: refused with a place, or accepted, and then it can be asked. */
#include "param.h"
#include "text_of.h"

static int read_once(struct param *p, const uint8_t *data, size_t size, int topology)
{
    struct text t;
    struct err e = {0};
    char *copy = text_of(data, size, &t);
    int status = param_read(p, &t, topology, &e);
    outcome(status, &e);
    mem_free(copy);
    return status;
}

static void ask(struct param *p)
{
    int a = param_type_of(p, "CT1"), b = param_type_of(p, "NH1");
    const int key[8] = {a, b, a, b, a, b, a, b};
    param_bond(p, a, b);
    param_angle(p, a, b, a);
    param_dihedral(p, key);
    param_improper(p, key);
    param_lj_of(p, "CT1");
    param_nbfix_of(p, "CT1", "NH1");
    param_cmap_of(p, key);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct param p;
    if (size < 1)
        return 0;
    param_init(&p);
    if (read_once(&p, data + 1, size - 1, data[0] % 2) == 0)
        read_once(&p, data + 1, size - 1, data[0] % 2);
    ask(&p);
    param_free(&p);
    return 0;
}
