/* err.c - see err.h.
 *
 * Nothing is printed here: texts are stored, and main() prints one.  Where it is possible, a file
 * is written beside the old one (replace.h), so that an error keeps the old one.
 */
#include "err.h"

#include "runtime/internal.h"

#include <stdarg.h>
#include <sys/stat.h>

/* A text that is too long is truncated. */
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

int err_of(int code, struct err *e)
{
    return code ? err_set(e, ERR_RUN, "%s", hn_error_text()) : 0;
}

/* The replacement must be closed with err_close(). */
FILE *err_create(struct replacement *r, const char *path, struct err *e)
{
    return err_of(replace_open(r, path), e) ? NULL : r->file;
}

/* Creates the replacement file and discards it again, so that a run of hours does not fail at its
 * end for lack of permission. */
int err_try(const char *path, struct err *e)
{
    struct stat old;
    struct replacement r;
    if (!path || (stat(path, &old) == 0 && !S_ISREG(old.st_mode) && !S_ISDIR(old.st_mode)))
        return 0; /* opening a pipe would wait for its reader */
    if (!err_create(&r, path, e))
        return ERR_RUN;
    /* Any error code discards the new file. */
    replace_close(&r, HN_EARG);
    return 0;
}

int err_close(struct replacement *r, struct err *e)
{
    return err_of(replace_close(r, HN_OK), e);
}
