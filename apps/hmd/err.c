/* err.c - see err.h. */
#include "err.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

int err_set(struct err *e, int status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    e->status = status;
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    /* The text may quote arbitrary file contents: remove escape sequences for terminals. */
    for (char *p = e->text; *p; p++)
        if ((unsigned char)*p < ' ' || *p == 127)
            *p = '?';
    return status;
}

static int err_unwritten(const char *path, struct err *e)
{
    return err_set(e, ERR_RUN, "%s: cannot be written: %s", path, strerror(errno));
}

FILE *err_create(const char *path, struct err *e)
{
    FILE *file = fopen(path, "w");
    if (!file)
        err_unwritten(path, e);
    return file;
}

int err_try(const char *path, struct err *e)
{
    struct stat old;
    int there = path && stat(path, &old) == 0;
    if (!path || (there && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode)))
        return 0; /* opening a pipe would wait for its reader */
    FILE *file = fopen(path, "a");
    if (!file)
        return err_unwritten(path, e);
    fclose(file);
    if (!there)
        remove(path);
    return 0;
}

int err_close(FILE *file, const char *path, struct err *e)
{
    int bad = fflush(file) || ferror(file); /* errno is that of the first failure, if known */
    return fclose(file) || bad ? err_unwritten(path, e) : 0;
}
