/* Reaching hosts: the agent's first line, the words for ssh, the states of hosts and tasks, places.
 */
#include "base/addresses.h"
#include "hnowd/child.h"
#include "hnow.h"
#include "hrun/hosts/launch.h"
#include "hrun/hosts/member.h"
#include "hrun/tasks/place.h"
#include "protocol/sync.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the first line ---- */

/* Feeds the text in pieces of n bytes; returns the state and how many bytes were used. */
static int feed(const char *text, size_t n, struct sync *sync, size_t *used)
{
    size_t length = strlen(text);
    *sync = (struct sync){0};
    for (size_t at = 0; at < length; at += n) {
        size_t piece = length - at < n ? length - at : n;
        int state = sync_feed(sync, text + at, piece, used);
        *used += at;
        if (state)
            return state;
    }
    return 0;
}

Test(sync, the_line_is_found_behind_anything_in_any_split)
{
    const char *text =
        "Welcome\r\n\nHNOW is HNOWD \nHNOWD\nHNOWD is me\n xHNOWD 9\n\nHNOWD 1.2.3\r\nrest";
    for (size_t n = 1; n <= strlen(text); n++) {
        struct sync sync;
        size_t used;
        cr_assert_eq(feed(text, n, &sync, &used), 1);
        cr_assert_str_eq(sync.line, "1.2.3");
        cr_assert_str_eq(text + used, "rest");
    }
}

Test(sync, the_last_that_was_said_instead_is_kept_fit_to_be_shown)
{
    struct sync sync;
    size_t used;
    cr_assert_eq(feed("\n \r\n", 2, &sync, &used), 0);
    cr_assert_str_eq(sync_said(&sync), "");
    cr_assert_eq(feed("Welcome\n\nNot \033[1mhere\033[0m\r\n\n", 3, &sync, &used), 0);
    cr_assert_str_eq(sync_said(&sync), "Not ?[1mhere?[0m");
    cr_assert_eq(feed("Welcome\nPassword: ", 5, &sync, &used), 0);
    cr_assert_str_eq(sync_said(&sync), "Password:");
}

Test(sync, a_line_that_waits_for_an_answer_is_known)
{
    static const char *const questions[] = {
        "Password: ",
        "root@h2's password:",
        "Enter passphrase for key '/k': ",
        "Are you sure you want to continue connecting (yes/no/[fingerprint])? ",
        "Which project? ",
        "Press any key to continue...",
        "Verification code: ",
        "[Y/n] "};
    static const char *const others[] = {"", " ", "Loading modules:", "Welcome to h2", "50%..."};
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        cr_assert(sync_asks(questions[i], strlen(questions[i])), "%s", questions[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert(!sync_asks(others[i], strlen(others[i])), "%s", others[i]);
}

Test(sync, noise_without_end_is_refused)
{
    struct sync sync = {0};
    char noise[1000];
    size_t used;
    int state = 0;
    memset(noise, 'y', sizeof noise);
    for (int i = 0; i < 65; i++)
        cr_assert_eq(sync_feed(&sync, noise, sizeof noise, &used), 0);
    for (int i = 0; i < 10 && !state; i++)
        state = sync_feed(&sync, noise, sizeof noise, &used);
    cr_assert_eq(state, HN_EPROTO);
}

/* ---- words for ssh ---- */

static char *joined(char **words)
{
    char *text = calloc(1, 10000);
    for (char **word = words; *word; word++)
        strcat(strcat(text, *word), word[1] ? "|" : "");
    launch_free_words(words);
    return text;
}

Test(launch, words_follow_the_hosts_line)
{
    struct launch launch = {.directory = "/opt/hnow"};
    struct host_line host = {.name = "h",
                             .addr = "10.0.0.1",
                             .user = "u",
                             .port = 22,
                             .key = "/k",
                             .ssh = "-F 'a b' -v",
                             .via = "gw"};
    char *text = joined(launch_words(&launch, &host));
    cr_assert_eq(strncmp(text, "ssh|-T|-F|a b|-v|-o|BatchMode=yes|", 34), 0, "%s", text);
    cr_assert_not_null(strstr(text, "|-p|22|-l|u|-i|/k|-J|gw|--|10.0.0.1|exec /bin/sh -c '"));
    cr_assert_null(strstr(text, "StrictHostKeyChecking"));
    free(text);
    text = launch_by_hand(&launch, &host);
    cr_assert_str_eq(text, "ssh -F 'a b' -v -p 22 -l u -i /k -J gw 10.0.0.1 true");
    free(text);
}

Test(launch, another_launcher_gets_host_and_command)
{
    struct launch launch = {.directory = "/opt/hnow", .launcher = "my start -x"};
    struct host_line host = {.name = "h"};
    char *text = joined(launch_words(&launch, &host));
    cr_assert_eq(strncmp(text, "my|start|-x|h|exec /bin/sh", 26), 0, "%s", text);
    free(text);
}

Test(launch, a_gateway_with_a_line_of_its_own_is_reached_as_that_says)
{
    struct hosts *hosts;
    const char *file = "gw addr=10.0.0.9 port=2222 key=\"/a b%h\"\nh via=gw\n";
    cr_assert_eq(hosts_parse("f", file, strlen(file), &hosts), HN_OK, "%s", hn_error_text());
    struct launch launch = {.directory = "/opt/hnow", .hosts = hosts};
    char *text = joined(launch_words(&launch, &hosts->line[1]));
    cr_assert_not_null(strstr(text, "|-o|ProxyCommand=ssh -o BatchMode=yes -p 2222 -i '/a b%%h' -W "
                                    "'[%h]:%p' 10.0.0.9 |--|h|"),
                       "%s", text);
    free(text);
    hosts_free(hosts);
}

/* Whatever stands in a path: no shell sees a character that means something to it. */
Test(launch, remote_command_has_no_dangerous_characters)
{
    char path[256] = "/";
    for (int c = 1; c < 128; c++)
        path[c] = (char)(c == '\n' ? 'n' : c);
    path[128] = 0;
    char *text = launch_remote_command(path, "/dir");
    char *end = strrchr(text, '\'');
    cr_assert_eq(strncmp(text, "exec /bin/sh -c '", 17), 0);
    cr_assert_eq(end[1], 0);
    for (char *c = text + 17; c < end; c++) {
        cr_assert(*c != '\'' && *c != '!' && *c != '\n', "at %s", c);
        if (*c == '\\')
            cr_assert(strspn(c + 1, "01234567") >= 3, "at %s", c);
    }
    free(text);
}

/* What is between the quotes means the same to every login shell. */
Test(launch, stage_command_suits_every_shell)
{
    struct launch_agent agent = {.directory = "/d", .hash = "0123", .size = 77};
    struct launch launch = {.directory = "/opt/hnow", .agent = &agent, .nagent = 1};
    struct host_line here = {.name = "h", .path = "/d"}, other = {.name = "h"};
    cr_assert_eq(launch_agent_of(&launch, &here), &agent);
    cr_assert_null(launch_agent_of(&launch, &other));
    char *text = launch_stage_command(&agent);
    char *end = strrchr(text, '\'');
    cr_assert_eq(strncmp(text, "exec /bin/sh -c '", 17), 0);
    cr_assert_eq(end[1], 0);
    for (char *c = text + 17; c < end; c++)
        cr_assert(*c != '\'' && *c != '!' && *c != '\n' && *c != '\\', "at %s", c);
    cr_assert_eq(strncmp(text + 17, "i=0123; s=77; ", 14), 0, "%s", text);
    cr_assert_not_null(strstr(text, " -eq $s "));
    free(text);
}

/* ---- states ---- */

Test(member, the_happy_path_and_the_bad_ones)
{
    enum member_state state = MEMBER_QUEUED;
    cr_assert_eq(member_step(&state, MEMBER_START), MEMBER_DO_START);
    cr_assert_eq(member_step(&state, MEMBER_SYNC), MEMBER_DO_NOTHING);
    cr_assert_eq(member_step(&state, MEMBER_HELLO), MEMBER_DO_UP);
    cr_assert_eq(member_step(&state, MEMBER_DEADLINE), MEMBER_DO_NOTHING);
    cr_assert_eq(member_step(&state, MEMBER_END), MEMBER_DO_SAY_END);
    cr_assert_eq(member_step(&state, MEMBER_LOST), MEMBER_DO_GONE);
    cr_assert_eq(state, MEMBER_GONE);
    state = MEMBER_UP;
    cr_assert_eq(member_step(&state, MEMBER_LOST), MEMBER_DO_LOST);
    state = MEMBER_STARTING;
    cr_assert_eq(member_step(&state, MEMBER_LOST), MEMBER_DO_UNREACHED);
}

/* From any state, END and then LOST, whatever comes between, lead to GONE, and it stays. */
Test(member, an_ending_host_always_goes)
{
    for (int from = 0; from < MEMBER_STATES; from++)
        for (int between = 0; between < MEMBER_EVENTS; between++) {
            enum member_state state = (enum member_state)from;
            member_step(&state, MEMBER_END);
            member_step(&state, (enum member_event)between);
            member_step(&state, MEMBER_LOST);
            cr_assert_eq(state, MEMBER_GONE);
            cr_assert_eq(member_step(&state, (enum member_event)between), MEMBER_DO_NOTHING);
            cr_assert_eq(state, MEMBER_GONE);
        }
}

/* Whatever a task does: exit and the end of its streams are reported once, in this order. */
Test(child, every_life_ends_in_one_report)
{
    for (int life = 0; life < 256; life++) {
        enum child_state state = CHILD_RUNNING;
        int drains = 0, overs = 0;
        for (int step = 0; step < 6; step++) {
            enum child_event event = step < 4    ? (enum child_event)(life >> 2 * step & 3)
                                     : step == 4 ? CHILD_EXIT
                                                 : CHILD_DRAINED;
            enum child_action action = child_step(&state, event);
            drains += action == CHILD_DO_DRAIN;
            overs += action == CHILD_DO_OVER;
            cr_assert_leq(overs, drains);
        }
        cr_assert_eq(drains, 1);
        cr_assert_eq(overs, 1);
        cr_assert_eq(state, CHILD_OVER);
    }
}

/* ---- places ---- */

static const struct place_host hosts[] = {
    {"a", 2, true}, {"spare", 4, false}, {"b", 1, true}, {"c:2", 1, true}};

static void placed(const char *map_text, int n, const char *wanted)
{
    struct place_map map;
    int host[16];
    char text[64] = "";
    if (map_text)
        cr_assert_eq(place_read_map(map_text, hosts, 4, &map), HN_OK, "%s", hn_error_text());
    place_ranks(hosts, 4, map_text ? &map : NULL, n, host);
    for (int i = 0; i < n; i++)
        sprintf(text + strlen(text), "%d", host[i]);
    cr_assert_str_eq(text, wanted);
    if (map_text)
        free(map.host);
}

Test(place, names_of_one_machine_share_its_cores)
{
    for (int cores = 1; cores < 20; cores++)
        for (int n = 1; n <= cores; n++) {
            int sum = 0;
            for (int i = 0; i < n; i++)
                sum += place_share(cores, 0, n, i);
            cr_assert_eq(sum, cores);
        }
    cr_assert_eq(place_share(8, 3, 2, 0), 3);
    cr_assert_eq(place_share(8, 3, 2, 1), 2);
    cr_assert_eq(place_share(2, 9, 1, 0), 1);
    cr_assert_eq(place_share(2, 0, 3, 2), 1);
}

Test(place, slots_in_order_and_around_again)
{
    cr_assert_eq(place_slots(hosts, 4), 4);
    placed(NULL, 3, "002");
    placed(NULL, 7, "0023002");
    placed("b,a*2,b", 6, "200220");
    placed("c:2,c:2:2,a:1", 4, "3330");
}

Test(place, bad_maps_are_refused)
{
    static const char *const bad[] = {"",    "nosuch", "a,", "a,,b",          "spare",
                                      "a*0", "a*x",    "*2", "a*99999999999", "a*-1"};
    struct place_map map;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_eq(place_read_map(bad[i], hosts, 4, &map), HN_EARG, "%s", bad[i]);
}

/* ---- addresses ---- */

Test(addresses, texts_and_nets)
{
    struct address a, net;
    cr_assert(address_from_text(&a, "10.1.2.3"));
    cr_assert_eq(a.family, 4);
    cr_assert(address_from_text(&net, "10.1.0.0"));
    cr_assert(address_in_net(&a, &net, 16));
    cr_assert(address_in_net(&a, &net, 22));
    cr_assert_not(address_in_net(&a, &net, 23));
    cr_assert_not(address_in_net(&a, &net, 32));
    cr_assert(address_from_text(&a, "fe80::1%1") && a.scope == 1);
    cr_assert_not(address_from_text(&a, "fe80::1%nosuch0"));
    cr_assert_not(address_from_text(&a, "fe80::1%1x"));
    cr_assert(address_from_text(&a, "fe80::1"));
    cr_assert(address_is_link_local(&a));
    cr_assert_not(address_in_net(&a, &net, 0));
    cr_assert(address_from_text(&a, "::1") && address_is_loopback(&a));
    cr_assert_not(address_from_text(&a, "localhost"));
    cr_assert_not(address_from_text(&a, "10.1.2.3.4"));
}

Test(addresses, an_interface_is_meant_by_its_name_or_network)
{
    struct address a;
    cr_assert(address_from_text(&a, "10.1.2.3"));
    strcpy(a.name, "e1");
    cr_assert(address_matches(&a, "e1") && address_matches(&a, "10.1.2.3"));
    cr_assert(address_matches(&a, "10.1.0.0/22") && address_matches(&a, "0.0.0.0/0"));
    static const char *const others[] = {"e",           "10.1.2.4",   "10.2.0.0/16",
                                         "10.1.0.0/",   "10.1.0.0/x", "10.1.0.0/16x",
                                         "10.1.2.3/33", "e1/8",       ""};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert_not(address_matches(&a, others[i]), "%s", others[i]);
}
