/* hrun.c - runs a parallel program: reads the command line and the hosts, then calls job_run().
 *
 * The hosts are those of -hosts, or of the first of several sources that exists.  Each source may
 * bring a launcher with it, for instance srun within an allocation, which -launcher overrides.
 *
 * Exit status 2 means that no task was started: the command line, or a file, is wrong.
 */
#include "hnow.h"
#include "hosts.h"
#include "hrun/hrun.h"
#include "hrun/hrun_options.h"
#include "hrun/job.h"
#include "hrun/hosts/machine_hosts.h"
#include "base/error.h"
#include "base/options.h"
#include "base/printed.h"
#include "base/search.h"
#include "base/signals.h"
#include "hrun/hosts/slurm.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Prints the error and returns the exit status for it. */
static int hrun_refuse(void)
{
    fprintf(stderr, "hrun: %s\n", hn_error_text());
    return 2;
}

/* slurm.c gets the environment through a function, so that its tests can pass another one. */
static const char *hrun_get(const char *name)
{
    return getenv(name);
}

/* Reads a hosts file that the user has not named, so an error must say where its name came from. */
static int hrun_read_hosts(const char *path, const char *from, bool verbose, struct hosts **hosts)
{
    if (verbose)
        fprintf(stderr, "hrun: the hosts are those of %s (%s)\n", path, from);
    int error = hosts_read(path, hosts);
    char why[ERROR_TEXT];
    if (error)
        error_set(error, "%s (from %s: -hosts names others)", strcpy(why, hn_error_text()), from);
    return error;
}

/* The hosts file that the environment names; *hosts is NULL if there is none. */
static int hrun_named_hosts(bool verbose, struct hosts **hosts)
{
    static const char *const variables[] = {
        "PBS_NODEFILE", "LSB_DJOB_HOSTFILE", /* batch systems: a line for each slot */
        "OMPI_MCA_orte_default_hostfile", "PRTE_MCA_prte_default_hostfile", "HYDRA_HOST_FILE"};
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
        const char *path = getenv(variables[i]);
        /* "none" is Open MPI's word for no file. */
        if (path && path[0] && strcmp(path, "none") != 0)
            return hrun_read_hosts(path, variables[i], verbose, hosts);
    }
    return HN_OK;
}

/* Finds the hosts: those of the current allocation, else of the file that the environment names, of
 * the user's persistent machine, or of the Kubernetes MPI operator.  NULL: only this host.  A batch
 * system's allocation precedes the user's machine, because the job must run where it was
 * granted. */
static int hrun_found_hosts(struct hrun_options *options, struct hosts **hosts)
{
    static const char operator_file[] = "/etc/mpi/hostfile";
    /* An allocation that cannot be read is an error: the job must not run elsewhere. */
    int error = slurm_hosts(hrun_get, hosts);
    const char *launcher = NULL;
    if (*hosts) {
        /* Without srun the agents are started by ssh. */
        char *srun = search_program(getenv("PATH"), "srun");
        launcher = srun ? SLURM_LAUNCHER : NULL;
        free(srun);
        /* srun reads its options from these variables, too; those of the batch job must not apply
         * to agents. */
        slurm_forget_options();
    } else if (!error && (error = hrun_named_hosts(options->verbose, hosts)) == HN_OK && !*hosts) {
        error = machine_hosts(hosts);
        launcher = *hosts ? MACHINE_LAUNCHER : NULL;
        if (*hosts && options->verbose)
            fprintf(stderr, "hrun: on the machine that is up (hnow conf lists its hosts)\n");
    }
    /* The last resort, after all that the user may have set up. */
    if (!error && !*hosts && access(operator_file, R_OK) == 0)
        error = hrun_read_hosts(operator_file, "the MPI operator", options->verbose, hosts);
    /* The user's own -launcher counts. */
    if (launcher && !options->launcher)
        options->launcher = launcher;
    return error;
}

/* The hosts that the user names, else those that are found.  With hosts of the user's own, an
 * allocation is not used; a host outside it causes a warning.  *hosts may be set on an error, and
 * is freed by the caller. */
static int hrun_hosts(struct hrun_options *options, struct hosts **hosts)
{
    *hosts = NULL;
    if (!options->hosts) {
        int error = hrun_found_hosts(options, hosts);
        return error || !*hosts ? error : options->checks->hosts(*hosts);
    }
    int error = hosts_open(options->hosts, hosts);
    if (!error)
        error = options->checks->hosts(*hosts);
    const char *stranger = error ? NULL : slurm_stranger(hrun_get, *hosts);
    if (stranger)
        fprintf(stderr, "hrun: host %s is not in the Slurm allocation (%s): -hosts counts\n",
                stranger, getenv("SLURM_JOB_NODELIST"));
    return error;
}

/* Returns the exit status. strsep() consumes the notes, whose memory the options still own. */
static int hrun_with(struct hrun_options *options)
{
    struct hosts *hosts;
    char *notes = options->verbose ? options->habits.notes : NULL;
    /* Each note is a line, and the last one ends with a line end, too. */
    for (char *line; (line = strsep(&notes, "\n")) && *line;)
        fprintf(stderr, "hrun: %s\n", line);
    int status = hrun_hosts(options, &hosts) ? hrun_refuse() : job_run(options, hosts);
    hosts_free(hosts);
    return status;
}

/* Tasks must not inherit the caller's other descriptors.  Linux has close_range() since 5.11.  They
 * are closed at exec(), not now, because this process may still use them. */
static void hrun_keep_descriptors(void)
{
    DIR *list = close_range(3, ~0u, CLOSE_RANGE_CLOEXEC) ? opendir("/proc/self/fd") : NULL;
    for (const struct dirent *entry; list && (entry = readdir(list));)
        if (atoi(entry->d_name) > STDERR_FILENO)
            fcntl(atoi(entry->d_name), F_SETFD, FD_CLOEXEC);
    if (list)
        closedir(list);
}

/* Returns the exit status: that of the job, or 2 for a wrong command line.  A failure to print
 * counts, too (printed.h). */
int hrun_main(int argc, char **argv, const struct hrun_checks *checks)
{
    struct hrun_options options;
    int status = 0;
    signals_begin();
    /* Opens 0, 1 and 2 if they are closed, so that no later descriptor gets these numbers. */
    printed_begin();
    /* Before the first descriptor of hrun's own is opened. */
    hrun_keep_descriptors();
    int first = hrun_options_read(&options, argc, argv, checks);
    if (first == OPTIONS_HELP)
        hrun_options_help();
    else if (first == OPTIONS_VERSION)
        puts("hrun " HNOW_VERSION);
    else if (first < 0)
        status = hrun_refuse();
    else
        status = hrun_with(&options);
    hrun_options_free(&options);
    return printed_status("hrun", status);
}
