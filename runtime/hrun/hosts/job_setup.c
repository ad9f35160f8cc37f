/* job_setup.c - an agent's first frame, and the answer: see job_host.h.
 *
 * HELLO contains the machine and the addresses of its tasks.  If the state machine (member.h)
 * allows it, hrun answers SETUP.  That contains everything that all tasks there share: the job's
 * secret, directory, environment, names of hosts.  The texts of the job follow.
 *
 * Order on the channel: version line and HELLO from the agent; SETUP, texts, WIDE from hrun; then
 * frames of tasks.
 */
#include "hrun/hosts/job_host.h"
#include "hrun/job_relay.h"

#include "base/bytes.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Variables with another meaning on another host.  A name with * at its end means all names with
 * that beginning. An entry is "NAME=VALUE". */
static bool job_is_local_name(const char *entry)
{
    static const char *const local[] = {"PATH",          "HOME",   "USER",     "LOGNAME",
                                        "SHELL",         "PWD",    "OLDPWD",   "HOSTNAME",
                                        "HOST",          "TMPDIR", "TMP",      "TEMP",
                                        "DISPLAY",       "MAIL",   "SHLVL",    "_",
                                        "XDG_*",         "DBUS_*", "SSH_*",    "WAYLAND_DISPLAY",
                                        "HNOW_AGENT_FD", "TMUX",   "TMUX_PANE"};
    size_t n = strcspn(entry, "=");
    for (size_t i = 0; i < sizeof local / sizeof *local; i++) {
        size_t length = strlen(local[i]);
        bool prefix = local[i][length - 1] == '*';
        if (prefix ? n >= length - 1 && strncmp(entry, local[i], length - 1) == 0
                   : n == length && strncmp(entry, local[i], n) == 0)
            return true;
    }
    return false;
}

/* The environment of a host's tasks: the caller's, then the hosts file's, then -env.  Later entries
 * override earlier ones at the agent.  An agent on this machine has inherited the caller's
 * environment.  The count is written at last, in front. Agents on other machines get the variables
 * of hrun without those of job_is_local_name(). */
static void job_pack_environment(struct pack *out, const struct job_host *host)
{
    extern char **environ;
    const struct hrun_options *options = host->job->options;
    size_t at = out->length, n = 0;
    pack_u32(out, 0);
    for (char **entry = environ; *entry && !host->about.direct; entry++)
        if (strchr(*entry, '=') && !job_is_local_name(*entry)) {
            pack_str(out, *entry);
            n++;
        }
    for (int i = 0; host->line && i < host->line->nenv; i++, n++)
        pack_str(out, host->line->env[i]);
    if (host->line && host->line->encrypt) {
        pack_str(out, HOSTS_ENCRYPT);
        n++;
    }
    if (host->line && host->line->trusted) {
        pack_str(out, HOSTS_TRUSTED);
        n++;
    }
    for (size_t i = 0; i < options->env.all.n; i++, n++)
        pack_str(out, options->env.all.text[i]);
    if (!out->failed)
        bytes_put32(out->data + at, (uint32_t)n);
}

/* Also sends empty texts, so that agents need not ask for them. Texts are sent once and kept by the
 * agent. */
static void job_host_texts(struct job_host *host)
{
    struct job *job = host->job;
    struct pack *out = channel_out(&host->channel);
    const char *plan = job->options->plan ? job->options->plan : "";
    control_put(out, CONTROL_JOBTEXT, "hosts", job->hosts ? job->hosts->text : "",
                job->hosts ? job->hosts->text_length : (size_t)0);
    control_put(out, CONTROL_JOBTEXT, "plan", plan, strlen(plan));
    control_put(out, CONTROL_JOBTEXT, "verbose", "1", (size_t)job->options->verbose);
}

/* Sends SETUP and the texts at once.  An empty path means that the agent keeps its own. The secret
 * is as safe as the launcher's channel. */
void job_host_setup(struct job_host *host)
{
    struct job *job = host->job;
    struct pack *out = channel_out(&host->channel);
    char *here = getcwd(NULL, 0);
    const char *path = getenv("PATH");
    size_t begun = control_begin(out, CONTROL_SETUP);
    pack_raw(out, job->secret, CONTROL_SECRET);
    pack_u32(out, host->number);
    pack_str(out, here ? here : "/");
    pack_str(out, host->about.direct ? "" : path);
    pack_str(out, job->options->ports);
    /* NULL is sent as "". */
    pack_str(out, job->options->iface);
    /* Names of all hosts, also of those that are not up. */
    pack_u32(out, (uint32_t)job->nhost);
    for (int i = 0; i < job->nhost; i++) {
        pack_u32(out, job->host[i].number);
        pack_str(out, job->host[i].name);
    }
    job_pack_environment(out, host);
    control_end(out, begun);
    job_host_texts(host);
    job_host_send(host);
    job_widen(host);
    free(here);
}

/* Limits the number of cores that an agent claims, because slots are allocated for them. A machine
 * that claims none has one. */
static int job_cores(uint32_t claimed)
{
    return claimed < 1 ? 1 : claimed > HOSTS_SLOTS ? HOSTS_SLOTS : (int)claimed;
}

/* Names are cut to the size of their fields, which were cleared, so they end with a 0.  All values
 * come from another machine and are bounded.  An agent without a usable address is refused, and its
 * host is unusable for the whole job. HELLO may come once only: the state does not allow a second
 * one. */
void job_host_hello(struct job_host *host, struct unpack *in)
{
    host->about.direct = unpack_u8(in);
    strncpy(host->about.machine, unpack_str(in), sizeof host->about.machine - 1);
    host->about.byte_order = unpack_u8(in);
    host->about.cores = job_cores(unpack_u32(in));
    const char *name = unpack_str(in);
    strncpy(host->about.machine_id, unpack_str(in), sizeof host->about.machine_id - 1);
    const char *server = unpack_str(in);
    strncpy(host->about.ssh_client, unpack_str(in), sizeof host->about.ssh_client - 1);
    /* The list of addresses is the rest of the frame. */
    if (job_choose_addresses(host, server, in)) {
        host->coming.refused = true;
        job_host_unusable(host, 0., "%s", hn_error_text());
        return;
    }
    /* The slowest start is the measure for starts through other agents. */
    double seconds = job_host_waited(host);
    if (host->parent)
        job_tree_worked(host);
    else if (seconds > host->job->tree.slowest)
        host->job->tree.slowest = seconds;
    job_verbose(host->job, "host %s: is up: %s, %s, cores %d%s", host->name, name,
                host->about.machine, host->about.cores, host->about.direct ? ", this machine" : "");
    job_host_event(host, MEMBER_HELLO);
}
