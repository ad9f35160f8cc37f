/* script_measure.c - measuring commands of COOR: see script_coor.c.
 *
 * Results are printed, and available as ?NAMEs in the following commands (CHARMM's corman.doc,
 * subst.doc).
 *
 * Weighted sums run over all atoms in their order. No message is needed, because every task has all
 * coordinates.
 */
#include <math.h>
#include <stdio.h>

#include "script_coor.h"

/* 0 for atoms that are not selected, so sums may run over all. Negative weights are possible, as
 * WMAIN may have any numbers. */
double coor_weight(const struct script *s, const struct coor_words *w, int i)
{
    if (!w->set[i])
        return 0;
    return (w->mass ? s->session.in.system.mass[i] : 1) * (w->weight ? w->here.w[i] : 1);
}

/* sqrt(sum of w d^2 / sum of w); 0 if no atom counts. Both sets are those of the words; no
 * superposition is done here (COOR ORIENT RMS). */
int coor_rms(struct script *s, struct coor_words *w)
{
    double sum = 0, mass = 0;
    for (int i = 0; i < coor_natom(s); i++) {
        double m = coor_weight(s, w, i);
        /* The sum is over x, y and z, the denominator over atoms. */
        for (int k = 0; k < 3; k++) {
            double d = w->here.x[3 * i + k] - w->there.x[3 * i + k];
            sum += m * d * d;
        }
        mass += m;
    }
    double rms = mass > 0 ? sqrt(sum / mass) : 0;
    script_result(s, "?RMS", rms);
    if (s->comm->rank == 0)
        printf(" TOTAL SQUARE DIFF IS %12.4f  DENOMINATOR IS %12.4f\n       THUS RMS DIFF IS "
               "%12.6f\n",
               sum, mass, rms);
    return 0;
}

/* Minimum, maximum and mean of the numbers at v, `step` apart, one for each atom. letter is that of
 * the ?NAMEs: X, Y, Z or W. */
static void coor_range(struct script *s, const struct coor_words *w, const double *v, int step,
                       char letter)
{
    static const char *const what[] = {"MIN", "MAX", "AVE"};
    double found[3] = {HUGE_VAL, -HUGE_VAL, 0}, all = 0;
    int any = 0;
    for (int i = 0; i < coor_natom(s); i++) {
        if (!w->set[i])
            continue;
        any = 1;
        found[0] = fmin(found[0], v[step * i]);
        found[1] = fmax(found[1], v[step * i]);
        found[2] += coor_weight(s, w, i) * v[step * i];
        all += coor_weight(s, w, i);
    }
    /* The weights may add up to 0. */
    found[2] /= all != 0 ? all : 1;
    for (int j = 0; j < 3; j++) {
        char name[8];
        snprintf(name, sizeof name, "?%c%s", letter, what[j]);
        /* Without atoms all three are 0, so that scripts find a value. */
        found[j] = any ? found[j] : 0;
        script_result(s, name, found[j]);
        if (s->comm->rank == 0)
            printf("    %s = %12.6f%s", name + 1, found[j], j < 2 ? "" : "\n");
    }
}

/* Weights have the same statistics as coordinates. */
int coor_stat(struct script *s, struct coor_words *w)
{
    int n = 0;
    for (int i = 0; i < coor_natom(s); i++)
        n += w->set[i];
    script_result(s, "?NSEL", n);
    if (s->comm->rank == 0)
        printf(" STATISTICS FOR %d SELECTED ATOMS:\n", n);
    for (int k = 0; k < 3; k++)
        coor_range(s, w, w->here.x + k, 3, (char)('X' + k));
    coor_range(s, w, w->here.w, 1, 'W');
    return 0;
}
