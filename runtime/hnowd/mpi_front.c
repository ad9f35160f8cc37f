/* mpi_front.c - MPI and PVM programs: selects hnow's library; see mpi_front.h.
 *
 * Each binary interface of MPI, and PVM, has a shared object with its own name. hnow's version is
 * in a private directory of that interface, so that it hides no installed one: libexec/hnow/NAME
 * below the prefix, or a place in a build directory.  Both are found relative to this process's own
 * file.
 *
 * A program is changed by its environment only: LD_LIBRARY_PATH, and LD_PRELOAD, too, if the user
 * has chosen the interface. Its file is never touched.
 */
#include "hnowd/mpi_front.h"

#include "base/array.h"
#include "base/error.h"
#include "base/search.h"
#include "hnowd/needed.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* MPICH's programs of mpi_f08 need its own Fortran library, which passes array descriptors. */
#define MPI_FRONT_F08     "mpich-f08"
#define MPI_FRONT_F08_END "_f08ts_" /* in the names of its functions */

/* The rows of an interface are consecutive; mpi_front_prepare_unknown() relies on that.  A library
 * that occurs twice belongs to the first of its rows. */
static const struct mpi_front {
    const char *name;    /* the value of hrun -mpi, and the name of the directory */
    const char *library; /* the shared object that such programs need */
    const char *built;   /* its directory in a build directory */
} mpi_fronts[] = {{"openmpi", "libmpi.so.40", "apps/mpi/openmpi"},
                  {"openmpi", "libmpi_mpifh.so.40", "apps/mpi/openmpi"},
                  {"openmpi", "libmpi_usempif08.so.40", "apps/mpi/openmpi"},
                  {"abi", "libmpi_abi.so.1", "apps/mpi/abi"},
                  {"mpich", "libmpich.so.12", "apps/mpi/mpich"},
                  {"mpich", "libmpi.so.12", "apps/mpi/mpich"},
                  {"mpich", "libmpichfort.so.12", "apps/mpi/mpich"},
                  {"mpich", "libmpifort.so.12", "apps/mpi/mpich"},
                  {MPI_FRONT_F08, "libmpich.so.12", "apps/mpi/mpich/f08"},
                  {"pvm", "libpvm3.so.3", "apps/pvm"},
                  {"pvm", "libgpvm3.so.3", "apps/pvm"}};

/* Rows, not interfaces: an interface may have several libraries. */
enum { MPI_FRONTS = sizeof mpi_fronts / sizeof *mpi_fronts };

#define MPI_FRONT_NONE   "none"
#define MPI_FRONT_SEARCH "LD_LIBRARY_PATH"
#define MPI_FRONT_FIRST  "LD_PRELOAD"

/* The first row of the interface; NULL: there is none of this name. */
static const struct mpi_front *mpi_front_named(const char *name)
{
    for (int i = 0; i < MPI_FRONTS; i++)
        if (strcmp(mpi_fronts[i].name, name) == 0)
            return &mpi_fronts[i];
    return NULL;
}

/* For hrun, which checks the value of -mpi before a job starts. */
bool mpi_front_known(const char *name)
{
    return mpi_front_named(name) || strcmp(name, MPI_FRONT_NONE) == 0;
}

/* NULL: the program needs none of the libraries, as far as its files show. Programs of mpi_f08 need
 * the same library as others of MPICH, so the names of their functions decide. */
static const struct mpi_front *mpi_front_of_file(const char *path, const char *search)
{
    const char *libraries[MPI_FRONTS + 1] = {0};
    for (int i = 0; i < MPI_FRONTS; i++)
        libraries[i] = mpi_fronts[i].library;
    int found = needed_find(path, search, libraries);
    if (found < 0)
        return NULL;
    return strcmp(mpi_fronts[found].name, "mpich") == 0 && needed_mentions(path, MPI_FRONT_F08_END)
               ? mpi_front_named(MPI_FRONT_F08)
               : &mpi_fronts[found];
}

/* The private directory of an interface, which the caller frees.  NULL: there is none. The result
 * is absolute. */
static char *mpi_front_place(const struct mpi_front *front)
{
    char *own = search_self(), installed[NAME_MAX], *file = NULL, *found = NULL;
    if (!own)
        return NULL;
    *strrchr(own, '/') = 0;
    snprintf(installed, sizeof installed, "../libexec/hnow/%s", front->name);
    const char *const places[] = {installed, front->built};
    for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++) {
        if (asprintf(&file, "%s/%s/%s", own, places[i], front->library) < 0)
            break;
        if (access(file, R_OK) == 0) {
            *strrchr(file, '/') = 0;
            found = realpath(file, NULL);
        }
        free(file);
    }
    free(own);
    return found;
}

/* *library NULL: the program needs none of them.  NULL with a library: it is not installed here.
 * wanted "none" gives no interface, hence *library NULL. */
char *mpi_front_directory(const char *path, const char *wanted, const char *search,
                          const char **library)
{
    const struct mpi_front *front = NULL;
    if (!wanted || !wanted[0])
        front = mpi_front_of_file(path, search);
    else
        front = mpi_front_named(wanted);
    *library = front ? front->library : NULL;
    return front ? mpi_front_place(front) : NULL;
}

/* The value of a variable in the program's environment, or NULL. Later entries override, as
 * putenv() does. */
static const char *mpi_front_variable(const struct spawn_program *program, const char *name)
{
    const char *value = getenv(name);
    size_t n = strlen(name);
    for (char **entry = program->environment; entry && *entry; entry++)
        if (strncmp(*entry, name, n) == 0 && (*entry)[n] == '=')
            value = *entry + n + 1;
    return value;
}

/* Adds a string to the program's environment, which takes ownership of it. word is freed on an
 * error. */
static int mpi_front_add(struct spawn_program *program, char *word)
{
    size_t n = 0;
    while (program->environment && program->environment[n])
        n++;
    if (!ARRAY_ROOM(program->environment, n + 2)) {
        free(word);
        return error_set(HN_ENOMEM, "out of memory");
    }
    program->environment[n] = word;
    program->environment[n + 1] = NULL;
    return HN_OK;
}

/* Whether the program's file does not show which MPI library is used: scripts and Python.  Not all
 * programs that call dlopen(): those that they start (hbench: pvmd) may need libraries of their
 * own. */
static bool loads_unknown(const char *path)
{
    char begin[2] = "";
    FILE *file = fopen(path, "re");
    bool is = file && fread(begin, 1, sizeof begin, file) == sizeof begin &&
              memcmp(begin, "#!", sizeof begin) == 0;
    if (file)
        fclose(file);
    return is || needed_mentions(path, "Py_");
}

/* Puts a path before the list in a variable of the program. The former list stays behind it. */
static int mpi_front_put(struct spawn_program *program, const char *variable, const char *path)
{
    const char *list = mpi_front_variable(program, variable);
    bool more = list && list[0];
    char *word;
    if (asprintf(&word, "%s=%s%s%s", variable, path, more ? ":" : "", more ? list : "") < 0)
        return error_set(HN_ENOMEM, "out of memory");
    return mpi_front_add(program, word);
}

/* An interpreter may put directories before these: R does so with the one of installed libraries.
 * The loader looks for no object of a name that it has loaded. */
static int mpi_front_preload(struct spawn_program *program, const char *directory,
                             const char *library)
{
    char *path;
    if (asprintf(&path, "%s/%s", directory, library) < 0)
        return error_set(HN_ENOMEM, "out of memory");
    int error = mpi_front_put(program, MPI_FRONT_FIRST, path);
    free(path);
    return error;
}

/* A script does not show which programs it starts, nor Python which library it loads.  So they get
 * the directories of all installed interfaces, whose libraries have different names. From the last
 * row to the first, as each is put in front; one directory for each interface. */
static int mpi_front_prepare_unknown(struct spawn_program *program, char **note)
{
    int error = HN_OK;
    for (int i = MPI_FRONTS - 1; i >= 0 && !error; i--) {
        if (i > 0 && strcmp(mpi_fronts[i - 1].name, mpi_fronts[i].name) == 0)
            continue;
        char *directory = mpi_front_place(&mpi_fronts[i]);
        if (directory)
            error = mpi_front_put(program, MPI_FRONT_SEARCH, directory);
        free(directory);
    }
    if (!error && asprintf(note, "MPI and PVM programs that %s starts run with hnow's libraries",
                           program->path) < 0)
        *note = NULL;
    return error;
}

/* hrun -mpi decides, or the file.  Without a library of hnow on this host the program is refused:
 * it would run with the wrong one, each process alone. */
int mpi_front_prepare(struct spawn_program *program, char **note)
{
    const char *search = mpi_front_variable(program, MPI_FRONT_SEARCH);
    const char *wanted = mpi_front_variable(program, MPI_FRONT_VARIABLE);
    const char *library;
    *note = NULL;
    char *directory = mpi_front_directory(program->path, wanted, search, &library);
    if (!library)
        return !(wanted && wanted[0]) && loads_unknown(program->path)
                   ? mpi_front_prepare_unknown(program, note)
                   : HN_OK;
    if (!directory)
        return error_set(HN_ESYS,
                         "%s needs %s, and hnow's own is not installed there: install hnow "
                         "on that host, or give -mpi none if the program is not to use hnow",
                         program->path, library);
    int error = mpi_front_put(program, MPI_FRONT_SEARCH, directory);
    /* A file that names the library finds it by LD_LIBRARY_PATH; one that was chosen by -mpi may
     * not name it. */
    if (!error && wanted && wanted[0])
        error = mpi_front_preload(program, directory, library);
    if (error ||
        asprintf(note, "%s runs with hnow's %s, in %s", program->path, library, directory) < 0)
        *note = NULL;
    free(directory);
    return error;
}
