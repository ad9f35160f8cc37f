/* test_hbench_command.c - hbench's command line. */
#include "command.h"
#include "hnow.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = 16 };

/* Reads a command line given as one text; words are cut out of `room`. */
static int read_text(struct command *c, const char *text, char room[256])
{
    char *argv[WORDS + 1] = {"hbench"}, *rest;
    int argc = 1;

    snprintf(room, 256, "%s", text);
    for (char *w = strtok_r(room, " ", &rest); w && argc < WORDS; w = strtok_r(NULL, " ", &rest))
        argv[argc++] = w;
    return command_read(c, argc, argv);
}

Test(hbench_command, everything_in_any_place)
{
    struct command c;
    char room[256];

    cr_assert_eq(read_text(&c, "-json bcast --bytes=8,16000,1M -iters 7 --plan all", room), HN_OK);
    cr_assert(c.json && strcmp(c.bench, "bcast") == 0 && strcmp(c.plan, "all") == 0);
    cr_assert(c.sizes == 3 && c.bytes[0] == 8 && c.bytes[1] == 16000 && c.bytes[2] == 1 << 20);
    cr_assert(c.iters == 7 && c.seed == 1);
    cr_assert_eq(read_text(&c, "launch -np 8,64 -hosts h -seed 0", room), HN_OK);
    cr_assert(c.nps == 2 && c.np[1] == 64 && c.seed == 0 && strcmp(c.hosts, "h") == 0);
    cr_assert_eq(read_text(&c, "p2p -peer mpich -peer openmpi=ssh", room), HN_OK);
    cr_assert(c.peers == 2 && strcmp(c.peer[0].name, "mpich") == 0 && !c.peer[0].command);
    cr_assert(strcmp(c.peer[1].name, "openmpi") == 0 && strcmp(c.peer[1].command, "ssh") == 0);
    cr_assert_eq(read_text(&c, "eco -table 5 -steps 7 -traffic 1000 -hmd x", room), HN_OK);
    cr_assert(c.table == 5 && c.steps == 7 && c.traffic == 1000 && strcmp(c.hmd, "x") == 0);
    cr_assert_eq(read_text(&c, "report a.json -o p.html b.json -hosts n", room), HN_OK);
    cr_assert(c.files == 2 && strcmp(c.file[1], "b.json") == 0 && strcmp(c.output, "p.html") == 0);
    cr_assert_eq(read_text(&c, "", room), HN_OK);
    cr_assert_null(c.bench);
    cr_assert_eq(read_text(&c, "p2p -help", room), OPTIONS_HELP);
    cr_assert_eq(read_text(&c, "-version", room), OPTIONS_VERSION);
}

Test(hbench_command, what_is_wrong_is_said)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        {"p2p bcast", "one benchmark"}, {"p2p -bytes 1,,2", "-bytes 1,,2"},
        {"p2p -bytes 1,", "-bytes 1,"}, {"p2p -bytes", "-bytes"},
        {"p2p -iters 0", "-iters 0"},   {"p2p -iters 1e9", "-iters 1e9"},
        {"p2p -seed -1", "-seed"},      {"launch -np 0", "-np 0"},
        {"launch -np 1G", "-np 1G"},    {"p2p -json=1", "-json"},
        {"p2p -what", "-what"},         {"bcast -plan=", "-plan"},
        {"p2p -peer lam", "-peer lam"}, {"eco -table 8", "-table 8"},
        {"eco -traffic 0", "-traffic"}, {"eco -steps x", "-steps x"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct command c;
        char room[256];
        cr_assert_eq(read_text(&c, bad[i].text, room), HN_EARG, "%s", bad[i].text);
        cr_assert(strstr(hn_error_text(), bad[i].says), "%s: %s", bad[i].text, hn_error_text());
    }
}

Test(hbench_command, no_list_is_too_long)
{
    struct command c;
    char list[8 * (COMMAND_SIZES + 1)] = "0", *argv[] = {"hbench", "p2p", "-bytes", list};

    for (int i = 1; i < COMMAND_SIZES; i++)
        strcat(list, ",1");
    cr_assert_eq(command_read(&c, 4, argv), HN_OK);
    cr_assert_eq(c.sizes, COMMAND_SIZES);
    strcat(list, ",1");
    cr_assert_eq(command_read(&c, 4, argv), HN_EARG);
}
