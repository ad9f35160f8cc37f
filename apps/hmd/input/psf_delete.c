/* psf_delete.c - removes atoms from a structure, see psf.h.
 *
 * As in CHARMM's DELETE ATOM (struct.doc), everything that refers to a deleted atom is deleted,
 * too; the rest keeps its order.  Cost: linear in the size of the structure.
 *
 * Order matters: terms use the old numbers, so the atoms are compacted last.
 */
#include "mem.h"
#include "psf.h"

/* Keeps the terms of `width` atoms whose atoms all remain. In place, since the result is never
 * longer. place[i] is the new index of atom i, -1: deleted. A term survives only as a whole. */
static void delete_terms(struct psf_terms *t, int width, const int *place)
{
    int kept = 0;
    for (int k = 0; k < t->count; k++) {
        const int *from = t->atom + (size_t)k * (size_t)width;
        int *to = t->atom + (size_t)kept * (size_t)width, stays = 1;
        for (int a = 0; a < width; a++)
            stays &= place[from[a]] >= 0;
        for (int a = 0; stays && a < width; a++)
            to[a] = place[from[a]];
        kept += stays;
    }
    t->count = kept;
}

/* Donors and acceptors: the second atom may be missing. A donor needs its hydrogen, if it has one;
 * an acceptor may lose its antecedent. both: 1 for donors. -1 stays -1. */
static void delete_pairs(struct psf_terms *t, const int *place, int both)
{
    int kept = 0;
    for (int k = 0; k < t->count; k++) {
        int a = t->atom[2 * k], b = t->atom[2 * k + 1];
        a = a >= 0 ? place[a] : -1;
        if (a < 0 || (both && b >= 0 && place[b] < 0))
            continue;
        t->atom[2 * kept] = a;
        t->atom[2 * kept++ + 1] = b >= 0 ? place[b] : -1;
    }
    t->count = kept;
}

/* Also compacts the list of their hosts. Their hosts remain, as psf_left_alone() has been asked. */
static void delete_lonepairs(struct psf *psf, const int *place)
{
    int kept = 0, hosts = 0;
    for (int k = 0; k < psf->nlonepair; k++) {
        struct psf_lonepair l = psf->lonepair[k];
        /* Its hosts leave the list, too. */
        if (place[l.atom] < 0)
            continue;
        for (int h = 0; h < l.hosts; h++)
            psf->lonepair_host[hosts + h] = place[psf->lonepair_host[l.first + h]];
        l.atom = place[l.atom];
        l.first = hosts;
        hosts += l.hosts;
        psf->lonepair[kept++] = l;
    }
    psf->nlonepair = kept;
    psf->nlonepair_host = hosts;
}

/* To be asked before psf_delete(). O(hosts). */
int psf_left_alone(const struct psf *psf, const unsigned char *gone)
{
    for (int k = 0; k < psf->nlonepair; k++)
        for (int h = 0; h < psf->lonepair[k].hosts; h++)
            if (!gone[psf->lonepair[k].atom] &&
                gone[psf->lonepair_host[psf->lonepair[k].first + h]])
                return psf->lonepair[k].atom;
    return -1;
}

/* The atoms themselves come last, because the other functions use old indices. Fixed atoms keep
 * their mark; the array keeps its size. */
static void delete_atoms(struct psf *psf, const int *place)
{
    int natom = 0;
    psf->nfixed = 0;
    for (int i = 0; i < psf->natom; i++) {
        if (place[i] < 0)
            continue;
        psf->atom[natom] = psf->atom[i];
        if (psf->fixed) {
            psf->fixed[natom] = psf->fixed[i];
            psf->nfixed += psf->fixed[i] != 0;
        }
        natom++;
    }
    psf->natom = natom;
}

/* place[i]: the new number of atom i; -1: gone. Terms with such an atom are dropped. Lists keep
 * their memory, with fewer entries. */
void psf_delete(struct psf *psf, const unsigned char *gone)
{
    int *place = mem_new((size_t)psf->natom, sizeof *place), left = 0;
    for (int i = 0; i < psf->natom; i++)
        place[i] = gone[i] ? -1 : left++;
    delete_terms(&psf->bond, 2, place);
    delete_terms(&psf->angle, 3, place);
    delete_terms(&psf->dihedral, 4, place);
    delete_terms(&psf->improper, 4, place);
    delete_terms(&psf->cross, 8, place);
    delete_terms(&psf->excluded, 2, place);
    delete_pairs(&psf->donor, place, 1);
    delete_pairs(&psf->acceptor, place, 0);
    delete_lonepairs(psf, place);
    delete_atoms(psf, place);
    mem_free(place);
}
