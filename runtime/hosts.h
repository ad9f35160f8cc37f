/* hosts.h - the hosts file: lists machines and how to reach them.
 *
 *     # comment
 *     [user@]name[:N] [addr=A] [slots=N] [user=U] [port=P] [key=F] [ssh=WORDS] [via=GATEWAY]
 *                     [path=DIR] [wdir=DIR] [speed=S] [encrypt=yes] [trusted=yes]
 *                     [env=K=V]...
 *     node[01-16]     a line for each: node01, node02, ... (ranges in addr= advance in parallel)
 *     [fe80::1]:4     an IPv6 address is in brackets at the beginning of a name
 *     * slots=4       defaults for the lines below; a later * line changes only the keys it names
 *     & spare         a standby host: known, but started only when it is added
 *     @pair a b ...   a record of the network model; kept for the probe room
 *
 * A network file is a hosts file with measurements.  The keys of the model (send_us=, ...) and the
 * @ records are stored here as text; the probe room interprets them.
 */
#pragma once

#include "base/lines.h"

#include <stdbool.h>
#include <stdio.h>

enum { HOSTS_MOST = 1000000, HOSTS_SLOTS = 1000000 }; /* hosts in a file, slots of a host */

/* The keys of the network model on a host's line. */
#define HOSTS_MODEL_KEYS(X)                                                                        \
    X(HOSTS_SEND_CONST, "send_us")                                                                 \
    X(HOSTS_SEND_PER_BYTE, "send_ns_per_byte")                                                     \
    X(HOSTS_RECV_CONST, "recv_us")                                                                 \
    X(HOSTS_RECV_PER_BYTE, "recv_ns_per_byte")                                                     \
    X(HOSTS_SEND_GAP_CONST, "send_gap_us")                                                         \
    X(HOSTS_SEND_GAP, "send_gap_ns_per_byte")                                                      \
    X(HOSTS_RECV_GAP, "recv_gap_ns_per_byte")                                                      \
    X(HOSTS_WAKE, "wake_us")                                                                       \
    X(HOSTS_SPEED, "speed")

enum hosts_model_key {
#define X(name, text) name,
    HOSTS_MODEL_KEYS(X)
#undef X
        HOSTS_MODEL_COUNT
};

/* Environment of tasks: on a host with encrypt=yes (trusted=yes), and of all tasks after hrun
 * -encrypt (-trusted). */
#define HOSTS_ENCRYPT "HNOW_ENCRYPT=1"
#define HOSTS_TRUSTED "HNOW_TRUSTED=1"

/* Strings are NULL if the file does not set them. */
struct host_line {
    char *name; /* as written; an IPv6 address without its brackets */
    char *addr; /* where to connect instead of name */
    char *user, *key, *ssh, *via;
    char *path, *wdir;
    int slots; /* 0: not given */
    int port;  /* 0: not given */
    int nenv;
    char **env; /* K=V each */
    bool encrypt, trusted;
    bool standby;
    int line_number;
    const char *model[HOSTS_MODEL_COUNT]; /* value as text; NULL: not given */
    int model_line[HOSTS_MODEL_COUNT];    /* its line: the host's own, or one of defaults */
};

/* Allocated by hosts_read() and its kin.  Records and lines point into the arena. */
struct hosts {
    int n;
    struct host_line *line;
    int nrecord;
    struct line *record; /* the @ lines in order; word[0] is "@kind" */
    char *name;          /* of the file, for messages */
    char *text;          /* the whole file, unchanged, with a terminating 0 */
    size_t text_length;
    struct arena arena; /* owns everything above except text */
};

/* Each returns HN_OK and *hosts, which hosts_free() frees.  Otherwise *hosts is NULL.
 * hn_error_text() is then "FILE:LINE: what is wrong: what to do" (HN_ESYNTAX), or why the file
 * could not be read (HN_ESYS, HN_ENOMEM). */
int hosts_read(const char *path, struct hosts **hosts);
/* name: the file's name in messages.  The text is copied. */
int hosts_parse(const char *name, const char *text, size_t length, struct hosts **hosts);
/* Parses "a,b:4,node[1-3]", a list of names. hosts->text is the equivalent hosts file, and its name
 * is HOSTS_LISTED. */
#define HOSTS_LISTED "-hosts"
int hosts_list(const char *list, struct hosts **hosts);
/* Opens the argument of -hosts: as hosts_read() if such a file exists or arg contains a /, else as
 * hosts_list(). */
int hosts_open(const char *arg, struct hosts **hosts);

/* Index of the host with this name, or -1.  O(n): for many look-ups make a table. */
int hosts_find(const struct hosts *hosts, const char *name);
/* Whether text is a valid name of a host (letters, digits, . _ -, no leading -; or an IPv6
 * address). */
bool hosts_is_name(const char *text);
/* Writes a host's line in the form of the file, with slots= and without the model's keys and the
 * end of line.  Errors are in ferror(). */
void hosts_write(FILE *file, const struct host_line *line);
void hosts_free(struct hosts *hosts);
