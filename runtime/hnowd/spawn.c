/* spawn.c - starts the process of a task; see spawn.h.
 *
 * A task is the leader of its own process group, so that signals reach all its children.  It dies
 * with its agent (PR_SET_PDEATHSIG).  A close-on-exec pipe reports whether exec succeeded: end of
 * file means success, otherwise it contains errno.
 *
 * The child runs between fork() and exec() in a copy of a process with one thread, so any function
 * may be called there.
 */
#include "hnowd/spawn.h"

#include "base/error.h"
#include "base/memory_file.h"
#include "base/search.h"
#include "hrun/hosts/launch.h"
#include "protocol/outbox_record.h"
#include "protocol/trace_record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- program and directory -------------------------------------------------------------- */

/* Follows links. */
static bool spawn_is_directory(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISDIR(status.st_mode);
}

/* An absolute name stays as it is.  The caller frees the result.  NULL: out of memory. */
static char *spawn_join(const char *directory, size_t length, const char *name)
{
    char *path = NULL;
    if (name[0] == '/')
        return strdup(name);
    return asprintf(&path, "%.*s/%s", (int)length, directory, name) < 0 ? NULL : path;
}

/* directory/name if that is a program, else NULL. */
static char *spawn_try(const char *directory, size_t length, const char *name)
{
    char *path = spawn_join(directory, length, name);
    if (path && search_is_program(path))
        return path;
    free(path);
    return NULL;
}

/* The working directory of hrun may not exist on this host.  Then $HOME is used with a note, unless
 * the user has named the directory. HN_ESYS names the directory. */
static int spawn_find_directory(struct spawn_program *program, const char *wanted, bool must,
                                char **note)
{
    const char *home = getenv("HOME");
    const char *directory = wanted;
    if (!home || !spawn_is_directory(home))
        home = "/";
    if (!wanted[0] || !spawn_is_directory(wanted)) {
        if (wanted[0] && must)
            return error_set(HN_ESYS, "the directory %s does not exist there", wanted);
        if (wanted[0] &&
            asprintf(note, "the directory %s does not exist there: using %s", wanted, home) < 0)
            *note = NULL;
        directory = home;
    }
    program->directory = strdup(directory);
    return program->directory ? HN_OK : error_set(HN_ENOMEM, "out of memory");
}

/* Describes why directory/name is no program. */
static int spawn_no_program(const char *directory, const char *name)
{
    char *path = spawn_join(directory, strlen(directory), name);
    struct stat status;
    int error;
    if (!path || stat(path, &status))
        error = error_set(HN_ESYS, "the program %s is not there (looked in %s): %s", name,
                          directory, path ? strerror(errno) : "out of memory");
    else if (!S_ISREG(status.st_mode))
        error = error_set(HN_ESYS, "%s is a directory, or something else that is no program", path);
    else
        error = error_set(HN_ESYS,
                          "the program %s is not executable: chmod +x, or a place that is not "
                          "mounted with noexec",
                          path);
    free(path);
    return error;
}

/* Sets the path of the program.  A name with a slash is searched in the task's directory, then in
 * hrun's working directory.  Any other is searched in $PATH, then there, too. base: hrun's working
 * directory on its host, which may exist here, too. */
static int spawn_find_path(struct spawn_program *program, const char *base)
{
    const char *name = program->argv[0];
    const char *search = getenv("PATH");
    if (strchr(name, '/')) {
        program->path = spawn_try(program->directory, strlen(program->directory), name);
        if (!program->path)
            program->path = spawn_try(base, strlen(base), name);
        if (program->path)
            return HN_OK;
        return spawn_no_program(program->directory, name);
    }
    program->path = search_program(search, name);
    if (!program->path)
        program->path = spawn_try(base, strlen(base), name);
    if (program->path)
        return HN_OK;
    return error_set(HN_ESYS, "the program '%s' was not found in %s nor in $PATH (%s)", name, base,
                     search ? search : "not set");
}

/* known: the path of a staged program; then nothing is searched. */
int spawn_find(struct spawn_program *program, char **argv, const char *wanted, bool must,
               const char *base, char *known, char **note)
{
    *program = (struct spawn_program){.argv = argv, .path = known};
    *note = NULL;
    int error = spawn_find_directory(program, wanted, must, note);
    return error || known ? error : spawn_find_path(program, base);
}

/* Idempotent. Words and environment belong to the program. */
void spawn_program_free(struct spawn_program *program)
{
    launch_free_words(program->argv);
    launch_free_words(program->environment);
    free(program->directory);
    free(program->path);
    *program = (struct spawn_program){0};
}

/* ---- the process ------------------------------------------------------------------------ */

/* Returns the limits before, which tasks get again.  On an error nothing is changed. */
struct rlimit spawn_raise_limit(void)
{
    struct rlimit before = {.rlim_cur = 1024, .rlim_max = 1024};
    if (getrlimit(RLIMIT_NOFILE, &before))
        return before;
    struct rlimit limit = {.rlim_cur = before.rlim_max, .rlim_max = before.rlim_max};
    setrlimit(RLIMIT_NOFILE, &limit);
    return before;
}

/* Pairs of descriptors: [0] is ours, [1] is the task's. A side that does not exist is -1. */
struct spawn_pairs {
    int agent[2], out[2], err[2], in[2], failure[2];
    int trace, outbox; /* used by both sides; -1: there is none */
};

/* Idempotent: sets the descriptor to -1. */
static void spawn_close(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* The agent closes the task's side after fork(), and both sides after an error. */
static void spawn_close_side(struct spawn_pairs *pairs, int side)
{
    spawn_close(&pairs->agent[side]);
    spawn_close(&pairs->out[side]);
    spawn_close(&pairs->err[side]);
    spawn_close(&pairs->in[side]);
    spawn_close(&pairs->failure[side]);
}

/* ours: the index of our end in the result of pipe2(), 0 to read and 1 to write. */
static bool spawn_pipe(int pair[2], int ours)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC))
        return false;
    pair[0] = ends[ours];
    pair[1] = ends[!ours];
    return true;
}

/* Memory for the records of a traced task (hrun -trace). -1: it is not traced, or there is no
 * memory. A wrong HNOW_TRACE_EVENTS counts as not given. */
static int spawn_trace_memory(void)
{
    const char *text = getenv("HNOW_TRACE_EVENTS");
    long records = text ? atol(text) : TRACE_RECORDS;
    if (records <= 0 || records > TRACE_MOST)
        records = TRACE_RECORDS;
    uint64_t size = TRACE_HEAD + (uint64_t)records * TRACE_RECORD, most = memory_file_limit();
    return getenv("HNOW_TRACE") ? memory_file("hnow-trace", size < most ? size : most) : -1;
}

/* why: errno. Returns HN_ESYS. */
static int spawn_no_descriptors(int why)
{
    struct rlimit limit = {0};
    getrlimit(RLIMIT_NOFILE, &limit);
    return error_set(HN_ESYS,
                     "no descriptors for another task: %s (the agent's limit, ulimit -n, is "
                     "%llu, and each task takes a few)",
                     strerror(why), (unsigned long long)limit.rlim_cur);
}

/* All or none.  Memory for traces and the outbox is optional, descriptors for channel and streams
 * are not. */
static int spawn_open_pairs(struct spawn_pairs *pairs, int input)
{
    *pairs = (struct spawn_pairs){
        {-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}, {-1, -1}, spawn_trace_memory(), outbox_make()};
    if (!socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pairs->agent) &&
        spawn_pipe(pairs->out, 0) && spawn_pipe(pairs->err, 0) && spawn_pipe(pairs->failure, 0) &&
        (input != SPAWN_PIPE_INPUT || spawn_pipe(pairs->in, 1)))
        return HN_OK;
    int error = spawn_no_descriptors(errno);
    spawn_close_side(pairs, 0);
    spawn_close_side(pairs, 1);
    spawn_close(&pairs->trace);
    spawn_close(&pairs->outbox);
    return error;
}

/* Called before the first of n tasks is started, so that not half of them run when descriptors are
 * exhausted. Only a lower bound: others may use descriptors as well. */
int spawn_check_room(size_t n)
{
    enum { LEAST = 4 }; /* descriptors of a task in the agent: channel, output, errors, failure */
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) || n <= limit.rlim_cur / LEAST
               ? HN_OK
               : spawn_no_descriptors(EMFILE);
}

/* In the new process: keeps a descriptor open across exec and puts its number into the
 * environment. */
static bool spawn_pass(int fd, const char *name)
{
    char number[16];
    snprintf(number, sizeof number, "%d", fd);
    return !fcntl(fd, F_SETFD, 0) && !setenv(name, number, 1);
}

/* In the new process: puts the rank into the environment, for programs before they enrol and for
 * scripts.  Programs for Open MPI or MPICH find it under the names that those use. */
static bool spawn_tell_rank(const struct spawn_rank *rank)
{
    static const char *const names[][4] = {
        {"HNOW_RANK", "HNOW_SIZE", "HNOW_LOCAL_RANK", "HNOW_LOCAL_SIZE"},
        {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
         "OMPI_COMM_WORLD_LOCAL_SIZE"},
        {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
    };
    const uint32_t values[] = {rank->rank, rank->size, rank->local_rank, rank->local_size};
    char number[16];
    for (size_t i = 0; i < 4; i++) {
        snprintf(number, sizeof number, "%" PRIu32, values[i]);
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (setenv(names[k][i], number, 1))
                return false;
    }
    return true;
}

/* In the new process: sets descriptors, process group and limits.  False with errno: the task
 * cannot start. Order: streams and environment first, the limit of files after them, the directory
 * last. */
static bool spawn_prepare(const struct spawn_program *program, int input,
                          const struct rlimit *files, const struct spawn_rank *rank,
                          struct spawn_pairs *pairs)
{
    sigset_t none;
    setpgid(0, 0);
    if (input == SPAWN_PIPE_INPUT)
        input = pairs->in[1];
    else if (input == SPAWN_NO_INPUT && (input = open("/dev/null", O_RDONLY | O_CLOEXEC)) < 0)
        input = memory_file("hnow-no-input", 0); /* there is no /dev, as in some chroots */
    /* dup2() leaves FD_CLOEXEC clear on the new descriptor, so the streams survive exec(). */
    if (dup2(input, 0) < 0 || dup2(pairs->out[1], 1) < 0 || dup2(pairs->err[1], 2) < 0)
        return false;
    if (!spawn_pass(pairs->agent[1], "HNOW_AGENT_FD") || setenv("PWD", program->directory, 1) ||
        (pairs->trace >= 0 && !spawn_pass(pairs->trace, "HNOW_TRACE_FD")) ||
        (pairs->outbox >= 0 && !spawn_pass(pairs->outbox, "HNOW_OUTBOX_FD")) ||
        !spawn_tell_rank(rank))
        return false;
    /* The program's own variables override those above. */
    for (char **entry = program->environment; entry && *entry; entry++)
        putenv(*entry);
    /* After all descriptors are in place: the program gets the limit that the agent was started
     * with. */
    setrlimit(RLIMIT_NOFILE, files);
    /* The agent's signal mask and its ignored signals must not be inherited. */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    /* Handlers do not survive exec(), but ignored signals would. */
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    return !chdir(program->directory);
}

/* Reads the first bytes of a file. -1: it cannot be read. */
static ssize_t spawn_peek(const char *path, char *bytes, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, bytes, size) : -1;
    if (fd >= 0)
        close(fd);
    return n;
}

/* Whether a script's first line ends in CR LF, as on Windows.  Then the kernel searches for an
 * interpreter whose name ends in a carriage return. */
static bool spawn_is_of_windows(const char *path)
{
    char line[256];
    ssize_t n = spawn_peek(path, line, sizeof line);
    const char *end = n > 0 ? memchr(line, '\n', (size_t)n) : NULL;
    return end && end > line && end[-1] == '\r';
}

/* Whether the file begins with a line of text, unlike a program for another machine. */
static bool spawn_is_text(const char *path)
{
    char line[256];
    ssize_t n = spawn_peek(path, line, sizeof line);
    for (ssize_t i = 0; i < n && line[i] != '\n'; i++)
        if (line[i] == 0)
            return false;
    return n < 4 || memcmp(line, "\177ELF", 4) != 0;
}

/* A text file without "#!" is executed as a shell script, as shells do. Returns only on failure,
 * with errno. */
static void spawn_exec(const struct spawn_program *program)
{
    execv(program->path, program->argv);
    /* The kernel refuses a text file without "#!" by this error. */
    if (errno != ENOEXEC)
        return;
    if (!spawn_is_text(program->path)) {
        errno = ENOEXEC;
        return;
    }
    size_t n = 0;
    while (program->argv[n])
        n++;
    /* Room for "sh", the path, the other n - 1 words, and NULL. */
    char **words = calloc(n + 2, sizeof *words);
    if (!words)
        return;
    words[0] = "sh";
    words[1] = program->path;
    memcpy(words + 2, program->argv + 1, n * sizeof *words);
    execv("/bin/sh", words);
}

/* Returns before exec has succeeded or failed; spawn_result() waits for that. */
int spawn_start(const struct spawn_program *program, int input, const struct rlimit *files,
                const struct spawn_rank *rank, struct spawned *spawned)
{
    struct spawn_pairs pairs;
    pid_t agent = getpid();
    int error = spawn_open_pairs(&pairs, input);
    if (error)
        return error;
    /* fork() rather than vfork(): the child changes its environment. */
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != agent)
            _exit(1); /* the agent died before prctl() */
        if (spawn_prepare(program, input, files, rank, &pairs))
            spawn_exec(program);
        /* Only reached if exec() has failed; the parent makes a message of this number. */
        int failed = errno;
        if (write(pairs.failure[1], &failed, sizeof failed) < 0)
            _exit(126);
        _exit(127);
    }
    /* Otherwise the pipe that reports exec() would never end. */
    spawn_close_side(&pairs, 1);
    if (pid < 0) {
        error = error_set(HN_ESYS, "no process for another task: %s", strerror(errno));
        spawn_close_side(&pairs, 0);
        spawn_close(&pairs.trace);
        spawn_close(&pairs.outbox);
        return error;
    }
    /* Also in the parent, because signals to the group may be sent before the child has run. */
    setpgid(pid, pid);
    *spawned = (struct spawned){.pid = pid,
                                .agent = pairs.agent[0],
                                .out = pairs.out[0],
                                .err = pairs.err[0],
                                .in = pairs.in[0],
                                .trace = pairs.trace,
                                .outbox = pairs.outbox,
                                .failure = pairs.failure[0]};
    return HN_OK;
}

void spawn_drop(struct spawned *spawned)
{
    spawn_close(&spawned->agent);
    spawn_close(&spawned->out);
    spawn_close(&spawned->err);
    spawn_close(&spawned->in);
    spawn_close(&spawned->trace);
    spawn_close(&spawned->outbox);
}

/* Blocks until exec().  After a failure all descriptors are closed and the process is reaped. */
int spawn_result(const struct spawn_program *program, struct spawned *spawned)
{
    int failed = 0;
    struct utsname machine;
    ssize_t n;
    do
        n = read(spawned->failure, &failed, sizeof failed);
    while (n < 0 && errno == EINTR);
    spawn_close(&spawned->failure);
    /* End of file: exec() has closed the pipe. */
    if (n != sizeof failed)
        return HN_OK;
    spawn_drop(spawned);
    /* libev does not watch this process yet, so it is reaped here. */
    while (waitpid(spawned->pid, NULL, 0) < 0 && errno == EINTR)
        ;
    if (failed == ENOEXEC && !uname(&machine))
        return error_set(HN_ESYS, "the program %s is not for this machine (%s)", program->path,
                         machine.machine);
    if (failed == ENOENT && spawn_is_of_windows(program->path))
        return error_set(HN_ESYS,
                         "%s cannot be executed: its lines end in carriage returns, as Windows "
                         "writes them: dos2unix",
                         program->path);
    /* The program itself exists, so what is missing must be its interpreter. */
    if (failed == ENOENT && access(program->path, X_OK) == 0)
        return error_set(HN_ESYS,
                         "%s cannot be executed: the interpreter that its first line names, or the "
                         "loader that it was linked for, is not there",
                         program->path);
    return error_set(HN_ESYS, "%s cannot be executed: %s", program->path, strerror(failed));
}
