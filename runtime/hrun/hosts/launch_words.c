/* launch_words.c - the command lines that connect to another host; see launch.h.
 *
 * Our own -o options follow the user's (ssh= in the hosts file), because ssh uses the first value
 * of an option.  Host keys are always checked.
 *
 * Three layers of quoting meet.  hrun executes words without a shell; ssh joins them for the user's
 * shell on the host; that shell starts /bin/sh for the agent's command.  The command is therefore
 * one word, whose inner text avoids every character that any of the shells interprets.
 *
 * The remote command works in any login shell, also in csh and fish.
 */
#include "hrun/hosts/launch.h"

#include "base/array.h"
#include "base/pack.h"
#include "protocol/sync.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A growing list of words.  After a failure it is NULL and stays so. The list always ends with NULL
 * once it has a word. */
struct words {
    char **word;
    size_t n;
    bool failed;
};

/* A failure is stored; later calls have no effect, so that only words_done() needs a check. */
static void words_add_n(struct words *words, const char *text, size_t length)
{
    bool room = !words->failed && ARRAY_ROOM(words->word, words->n + 2);
    char *copy = room ? strndup(text, length) : NULL;
    if (!copy) {
        words->failed = true;
        return;
    }
    words->word[words->n++] = copy;
    words->word[words->n] = NULL;
}

static void words_add(struct words *words, const char *text)
{
    words_add_n(words, text, strlen(text));
}

/* Nothing if the value is NULL. */
static void words_add_pair(struct words *words, const char *option, const char *value)
{
    if (value) {
        words_add(words, option);
        words_add(words, value);
    }
}

/* Adds words separated by blanks; quotes keep blanks. A quote inside a word does not end it. There
 * is no escape character. */
static void words_split(struct words *words, const char *text)
{
    struct pack word = {0};
    bool begun = false;
    char quote = 0;
    for (;; text++) {
        char c = *text;
        if (c && (quote ? c == quote : c == '"' || c == '\'')) {
            quote = quote ? 0 : c;
            begun = true;
        } else if (!c || (!quote && (c == ' ' || c == '\t'))) {
            if (begun)
                words_add_n(words, word.data ? (char *)word.data : "", word.length);
            word.length = 0;
            begun = false;
            if (!c)
                break;
        } else {
            pack_u8(&word, (uint8_t)c);
            begun = true;
        }
    }
    words->failed |= word.failed;
    pack_free(&word);
}

/* The caller frees the result with launch_free_words().  NULL: out of memory. */
static char **words_done(struct words *words)
{
    if (!words->failed)
        return words->word;
    launch_free_words(words->word);
    return NULL;
}

/* ---- quoting ---------------------------------------------------------------------------- */

/* Characters that no shell interprets, wherever they are. */
static bool launch_is_plain(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           strchr("/._-+,:@%=", c);
}

/* Formats the words as the user would type them.  A quote inside is written as '\''. For messages:
 * the user can paste the line into a shell. */
static void launch_type(struct pack *text, char *const *words)
{
    for (char *const *word = words; word && *word; word++) {
        bool plain = (*word)[0] != 0;
        for (const char *c = *word; *c; c++)
            plain = plain && launch_is_plain(*c);
        if (text->length > 0)
            pack_u8(text, ' ');
        if (!plain)
            pack_u8(text, '\'');
        for (const char *c = *word; *c; c++) {
            if (*c == '\'')
                pack_raw(text, "'\\'", 3);
            pack_u8(text, (uint8_t)*c);
        }
        if (!plain)
            pack_u8(text, '\'');
    }
}

/* The caller frees the result; NULL: out of memory. text is freed or handed over in any case. */
static char *launch_text(struct pack *text)
{
    pack_u8(text, 0);
    if (!text->failed)
        return (char *)text->data;
    pack_free(text);
    return NULL;
}

/* Quotes a path inside double quotes inside single quotes.  Characters that sh, csh or fish could
 * interpret become $(printf "\ooo"). Bytes from 0x80 on are parts of letters, and no shell
 * interprets them. */
static void launch_quote(struct pack *text, const char *path)
{
    pack_u8(text, '"');
    for (const char *c = path; *c; c++) {
        char octal[24];
        if (launch_is_plain(*c) || *c == ' ' || (unsigned char)*c >= 0x80) {
            pack_u8(text, (uint8_t)*c);
        } else {
            snprintf(octal, sizeof octal, "$(printf \"\\%03o\")", (unsigned char)*c);
            pack_raw(text, octal, strlen(octal));
        }
    }
    pack_u8(text, '"');
}

/* ---- the remote command ----------------------------------------------------------------- */

static void launch_say(struct pack *text, const char *words)
{
    pack_raw(text, words, strlen(words));
}

/* The directories that may contain hnowd, as shell words. path= may name the directory itself or
 * one with bin/. */
static void launch_places(struct pack *text, const char *path, const char *directory)
{
    if (path) {
        launch_quote(text, path);
        pack_u8(text, ' ');
        launch_quote(text, path);
        launch_say(text, "/bin ");
    }
    launch_quote(text, directory);
}

/* Tries path=, its bin, hrun's own directory, and $PATH. Status 127 means that no agent was
 * found. NULL: out of memory. */
char *launch_remote_command(const char *path, const char *directory)
{
    struct pack text = {0};
    launch_say(&text, "exec /bin/sh -c 'for d in ");
    launch_places(&text, path, directory);
    launch_say(&text, "; do [ -x \"$d/hnowd\" ] && exec \"$d/hnowd\" -agent; done; "
                      "command -v hnowd >/dev/null 2>&1 && exec hnowd -agent; "
                      "echo \"there is no hnowd in\" ");
    launch_places(&text, path, directory);
    launch_say(&text, " \"nor in PATH=$PATH\" >&2; exit 127'");
    return launch_text(&text);
}

/* The command that receives and starts a staged agent.  Its rules:
 *
 *   * The cache is private.  It is made with umask 077, and used only if it belongs to this user
 *     and programs can be executed in it.  In /tmp, where others can create names, it must be a
 *     directory with mode 0700, not a link.  An agent found there must have the right hash.  The
 *     agent, and so the tasks, get the login's umask again.
 *   * If a cache fails a check, is full or is mounted with noexec, the next one is tried.
 *   * Received bytes are counted, and the file gets its name only when it is complete.  It arrives
 *     compressed if gzip works.  Until then its name ends in a random number from the kernel.
 *     Process numbers would not be unique, as hosts, and especially containers, may share the
 *     cache.
 *   * An empty line every two seconds reports progress.  A background process writes it, so that no
 *     shell reports the end of a job.  It ends everything when nothing has arrived for 40 s,
 *     because the cable is cut.
 *   * No character here has a meaning in csh.
 */
char *launch_stage_command(const struct launch_agent *agent)
{
    struct pack text = {0};
    char names[STAGE_HASH + 48];
    snprintf(names, sizeof names, "i=%s; s=%llu; ", agent->hash, (unsigned long long)agent->size);
    launch_say(&text, "exec /bin/sh -c '");
    launch_say(&text, names);
    launch_say(
        &text,
        "o=$(umask); umask 077; u=$$; { read u </proc/sys/kernel/random/uuid; } 2>/dev/null; "
        "a=\"${XDG_CACHE_HOME:-$HOME/.cache}/hnow\"; "
        "b=\"/tmp/hnow-$(id -u)\"; [ -d \"$HOME\" ] || [ \"$XDG_CACHE_HOME\" ] || a=$b; "
        "runs=; for d in \"$a\" \"$b\"; do f=\"$d/$i\"; "
        "mkdir -p \"$d\" 2>/dev/null; [ -O \"$d\" ] && [ -w \"$d\" ] || continue; "
        "[ \"$d\" = \"$b\" ] && { case $(ls -ld \"$d\") in drwx------*) ;; *) continue ;; esac; "
        "h=$(b2sum -l 128 <\"$f\" 2>/dev/null); [ \"${h%% *}\" = $i ] || rm -f \"$f\"; }; "
        "[ -x \"$f\" ] && runs=1 && break; t=\"$d/try$u\"; "
        "{ echo : >\"$t\"; } 2>/dev/null && chmod 700 \"$t\" && "
        "\"$t\" 2>/dev/null && runs=1; rm -f \"$t\"; [ \"$runs\" ] && break; done; "
        "[ \"$runs\" ] || { echo \"no directory of our own for -stage in which "
        "programs run: neither $a nor $b: set XDG_CACHE_HOME there\" >&2; exit 126; }; "
        "[ -x \"$f\" ] || { w=\"" STAGE_WANTED "\"; gzip -c </dev/null 2>/dev/null | "
        "gzip -dc >/dev/null 2>&1 && w=\"" STAGE_WANTED_PACKED "\"; "
        "echo; echo \"" SYNC_WORD "$w\"; "
        "exec 3>&1; p=$({ read p x </proc/self/stat; echo $p; exec >&3 3>&-; n=0; k=0; "
        "while sleep 2 </dev/null >/dev/null && kill -0 $$; do "
        "m=$(wc -c <\"$f.$u\"); k=$((k+1)); [ \"$m\" = \"$n\" ] || { echo; k=0; }; n=$m; "
        "[ $k -lt 20 ] || { rm -f \"$f.$u\"; kill 0; }; done; } "
        "2>/dev/null &); exec 3>&-; read n z || exit 126; head -c $n | $z >\"$f.$u\"; "
        "kill $p 2>/dev/null; [ $(wc -c <\"$f.$u\") -eq $s ] && "
        "chmod 700 \"$f.$u\" && mv \"$f.$u\" \"$f\" || "
        "{ rm -f \"$f.$u\"; echo \"hnowd cannot be stored in $d, it has $s bytes: "
        "$(df -Pk \"$d\" | { read x; read x x x n x; echo $n; }) KB are "
        "free there\" >&2; exit 126; }; "
        "\"$f\" -version >/dev/null 2>&1 || { rm -f \"$f\"; "
        "echo \"the hnowd that was carried there does not run there ($(uname -m)): "
        "give path=DIR, a directory here with one that does\" >&2; exit 126; }; }; "
        "umask $o; exec \"$f\" -agent -cache \"$d\"'");
    return launch_text(&text);
}

/* NULL: nothing is staged for this host's directory. Strings are compared, not directories. */
const struct launch_agent *launch_agent_of(const struct launch *launch,
                                           const struct host_line *host)
{
    const char *directory = host->path ? host->path : launch->directory;
    for (int i = 0; i < launch->nagent; i++)
        if (strcmp(launch->agent[i].directory, directory) == 0)
            return &launch->agent[i];
    return NULL;
}

/* ---- the local command ------------------------------------------------------------------ */

static const char *launch_address(const struct host_line *host)
{
    return host->addr ? host->addr : host->name;
}

/* Only what the line gives; all else is ssh's own configuration. (port 0, NULL: ssh's default.) */
static void launch_add_identity(struct words *words, const struct host_line *host)
{
    char port[16];
    snprintf(port, sizeof port, "%d", host->port);
    words_add_pair(words, "-p", host->port ? port : NULL);
    words_add_pair(words, "-l", host->user);
    words_add_pair(words, "-i", host->key);
}

/* A gateway with a line of its own is reached according to that line, by a separate ssh.  Other
 * launchers than ssh get -J, whatever they make of it. The ProxyCommand runs on this machine, by a
 * shell that ssh starts. */
static void launch_add_gateway(struct words *words, const struct launch *launch, const char *via)
{
    int number = launch->hosts ? hosts_find(launch->hosts, via) : -1;
    /* Without a line of its own, the gateway is reached as ssh's configuration says. */
    if (number < 0 || launch->launcher) {
        words_add_pair(words, "-J", via);
        return;
    }
    static const char target[] = "[%h]:%p";
    const struct host_line *gateway = &launch->hosts->line[number];
    struct words ssh = {0};
    struct pack text = {0};
    words_add(&ssh, "ssh");
    if (gateway->ssh)
        words_split(&ssh, gateway->ssh);
    /* A gateway must not ask for a password either. */
    words_add_pair(&ssh, "-o", "BatchMode=yes");
    launch_add_identity(&ssh, gateway);
    if (gateway->via)
        words_add_pair(&ssh, "-J", gateway->via);
    words_add_pair(&ssh, "-W", target);
    words_add(&ssh, launch_address(gateway));
    launch_say(&text, "ProxyCommand=");
    char **list = words_done(&ssh);
    for (char **word = list; word && *word; word++) {
        char *one[] = {*word, NULL};
        struct pack typed = {0};
        launch_type(&typed, one);
        for (size_t i = 0; i < typed.length; i++) { /* ssh expands %h and %p here, and no other */
            pack_u8(&text, typed.data[i]);
            if (typed.data[i] == '%' && strcmp(*word, target) != 0)
                pack_u8(&text, '%');
        }
        pack_u8(&text, ' ');
        pack_free(&typed);
    }
    launch_free_words(list);
    char *option = launch_text(&text);
    words_add_pair(words, "-o", option ? option : "");
    free(option);
}

/* In a launcher with %h, replaces it by the host; a shell runs the command that follows.  Returns
 * whether there was any %h. */
static bool launch_put_host(struct words *words, const char *host)
{
    bool put = false;
    for (size_t i = 0; i < words->n; i++) {
        char *at = strstr(words->word[i], "%h"), *longer = NULL;
        if (!at)
            continue;
        put = true;
        if (asprintf(&longer, "%.*s%s%s", (int)(at - words->word[i]), words->word[i], host,
                     at + 2) < 0)
            words->failed = true;
        else
            free(words->word[i]), words->word[i] = longer;
    }
    return put;
}

/* The last word is the command for the remote shell. ssh joins words by blanks, so it must be a
 * single one. The host's own options of ssh= come before hrun's, so they have priority. */
char **launch_words(const struct launch *launch, const struct host_line *host)
{
    static const char *const own[] = {"BatchMode=yes", "ConnectTimeout=12",
                                      "ServerAliveInterval=10", "ServerAliveCountMax=3"};
    struct words words = {0};
    const struct launch_agent *agent = launch_agent_of(launch, host);
    char *command =
        agent ? launch_stage_command(agent) : launch_remote_command(host->path, launch->directory);
    words_split(&words, launch->launcher ? launch->launcher : "ssh -T");
    if (launch->launcher && launch_put_host(&words, launch_address(host))) {
        words_add_pair(&words, "/bin/sh", "-c");
        words_add(&words, command ? command : "");
        words.failed |= !command;
        free(command);
        return words_done(&words);
    }
    if (host->ssh)
        words_split(&words, host->ssh);
    for (size_t i = 0; i < sizeof own / sizeof *own && !launch->launcher; i++)
        words_add_pair(&words, "-o", own[i]);
    launch_add_identity(&words, host);
    if (host->via)
        launch_add_gateway(&words, launch, host->via);
    if (!launch->launcher)
        /* a host's name is never an option, whatever it begins with */
        words_add(&words, "--");
    words_add(&words, launch_address(host));
    words_add(&words, command ? command : "");
    words.failed |= !command;
    free(command);
    return words_done(&words);
}

/* Without BatchMode, so that ssh asks the user what it could not ask hrun. The line is not executed
 * by hrun. */
char *launch_by_hand(const struct launch *launch, const struct host_line *host)
{
    struct words words = {0};
    struct pack text = {0};
    words_split(&words, launch->launcher ? launch->launcher : "ssh");
    if (!launch->launcher || !launch_put_host(&words, launch_address(host))) {
        if (host->ssh)
            words_split(&words, host->ssh);
        launch_add_identity(&words, host);
        words_add_pair(&words, "-J", host->via);
        words_add(&words, launch_address(host));
    }
    words_add(&words, "true");
    char **list = words_done(&words);
    launch_type(&text, list);
    launch_free_words(list);
    return launch_text(&text);
}
