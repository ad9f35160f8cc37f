/* hosts.h - the hosts file: which machines there are and how they are reached.
 *
 *     # comment
 *     [user@]name[:N] [addr=A] [slots=N] [user=U] [port=P] [key=F] [ssh=WORDS] [via=GATEWAY]
 *                     [path=DIR] [wdir=DIR] [speed=S] [encrypt=yes] [trusted=yes]
 *                     [env=K=V]...
 *     node[01-16]     a line for each: node01, node02, ... (ranges in addr= count along)
 *     [fe80::1]:4     a bracket at the beginning of a name holds an IPv6 address
 *     * slots=4       defaults for the lines below; a later * line changes only what it names
 *     & spare         a standby host: known, started when it is added
 *     @pair a b ...   a record of the network model; kept for the probe room
 *
 * A network file is a hosts file with measurements: the keys of the model (send_us=, ...) and the @
 * records are kept here as text, their meaning is the probe room's.
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

/* How the tasks of a host learn that encrypt=yes, or trusted=yes, was said of it, and all tasks
 * that hrun -encrypt, or -trusted, was. */
#define HOSTS_ENCRYPT "HNOW_ENCRYPT=1"
#define HOSTS_TRUSTED "HNOW_TRUSTED=1"

/* Strings are NULL where the file says nothing. */
struct host_line {
    char *name; /* as written, an IPv6 address without its brackets */
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
    const char *model[HOSTS_MODEL_COUNT]; /* value as text, NULL: not given */
};

struct hosts {
    int n;
    struct host_line *line;
    int nrecord;
    struct line *record; /* the @ lines, in their order; word[0] is "@kind" */
    char *name;          /* of the file, for messages */
    char *text;          /* the whole file, verbatim, a 0 behind it */
    size_t text_length;
    struct arena arena; /* owns everything above except text */
};

/* Each returns HN_OK and *hosts, to be freed by hosts_free(); else *hosts is NULL, and
 * hn_error_text() is "FILE:LINE: what is wrong: what to do" (HN_ESYNTAX) or says why the file could
 * not be read (HN_ESYS, HN_ENOMEM). */
int hosts_read(const char *path, struct hosts **hosts);
/* name is what messages call the file; the text is copied. */
int hosts_parse(const char *name, const char *text, size_t length, struct hosts **hosts);
/* "a,b:4,node[1-3]": names only; hosts->text is the hosts file that says the same, and its name
 * HOSTS_LISTED. */
#define HOSTS_LISTED "-hosts"
int hosts_list(const char *list, struct hosts **hosts);
/* Opens the argument of -hosts: hosts_read() when such a file exists or arg holds a /, else
 * hosts_list(). */
int hosts_open(const char *arg, struct hosts **hosts);

/* Index of the host of this name, or -1.  O(n): for many look-ups make a table. */
int hosts_find(const struct hosts *hosts, const char *name);
/* Whether text can be a host's name (letters, digits, . _ -, no leading -; or an IPv6 address). */
bool hosts_is_name(const char *text);
/* Writes a host's line as hosts_read() reads it, with slots= and without the model's keys and the
 * end of line.  What went wrong shows in ferror(). */
void hosts_write(FILE *file, const struct host_line *line);
void hosts_free(struct hosts *hosts);
