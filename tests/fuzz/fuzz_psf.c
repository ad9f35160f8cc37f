/* fuzz_psf.c - any bytes as a PSF: refused with a place, or accepted with all indices in range. */
#include "psf.h"
#include "text_of.h"

static void in_range(const struct psf *psf, const struct psf_terms *terms, int per)
{
    for (long i = 0; i < (long)terms->count * per; i++)
        demand(terms->atom[i] >= 0 && terms->atom[i] < psf->natom);
}

/* Of a pair one may be none. */
static void in_range_or_none(const struct psf *psf, const struct psf_terms *pairs)
{
    for (long i = 0; i < (long)pairs->count * 2; i++)
        demand(pairs->atom[i] >= -1 && pairs->atom[i] < psf->natom);
}

static void look_at(const struct psf *psf)
{
    demand(psf->natom > 0);
    for (int i = 0; i < psf->natom; i++)
        demand(memchr(psf->atom[i].name, 0, PSF_NAME) && memchr(psf->atom[i].type, 0, PSF_NAME));
    in_range(psf, &psf->bond, 2);
    in_range(psf, &psf->angle, 3);
    in_range(psf, &psf->dihedral, 4);
    in_range(psf, &psf->improper, 4);
    in_range(psf, &psf->cross, 8);
    in_range(psf, &psf->excluded, 2);
    in_range_or_none(psf, &psf->donor);
    in_range_or_none(psf, &psf->acceptor);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text t;
    struct psf psf = {0};
    struct err e = {0};
    char *copy = text_of(data, size, &t);
    int status = psf_read(&psf, &t, &e);
    outcome(status, &e);
    if (!status)
        look_at(&psf);
    psf_free(&psf);
    mem_free(copy);
    return 0;
}
