/* replace.c - replaces files by rename; see replace.h.
 *
 * The other names of a file with hard links keep the old content. A process that is killed leaves
 * its temporary file, PATH.new-XXXXXXXX, behind. */
#include "base/replace.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SHELL_DESCRIPTORS = 10 }; /* 0 to 9: those that a shell can redirect (POSIX) */

/* Sets the error text from errno.  That is 0 if an earlier write has failed, which only ferror()
 * remembers. */
static int unwritten(const struct replacement *r)
{
    return error_set(HN_ESYS, "%s: cannot be written: %s", r->path,
                     errno ? strerror(errno) : "is the disk full?");
}

/* The descriptor that writes to the file already, for example that of /dev/stdout; -1: none. */
static int open_already(const struct stat *file)
{
    struct stat open;
    for (int fd = 0; fd < SHELL_DESCRIPTORS; fd++)
        if (fstat(fd, &open) == 0 && open.st_ino == file->st_ino && open.st_dev == file->st_dev &&
            (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY)
            return fd;
    return -1;
}

/* The file that is to be replaced.  NULL: the path is to be written directly. */
static char *target_of(const char *path, const struct stat *old)
{
    struct stat link;
    if (old->st_mode)
        return S_ISREG(old->st_mode) ? realpath(path, NULL) : NULL;
    return lstat(path, &link) == 0 ? NULL : strdup(path); /* a link that leads nowhere */
}

/* Makes the temporary file.  Returns its descriptor, or -1 (see errno). */
static int open_beside(struct replacement *r, const struct stat *old)
{
    unsigned number;
    if (getrandom(&number, sizeof number, 0) < 0 ||
        asprintf(&r->beside, "%s.new-%08x", r->target, number) < 0) {
        r->beside = NULL;
        return -1;
    }
    int fd = open(r->beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd >= 0 && old->st_mode) {
        /* Only root can keep another owner. */
        if (fchown(fd, old->st_uid, old->st_gid) < 0 || fchmod(fd, old->st_mode & 07777) < 0)
            fchmod(fd, old->st_mode & 0777);
        return fd;
    }
    if (fd < 0) {
        free(r->beside);
        r->beside = NULL;
    }
    return fd;
}

/* The cases in order: "-", a file that a standard descriptor writes to, a temporary file beside the
 * target, and the path itself. */
int replace_open(struct replacement *r, const char *path)
{
    struct stat old;
    *r = (struct replacement){.path = path};
    if (strcmp(path, "-") == 0) {
        r->file = stdout;
        return HN_OK;
    }
    if (stat(path, &old) < 0)
        old = (struct stat){0};
    else if (access(path, W_OK) < 0) /* as open() would: a rename asks only the directory */
        return unwritten(r);
    int fd = old.st_mode ? fcntl(open_already(&old), F_DUPFD_CLOEXEC, 0) : -1;
    if (fd < 0 && (r->target = target_of(path, &old)))
        fd = open_beside(r, &old);
    if (fd < 0 && (!r->target || errno == EACCES || errno == EROFS || errno == ENAMETOOLONG))
        fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    r->file = fd < 0 ? NULL : fdopen(fd, "w");
    return r->file ? HN_OK : replace_close(r, unwritten(r));
}

/* Appends in place, without a temporary file: the file's old content stays in any case. */
int replace_append(struct replacement *r, const char *path)
{
    *r = (struct replacement){.path = path, .file = fopen(path, "ae")};
    return r->file ? HN_OK : unwritten(r);
}

/* A regular file that is written directly is not truncated before: its end is cut off here. */
static bool cut(FILE *file)
{
    struct stat status;
    int fd = fileno(file);
    return fstat(fd, &status) < 0 || !S_ISREG(status.st_mode) || fcntl(fd, F_GETFL) & O_APPEND ||
           ftruncate(fd, ftello(file)) == 0;
}

/* fsync() precedes the rename.  Otherwise a crash could leave an empty file under the name. */
int replace_commit(struct replacement *r)
{
    errno = 0;
    bool good = r->file && fflush(r->file) == 0 && !ferror(r->file);
    if (good && r->beside)
        good = fsync(fileno(r->file)) == 0 && rename(r->beside, r->target) == 0;
    else if (good && r->file != stdout)
        good = cut(r->file);
    if (!good)
        return unwritten(r);
    free(r->beside);
    r->beside = NULL;
    return HN_OK;
}

/* A temporary file that was not committed is removed. */
int replace_close(struct replacement *r, int code)
{
    if (code == HN_OK)
        code = replace_commit(r);
    if (r->file && r->file != stdout && fclose(r->file) && code == HN_OK)
        code = unwritten(r);
    if (r->beside)
        unlink(r->beside);
    free(r->beside);
    free(r->target);
    *r = (struct replacement){0};
    return code;
}
