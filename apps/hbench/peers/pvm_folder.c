/* pvm_folder.c - see pvm_folder.h.  A folder has no subfolders: pvmd only makes files.
 *
 * Its owner holds a shared lock on it as long as it lives.  So a folder that can be locked
 * exclusively belongs to no process, whatever way that has ended. */
#include "pvm_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char prefix[] = "hbench-pvm-";

/* Maximum seconds between making a folder and locking it. */
enum { NEW = 10 };

void pvm_folder_remove(const char *folder)
{
    DIR *all = opendir(folder);
    struct dirent *one;

    /* "." and ".." cannot be unlinked, and are skipped that way. */
    while (all && (one = readdir(all)))
        unlinkat(dirfd(all), one->d_name, 0);
    if (all)
        closedir(all);
    rmdir(folder);
}

/* True if it is a folder (no link) of this user, and its owner has ended. */
static bool is_left(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    struct stat st;

    if (fd < 0)
        return false;
    /* A new folder may not be locked yet. The lock taken here ends with close(). */
    bool left = fstat(fd, &st) == 0 && st.st_uid == getuid() && st.st_mtime + NEW < time(NULL) &&
                flock(fd, LOCK_EX | LOCK_NB) == 0;
    close(fd);
    return left;
}

/* Removes the folders of earlier runs that were killed. */
static void remove_left(const char *above)
{
    /* Errors are ignored: what is left over takes a little room, and the next run tries again. */
    DIR *all = opendir(above);
    char folder[PATH_MAX];
    struct dirent *one;

    while (all && (one = readdir(all))) {
        int n = snprintf(folder, sizeof folder, "%s/%s", above, one->d_name);
        /* Other users' folders are left alone: is_left() compares the owner. */
        if (strncmp(one->d_name, prefix, sizeof prefix - 1) == 0 && n < PATH_MAX && is_left(folder))
            pvm_folder_remove(folder);
    }
    if (all)
        closedir(all);
}

bool pvm_folder_make(const char *above, char folder[PATH_MAX])
{

    remove_left(above);
    if (snprintf(folder, PATH_MAX, "%s/%sXXXXXX", above, prefix) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    /* mkdtemp() makes it readable by this user only. */
    if (!mkdtemp(folder))
        return false;
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* stays open, and locked, until the
                                                                  end */
    /* The descriptor is not returned: only the end of the process closes it. */
    return fd >= 0 && flock(fd, LOCK_SH) == 0;
}
