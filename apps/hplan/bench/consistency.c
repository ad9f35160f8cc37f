/* consistency.c - guidelines.h on networks of several kinds: the largest ratio of the two sides,
 * over sizes from nothing to long and two roots. More than 1 means that a program would do better
 * to call the other operations.
 */
#include "bench.h"
#include "guidelines.h"

#include "hnow.h"

enum { HOSTS = 8 };

static int worst_of(int guideline, const struct model *model, double *worst)
{
    static const int64_t sizes[] = {0, 8, 1024, 65536};
    int error = HN_OK;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int root = 0; root < HOSTS && !error; root += HOSTS / 2) {
            hn_time left, right;
            error = guideline_sides(guideline, model, root, sizes[i], &left, &right);
            if (!error && right > 0 && (double)left / (double)right > *worst)
                *worst = (double)left / (double)right;
        }
    return error;
}

int bench_guidelines(FILE *file)
{
    hn_net *nets[BENCH_NETS];
    uint64_t state = 1;
    int error = HN_OK;
    fprintf(file, "auto against itself: the largest ratio of the two sides, %d hosts\n%-42s", HOSTS,
            "guideline");
    for (int k = 0; k < BENCH_NETS; k++) {
        nets[k] = bench_net(k, HOSTS, &state);
        error = nets[k] ? error : HN_ENOMEM;
        fprintf(file, " %14s", bench_net_name(k));
    }
    fputc('\n', file);
    for (int i = 0; i < guideline_count && !error; i++) {
        char text[64];
        fprintf(file, "%-42s", guideline_text(i, text, sizeof text));
        for (int k = 0; k < BENCH_NETS && !error; k++) {
            struct model model;
            double worst = 0;
            model_of_net(&model, nets[k], NULL, HOSTS, PORT_MEDIA);
            error = worst_of(i, &model, &worst);
            fprintf(file, " %14.4f", worst);
        }
        fputc('\n', file);
        fflush(file);
    }
    for (int k = 0; k < BENCH_NETS; k++)
        hn_net_free(nets[k]);
    return error;
}
