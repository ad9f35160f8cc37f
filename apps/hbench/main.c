/* main.c - hbench: benchmarks of hnow on the hosts that it runs on.
 *
 *     hrun -np 2 hbench p2p
 *
 * Every task runs the same benchmark; task 0 leads, keeps the results and prints them
 * (docs/hbench.md).
 */
#include "bench.h"

#include "fail.h"
#include "hnow.h"

#include <stdio.h>
#include <string.h>

static const struct bench *const benches[] = {&bench_p2p, &bench_overlap};
enum { BENCHES = sizeof benches / sizeof benches[0], WRONG_USE = 2 };

static const struct bench *bench_named(const char *name)
{
    for (int i = 0; i < BENCHES; i++)
        if (strcmp(benches[i]->name, name) == 0)
            return benches[i];
    return NULL;
}

static void print_help(void)
{
    printf("usage: hrun -np N hbench BENCHMARK [OPTION]...\n"
           "Measures hnow on the hosts of the job.\n\nbenchmarks:\n");
    for (int i = 0; i < BENCHES; i++)
        printf("  %-18s %s\n", benches[i]->name, benches[i]->help);
    printf("\noptions:\n");
    options_print(stdout);
}

/* False: `wrong` says why this benchmark cannot run. */
static bool suits(const struct bench *b, const struct options *o, char *wrong, size_t room)
{
    if (!b)
        snprintf(wrong, room, "there is no benchmark '%s': hbench -help lists them", o->bench);
    else if (hn_size() < b->tasks)
        snprintf(wrong, room, "%s takes %d tasks: hrun -np %d hbench %s", b->name, b->tasks,
                 b->tasks, b->name);
    else
        return true;
    return false;
}

static bool write_samples(const struct results *results, const char *path)
{
    FILE *f = fopen(path, "w");

    if (!f)
        return fail_system(path);
    results_print_csv(results, f);
    if (ferror(f)) {
        fclose(f);
        return fail(path, "cannot be written");
    }
    return fclose(f) == 0 || fail_system(path);
}

static bool run(const struct bench *b, const struct options *o)
{
    struct results results = {0};
    bool good = b->run(o, &results);

    if (good && hn_rank() == 0) {
        if (o->json)
            results_print_json(&results, o->seed, stdout);
        else
            b->print(&results);
        if (o->samples)
            good = write_samples(&results, o->samples);
    }
    results_free(&results);
    return good;
}

int main(int argc, char **argv)
{
    struct options o;
    char wrong[256];
    bool right = options_read(&o, argc, argv, wrong, sizeof wrong);
    const struct bench *b = o.bench ? bench_named(o.bench) : NULL;
    bool good = true;

    if (hn_enrol() != HN_OK)
        return fail_hn("hn_enrol") ? 0 : 1;
    if (right && (o.help || o.version)) {
        if (hn_rank() == 0 && o.help)
            print_help();
        else if (hn_rank() == 0)
            printf("hbench %s\n", HNOW_VERSION);
    } else if (!right || !suits(b, &o, wrong, sizeof wrong)) {
        if (hn_rank() == 0)
            fprintf(stderr, "hbench: %s\n", wrong);
        hn_exit();
        return WRONG_USE;
    } else {
        good = run(b, &o);
    }
    hn_exit();
    return good ? 0 : 1;
}
