/* needed.h - the shared objects that a program needs, directly or through other ones. */
#ifndef HNOW_NEEDED_H
#define HNOW_NEEDED_H

enum { NEEDED_PATH = 4096 /* PATH_MAX */ };

/* Takes the name of one object, and its path; NULL: it is not on this host.  Not HN_OK: no further
 * ones are wanted. */
typedef int needed_take(void *to, const char *name, const char *path);

/* Passes the objects that the program would be started with to `take`, in the order in which the
 * loader finds them; search: the program's LD_LIBRARY_PATH, NULL: none.  `loader` becomes the
 * loader's path, "" where the program names none or is not for this machine: then there are no
 * objects.  HN_OK, what `take` has returned, or HN_ESYS: the loader has failed. */
int needed_list(const char *program, const char *search, char loader[NEEDED_PATH],
                needed_take *take, void *to);

#endif
