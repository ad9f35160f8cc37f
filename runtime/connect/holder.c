/* holder.c - finds the process that holds a port, in /proc.  The table of sockets has the socket's
 * inode, and the holder is the process that has this inode open (see holder.h; proc(5)). */
#include "connect/holder.h"

#include <ctype.h>
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { HOLDER_LISTENS = 0x0A }; /* TCP_LISTEN in /proc/net/tcp */

/* The inode of a socket that listens on a port of the range; 0: there is none. */
static unsigned long listener_in(const char *table, unsigned low, unsigned high, unsigned *port)
{
    char line[512];
    unsigned long inode, found = 0;
    unsigned local, state;
    FILE *file = fopen(table, "re");

    while (file && !found && fgets(line, sizeof line, file))
        if (sscanf(line, " %*d: %*[0-9A-F]:%x %*[0-9A-F]:%*x %x %*s %*s %*s %*s %*s %lu", &local,
                   &state, &inode) == 3 &&
            state == HOLDER_LISTENS && low <= local && local <= high) {
            *port = local;
            found = inode;
        }
    if (file)
        fclose(file);
    return found;
}

/* Another user's process cannot be opened, and then counts as one that does not have it. */
static bool has_open(const char *pid, const char *socket)
{
    char path[300], target[64];
    bool has = false;
    struct dirent *entry;

    snprintf(path, sizeof path, "/proc/%s/fd", pid);
    DIR *list = opendir(path);
    while (list && !has && (entry = readdir(list))) {
        ssize_t n = readlinkat(dirfd(list), entry->d_name, target, sizeof target - 1);
        if (n > 0) {
            target[n] = 0;
            has = strcmp(target, socket) == 0;
        }
    }
    if (list)
        closedir(list);
    return has;
}

/* The program's name as the kernel keeps it, at most 15 characters. "?" if the process has
 * ended. */
static void name_of(const char *pid, char *name, size_t size)
{
    char path[300];

    snprintf(path, sizeof path, "/proc/%s/comm", pid);
    FILE *file = fopen(path, "re");
    if (!file || !fgets(name, (int)size, file))
        snprintf(name, size, "?");
    if (file)
        fclose(file);
    name[strcspn(name, "\n")] = 0;
}

/* O(processes x descriptors), for an error message only. */
void holder_of_ports(unsigned low, unsigned high, char *text, size_t size)
{
    char socket[64], name[32];
    unsigned port = 0;
    /* Sockets that listen for both families are in the table of IPv6. */
    unsigned long inode = listener_in("/proc/net/tcp6", low, high, &port);
    struct dirent *entry;

    text[0] = 0;
    if (!inode)
        inode = listener_in("/proc/net/tcp", low, high, &port);
    if (!inode)
        return;
    snprintf(socket, sizeof socket, "socket:[%lu]", inode);
    DIR *processes = opendir("/proc");
    while (processes && !text[0] && (entry = readdir(processes))) {
        /* Only names of digits are processes. */
        if (!isdigit((unsigned char)entry->d_name[0]) || !has_open(entry->d_name, socket))
            continue;
        name_of(entry->d_name, name, sizeof name);
        snprintf(text, size, " (%u is held by pid %s, %s)", port, entry->d_name, name);
    }
    if (processes)
        closedir(processes);
}
