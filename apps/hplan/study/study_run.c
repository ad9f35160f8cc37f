/* study_run.c - the list of studies, and the output of one: tables, claims, files.
 *
 * Order of a run: arguments and the directory are checked, the study runs, everything is printed,
 * files are written. So nothing is printed for a study that fails.
 */
#include "study.h"

#include "runtime/internal.h"

#include "hnow.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const struct study_row study_rows[] = {
    {"wu", "Wu, Yeh and Liu, section 5, Figures 3 and 4",
     "multiple multicast on up to 64 nodes: single broadcast, all-to-all broadcast, general", 10,
     study_wu},
    {"barchet", "Barchet-Steffenel and Mounie, section 6, Figures 1 to 4",
     "broadcast among 2 to 50 clusters: mean times and hit rates", 1000, study_barchet},
    {"barchet88", "Barchet-Steffenel and Mounie, section 7, Figure 5",
     "broadcast on 88 machines in 6 clusters, predicted", 0, study_barchet88},
    {"bhat", "Bhat, Prasanna and Raghavendra, section 5, Figures 9 to 12",
     "total exchange on up to 50 processors", 10, study_bhat},
    {"banikazemi", "Banikazemi et al., section 4, Figures 7 and 8",
     "broadcast trees and gather on fast and slow nodes", 0, study_banikazemi},
    {"throughput", "the lower bounds of hplan", "six operations up to 30 MB on the network of -net",
     0, study_throughput, .wants_net = true},
};
const int study_count = sizeof study_rows / sizeof *study_rows;

/* Writes one file of a sheet, completely or not at all. HN_ESYS has the path and the system's
 * reason in its text. */
static int write_file(const char *directory, const struct sheet *sheet, const char *suffix,
                      void (*write)(const struct sheet *, FILE *))
{
    char *path;
    if (asprintf(&path, "%s/%s%s", directory, sheet->form.name, suffix) < 0)
        return HN_ENOMEM;
    struct replacement file;
    int error = replace_open(&file, path);
    if (!error)
        write(sheet, file.file);
    /* Also closes after an error of opening. */
    error = replace_close(&file, error);
    free(path);
    return error;
}

/* Makes the directory, or accepts an existing one that can be written to.  Called before the study,
 * which may take an hour. */
static int make_directory(const char *directory)
{
    struct stat there;
    if (mkdir(directory, 0777) == 0)
        return HN_OK;
    if (errno == EEXIST && (stat(directory, &there) || !S_ISDIR(there.st_mode)))
        /* A file of that name is not a directory; mkdir() has not said so. */
        errno = ENOTDIR;
    if (errno != EEXIST || access(directory, W_OK | X_OK))
        return error_set(HN_ESYS, "-o %s: %s: choose another directory", directory,
                         strerror(errno));
    return HN_OK;
}

/* Each sheet becomes a CSV file and a plot. The first error ends it; files before it are complete.
 */
static int write_files(const struct study *study, const char *directory)
{
    int error = HN_OK;
    for (int i = 0; i < study->sheet_count && !error; i++) {
        error = write_file(directory, study->sheets[i], ".csv", sheet_csv);
        if (!error)
            error = write_file(directory, study->sheets[i], ".svg", sheet_draw);
    }
    return error;
}

/* Prints all sheets, then the claims.  A finding against a claim is printed, and is no error. `out`
 * gets all of it at the end, as figures and claims belong together. */
static void print(const struct study *study, const struct study_row *row, FILE *out)
{
    fprintf(out, "%s: %s (%s)\n", row->name, row->about, row->source);
    if (row->runs)
        fprintf(out, "runs %" PRId64 ", seed %" PRIu64 "\n", study->runs, study->seed);
    fputc('\n', out);
    for (int i = 0; i < study->sheet_count; i++)
        sheet_print(study->sheets[i], out);
    for (int i = 0; i < study->claim_count; i++) {
        const struct claim *c = &study->claims[i];
        if (c->paper)
            fprintf(out, "%s\n  the paper: %s\n  found:     %s\n",
                    c->holds ? "as the paper says" : "DIFFERS", c->paper, c->found);
        else
            fprintf(out, "%s\n", c->found);
    }
}

/* Also of a study that ended with an error. */
static void study_free(struct study *study)
{
    for (int i = 0; i < study->sheet_count; i++)
        sheet_free(study->sheets[i]);
    for (int i = 0; i < study->claim_count; i++)
        free(study->claims[i].found);
    free(study->sheets);
    free(study->claims);
}

/* The study runs to its end before anything is printed. Tests pass `largest` to leave out what
 * takes long. */
int study_run(const char *name, int64_t runs, uint64_t seed, int largest, const hn_net *net,
              const char *directory, FILE *out)
{
    const struct study_row *row = NULL;
    /* Names are unique. */
    for (int i = 0; i < study_count; i++)
        if (strcmp(study_rows[i].name, name) == 0)
            row = &study_rows[i];
    if (!row)
        return error_set(HN_EARG, "-study %s: no such study: hplan -study list shows all", name);
    if (row->wants_net && !net)
        return error_set(HN_EARG, "-study %s: wants a network: -net NETFILE", name);
    if (!row->wants_net && net)
        return error_set(HN_EARG, "-study %s: has networks of its own: leave out -net", name);
    /* Everything that can be wrong is found before the study runs. */
    int error = directory ? make_directory(directory) : HN_OK;
    if (error)
        return error;
    struct study study = {.name = row->name,
                          /* 0: the study has no random numbers, and does not use it. */
                          .runs = runs ? runs : row->runs,
                          .seed = seed,
                          .largest = largest,
                          .net = net,
                          .progress = isatty(STDERR_FILENO)};
    row->run(&study);
    if (study.error)
        /* Functions of studies set only codes, so the text is made here. */
        error_set(study.error, "-study %s: %s", name, hn_strerror(study.error));
    if (!study.error) {
        print(&study, row, out);
        if (directory)
            study.error = write_files(&study, directory);
    }
    study_free(&study);
    return study.error;
}

/* In the order of the table. */
void study_list(FILE *out)
{
    for (int i = 0; i < study_count; i++)
        fprintf(out, "%-12s %s\n%-12s %s\n", study_rows[i].name, study_rows[i].source, "",
                study_rows[i].about);
}
