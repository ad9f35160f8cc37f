/* hmd_fixture.c - see hmd_fixture.h. */
#include "hmd_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lonepair.h"
#include "mem.h"

static char *fixture_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long n = ftell(file);
    rewind(file);
    char *data = calloc((size_t)n + 1, 1);
    size_t got = fread(data, 1, (size_t)n, file);
    fclose(file);
    cr_assert_eq(got, (size_t)n);
    return data;
}

int fixture_more(void)
{
    return access(SHARED "/md", R_OK) == 0;
}

char *fixture_shared(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, SHARED "/md/%s", name);
    char *data = fixture_read(path);
    cr_assert(data, "%s is not there", path);
    return data;
}

struct text fixture_text(struct fixture *fx, const char *name, const char *data)
{
    struct text t;
    char *copy = strdup(data);
    fx->text[fx->texts++] = copy;
    text_open(&t, name, copy, strlen(copy));
    return t;
}

static int fixture_param(struct fixture *fx, const char *name, const char *data, int topology)
{
    if (!data)
        return 0;
    struct text t = fixture_text(fx, name, data);
    return param_read(&fx->param, &t, topology, &fx->e);
}

static int fixture_coor(struct fixture *fx, const char *data, int pdb)
{
    struct coor_file c;
    const struct coor_set to = {fx->x, NULL};
    struct text t = fixture_text(fx, pdb ? "pdb" : "crd", data);
    int status = pdb ? pdb_read(&c, &t, &fx->e) : crd_read(&c, &t, &fx->e);
    if (!status)
        status = coor_match(&c, &fx->psf, t.name, NULL, &to, &fx->note, &fx->e);
    coor_free(&c);
    return status;
}

int fixture_make(struct fixture *fx, const struct fixture_texts *t, const double box[3])
{
    static const struct system_skip none;
    memset(fx, 0, sizeof *fx);
    param_init(&fx->param);
    struct text psf = fixture_text(fx, "psf", t->psf);
    int status = psf_read(&fx->psf, &psf, &fx->e);
    if (!status)
        status = fixture_param(fx, "top", t->top, 1);
    if (!status)
        status = fixture_param(fx, "par", t->par, 0);
    if (!status)
        status = fixture_param(fx, "str", t->str, 0);
    if (!status)
        status = system_make(&fx->system, &fx->psf, &fx->param, &none, box, &fx->e);
    if (!status)
        status = param_options_check(&fx->param.options, 1, &fx->e);
    if (status)
        return status;
    fx->x = mem_new(3 * (size_t)fx->psf.natom, sizeof(double));
    fx->f = mem_new(3 * (size_t)fx->psf.natom, sizeof(double));
    if (t->crd || t->pdb)
        status = fixture_coor(fx, t->pdb ? t->pdb : t->crd, t->pdb != NULL);
    lonepair_place(&fx->system, fx->x, 0, fx->system.natom);
    return status;
}

/* Reads all texts with one of the two functions, and makes the system of them. */
static void fixture_open(struct fixture *fx, const struct fixture_texts *names, const double box[3],
                         char *(*read)(const char *))
{
    struct fixture_texts t = {0};
    const char *const name[6] = {names->psf, names->top, names->par,
                                 names->str, names->crd, names->pdb};
    const char **text[6] = {&t.psf, &t.top, &t.par, &t.str, &t.crd, &t.pdb};
    for (int i = 0; i < 6; i++)
        *text[i] = name[i] ? read(name[i]) : NULL;
    int status = fixture_make(fx, &t, box);
    for (int i = 0; i < 6; i++)
        free((void *)(uintptr_t)*text[i]);
    cr_assert_eq(status, 0, "%s", fx->e.text);
}

void fixture_load(struct fixture *fx, const struct fixture_texts *names, const double box[3])
{
    fixture_open(fx, names, box, fixture_shared);
}

void fixture_files(struct fixture *fx, const struct fixture_texts *paths, const double box[3])
{
    fixture_open(fx, paths, box, fixture_read);
}

void fixture_free(struct fixture *fx)
{
    for (int i = 0; i < fx->texts; i++)
        free(fx->text[i]);
    psf_free(&fx->psf);
    param_free(&fx->param);
    system_free(&fx->system);
    mem_free(fx->x);
    mem_free(fx->f);
}

void fixture_energy(struct fixture *fx, const struct scheme *scheme, double cutnb, int size,
                    double term[ENERGY_NUMBERS])
{
    size_t n = 3 * (size_t)fx->system.natom;
    double *f = mem_new(n, sizeof *f), part[ENERGY_NUMBERS];
    memset(fx->f, 0, n * sizeof *f);
    memset(term, 0, ENERGY_NUMBERS * sizeof *term);
    for (int rank = 0; rank < size; rank++) {
        struct energy e;
        energy_init(&e, &fx->system, scheme, cutnb, rank, size);
        energy_list_build(&e, fx->x);
        energy_forces(&e, fx->x, f, 1, part, &fx->e);
        energy_free(&e);
        for (size_t i = 0; i < n; i++)
            fx->f[i] += f[i];
        for (int k = 0; k < ENERGY_NUMBERS; k++)
            term[k] += part[k];
    }
    lonepair_spread(&fx->system, fx->x, fx->f, 0, fx->system.natom, &term[ENERGY_VIRIAL]);
    mem_free(f);
}

double fixture_worst_length(const struct constrain *c, const double *x)
{
    double worst = 0;
    for (int k = 0; k < c->pairs; k++) {
        double d[3], r2 = 0;
        system_delta(c->s, x + 3 * c->pair[k].i, x + 3 * c->pair[k].j, d);
        for (int a = 0; a < 3; a++)
            r2 += d[a] * d[a];
        worst = fmax(worst, fabs(sqrt(r2 / c->pair[k].r2) - 1));
    }
    return worst;
}
