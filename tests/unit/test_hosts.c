/* The hosts file: what a line means, and one clear message for everything that is wrong. */
#include "hosts.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct hosts *parse(const char *text)
{
    struct hosts *hosts;
    int code = hosts_parse("lab", text, strlen(text), &hosts);
    cr_assert_eq(code, HN_OK, "%s", hn_error_text());
    return hosts;
}

Test(hosts, one_name_a_line)
{
    struct hosts *hosts = parse("# lab\nh1\n\nh2.lan # fast\n");
    cr_assert_eq(hosts->n, 2);
    cr_expect_str_eq(hosts->line[0].name, "h1");
    cr_expect_str_eq(hosts->line[1].name, "h2.lan");
    cr_expect_eq(hosts->line[1].line_number, 4);
    cr_expect_eq(hosts->line[0].slots, 0);
    cr_expect_null(hosts->line[0].addr);
    cr_expect_eq(hosts_find(hosts, "h2.lan"), 1);
    cr_expect_eq(hosts_find(hosts, "h2"), -1);
    cr_expect_str_eq(hosts->text, "# lab\nh1\n\nh2.lan # fast\n");
    hosts_free(hosts);
}

Test(hosts, every_key)
{
    struct hosts *hosts =
        parse("ann@h1:4 addr=10.0.0.1 port=2222 key=~/.ssh/k ssh=\"-F my.conf -v\" via=gate "
              "path=/opt/bin wdir=\"/data dir\" speed=1.25 env=A=1 env=B=x=y send_us=40\n");
    const struct host_line *line = &hosts->line[0];
    cr_expect_str_eq(line->name, "h1");
    cr_expect_str_eq(line->user, "ann");
    cr_expect_eq(line->slots, 4);
    cr_expect_str_eq(line->addr, "10.0.0.1");
    cr_expect_eq(line->port, 2222);
    cr_expect_str_eq(line->key, "~/.ssh/k");
    cr_expect_str_eq(line->ssh, "-F my.conf -v");
    cr_expect_str_eq(line->via, "gate");
    cr_expect_str_eq(line->path, "/opt/bin");
    cr_expect_str_eq(line->wdir, "/data dir");
    cr_expect_str_eq(line->model[HOSTS_SPEED], "1.25");
    cr_expect_str_eq(line->model[HOSTS_SEND_CONST], "40");
    cr_expect_null(line->model[HOSTS_RECV_CONST]);
    cr_assert_eq(line->nenv, 2);
    cr_expect_str_eq(line->env[0], "A=1");
    cr_expect_str_eq(line->env[1], "B=x=y");
    hosts_free(hosts);
}

Test(hosts, ranges)
{
    struct hosts *hosts = parse("r[1-2]n[01-02]:8 addr=10.0.[1-2].[1-2] user=u\n");
    static const char *const want[][2] = {
        {"r1n01", "10.0.1.1"}, {"r1n02", "10.0.1.2"}, {"r2n01", "10.0.2.1"}, {"r2n02", "10.0.2.2"}};
    cr_assert_eq(hosts->n, 4);
    for (int i = 0; i < 4; i++) {
        cr_expect_str_eq(hosts->line[i].name, want[i][0]);
        cr_expect_str_eq(hosts->line[i].addr, want[i][1]);
        cr_expect_eq(hosts->line[i].slots, 8);
        cr_expect_str_eq(hosts->line[i].user, "u");
    }
    hosts_free(hosts);
}

Test(hosts, ipv6_stands_in_brackets)
{
    struct hosts *hosts = parse("[::1]:4\nu@[fe80::1%eth0]\nh3 addr=[2001:db8::3]\nh4 addr=::4\n");
    cr_expect_str_eq(hosts->line[0].name, "::1");
    cr_expect_eq(hosts->line[0].slots, 4);
    cr_expect_str_eq(hosts->line[1].name, "fe80::1%eth0");
    cr_expect_str_eq(hosts->line[1].user, "u");
    cr_expect_str_eq(hosts->line[2].addr, "2001:db8::3");
    cr_expect_str_eq(hosts->line[3].addr, "::4");
    hosts_free(hosts);
}

Test(hosts, defaults_count_from_their_line_on)
{
    struct hosts *hosts = parse("a\n* slots=2 user=u env=X=1 env=Y=1 send_us=5\nb\n"
                                "c:3 user=v env=X=2\n* slots=6\nd\n");
    cr_expect_eq(hosts->line[0].slots, 0);
    cr_expect_null(hosts->line[0].user);
    cr_expect_eq(hosts->line[1].slots, 2);
    cr_expect_str_eq(hosts->line[1].user, "u");
    cr_expect_str_eq(hosts->line[1].model[HOSTS_SEND_CONST], "5");
    cr_expect_eq(hosts->line[2].slots, 3);
    cr_expect_str_eq(hosts->line[2].user, "v");
    cr_assert_eq(hosts->line[2].nenv, 2);
    cr_expect_str_eq(hosts->line[2].env[0], "Y=1");
    cr_expect_str_eq(hosts->line[2].env[1], "X=2");
    cr_assert_eq(hosts->line[1].nenv, 2);
    cr_expect_str_eq(hosts->line[1].env[0], "X=1");
    cr_expect_eq(hosts->line[3].slots, 6);
    cr_expect_str_eq(hosts->line[3].user, "u");
    hosts_free(hosts);
}

/* What lies behind a gateway is said once, and the gateway itself may stand below, too. */
Test(hosts, a_gateway_is_not_behind_itself)
{
    struct hosts *hosts = parse("* via=gate\nn[1-2]\ngate\n");
    cr_assert_eq(hosts->n, 3);
    cr_expect_str_eq(hosts->line[0].via, "gate");
    cr_expect_str_eq(hosts->line[1].via, "gate");
    cr_expect_null(hosts->line[2].via);
    hosts_free(hosts);
}

Test(hosts, standby)
{
    struct hosts *hosts = parse("a\n& b slots=2\n&c:3\n");
    cr_assert_eq(hosts->n, 3);
    cr_expect_not(hosts->line[0].standby);
    cr_expect(hosts->line[1].standby);
    cr_expect_str_eq(hosts->line[1].name, "b");
    cr_expect_eq(hosts->line[1].slots, 2);
    cr_expect(hosts->line[2].standby);
    cr_expect_str_eq(hosts->line[2].name, "c");
    hosts_free(hosts);
}

Test(hosts, records_are_kept)
{
    struct hosts *hosts = parse("@network version=5\na\nb\n@pair a b latency_us=8\n");
    cr_assert_eq(hosts->n, 2);
    cr_assert_eq(hosts->nrecord, 2);
    cr_expect_str_eq(hosts->record[1].word[0].value, "@pair");
    cr_expect_eq(hosts->record[1].number, 4);
    cr_expect_str_eq(hosts->record[1].word[3].key, "latency_us");
    cr_expect_str_eq(hosts->record[1].word[3].value, "8");
    hosts_free(hosts);
}

Test(hosts, list)
{
    struct hosts *hosts;
    cr_assert_eq(hosts_list("a,u@b:4,n[1,3],[::1]:2", &hosts), HN_OK, "%s", hn_error_text());
    cr_assert_eq(hosts->n, 5);
    cr_expect_str_eq(hosts->line[1].user, "u");
    cr_expect_eq(hosts->line[1].slots, 4);
    cr_expect_str_eq(hosts->line[3].name, "n3");
    cr_expect_str_eq(hosts->line[4].name, "::1");
    cr_expect_str_eq(hosts->text, "a\nu@b:4\nn[1,3]\n[::1]:2\n");
    hosts_free(hosts);
    cr_expect_eq(hosts_list("a,,*", &hosts), HN_ESYNTAX);
    cr_expect_eq(hosts_list("", &hosts), HN_ESYNTAX);
    cr_expect_null(hosts);
}

Test(hosts, open_takes_file_or_list)
{
    struct hosts *hosts;
    char path[] = "/tmp/hnow-test-hosts-XXXXXX";
    int fd = mkstemp(path);
    cr_assert(fd >= 0 && write(fd, "h7\n", 3) == 3);
    close(fd);
    cr_assert_eq(hosts_open(path, &hosts), HN_OK);
    cr_expect_str_eq(hosts->line[0].name, "h7");
    cr_expect_str_eq(hosts->name, path);
    hosts_free(hosts);
    unlink(path);
    cr_expect_eq(hosts_open(path, &hosts), HN_ESYS);
    cr_expect(strstr(hn_error_text(), path));
    cr_expect_eq(hosts_open("/tmp", &hosts), HN_ESYS);
    cr_assert_eq(hosts_open("x,y", &hosts), HN_OK);
    cr_expect_eq(hosts->n, 2);
    hosts_free(hosts);
}

/* Hosts files with one mistake, and how the message begins. */
static const struct {
    const char *text, *want;
} wrong[] = {
    {"", "lab: there is no host in it"},
    {"# nothing\n", "lab: there is no host in it"},
    {"a\nb\na port=2\n", "lab:3: host a is already defined on line 1 with other keys"},
    {"n[1-3]\nn2 user=u\n", "lab:2: host n2 is already defined on line 1"},
    {"a slots=4 max_slots=8\n", "lab:1: max_slots= is no key here: write slots=N"},
    {"a ep=/opt/pvm\n", "lab:1: ep= is no key here: write env=PATH=DIR"},
    {"a lo=me ep=/opt/pvm\n", "lab:1: lo= is no key here: write user=NAME"},
    {"a via=b\nb via=a\n", "lab:1: host a is reached via=b, which in the end is reached via=a"},
    {"x via=a\nc via=a\na via=b\nb via=c\n", "lab:2: host c is reached via=a, which in the end"},
    {"a solts=4\n", "lab:1: unknown key \"solts\""},
    {"a slots=4 slots=5\n", "lab:1: slots is given twice"},
    {"a:4 slots=5\n", "lab:1: slots is given twice"},
    {"u@a user=v\n", "lab:1: user is given twice"},
    {"a:\n", "lab:1: slots=: give a whole number"},
    {"a:0\n", "lab:1: slots=0: give a whole number"},
    {"a:-1\n", "lab:1: slots=-1"},
    {"a:4x\n", "lab:1: slots=4x"},
    {"a slots=99999999999999999999\n", "lab:1: slots="},
    {"a port=65536\n", "lab:1: port=65536: give a whole number from 1 to 65535"},
    {"a user=\n", "lab:1: user=: give a value"},
    {"a addr=-oProxyCommand=x\n", "lab:1: addr=-oProxyCommand=x: give a name"},
    {"-oProxyCommand=x\n", "lab:1: \"-oProxyCommand=x\" is no host name"},
    {"-v@a\n", "lab:1: user=-v"},
    {"\"\r\\@a\"\n", "lab:1: user=?\\: give a name without blanks"},
    {"a addr=$(id)\n", "lab:1: addr=$(id): give a name"},
    {"a addr=u@b\n", "lab:1: addr=u@b: give a host name or an IP address"},
    {"a via=b;id\n", "lab:1: via=b;id: give a name"},
    {"a via=b,`id`\n", "lab:1: via=b,`id`: give a name"},
    {"a via=b,-F/c\n", "lab:1: via=b,-F/c: give a name"},
    {"a via=u@-b\n", "lab:1: via=u@-b: give a name"},
    {"a via=\"b\\\\\"\n", "lab:1: via=b\\: give a name"},
    {"a user=u$USER\n", "lab:1: user=u$USER: give a name"},
    {"u|id@a\n", "lab:1: user=u|id: give a name"},
    {"@\n", "lab: there is no host"},
    {"a b\n", "lab:1: \"b\" is not key=value"},
    {"a max-slots=2\n", "lab:1: max-slots= is no key here: write slots=N"},
    {"a =2\n", "lab:1: unknown key \"\": the keys of a host are addr"},
    {"slots=4\n", "lab:1: the line begins with slots=: put a host name first"},
    {"a env=X\n", "lab:1: env=X: give env=NAME=VALUE"},
    {"a env==X\n", "lab:1: env==X: give env=NAME=VALUE"},
    {"a speed=fast\n", "lab:1: speed=fast: give a number"},
    {"* speed=-1\na\n", "lab:1: speed=-1: give a number"},
    {"n[1-\n", "lab:1: n[1-: a [ has no ]"},
    {"n[4-2]\n", "lab:1: n[4-2]: the range runs backwards"},
    {"n[1-2] addr=10.0.0.[1-3]\n", "lab:1: 2 names but 3 addresses"},
    {"n[1-2000000]\n", "lab:1: n[1-2000000]: the ranges give too many names"},
    {"[1-4]\n", "lab:1: \"1-4\" begins with a bracket but is no IPv6 address"},
    {"[::1\n", "lab:1: \"[::1\" begins with a bracket"},
    {"[::1]x\n", "lab:1: \"[::1]x\" begins with a bracket"},
    {"fe80::1\n", "lab:1: \"fe80::1\" holds several colons"},
    {"a/b\n", "lab:1: \"a/b\" is no host name"},
    {"h\xc3\xa4\n", "lab:1: \"h??\" is no host name"},
    {"&\n", "lab:1: & without a host"},
    {"a\x01\n", "lab:1: the line holds byte 1"},
    {"* solts=4\na\n", "lab:1: unknown key"},
    {"* a\n", "lab:1: \"a\" is not key=value"},
    {"a wdir=\"/x\n", "lab:1: a quote is not closed"},
    {"\"\"\n", "lab:1: \"\" is no host name"},
    {"u@\n", "lab:1: \"\" is no host name"},
};

Test(hosts, everything_wrong_has_a_line_and_a_remedy)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *text = wrong[i].text, *want = wrong[i].want;
        struct hosts *hosts;
        int code = hosts_parse("lab", text, strlen(text), &hosts);
        cr_expect_eq(code, HN_ESYNTAX, "%s", text);
        cr_expect_null(hosts);
        cr_expect(strncmp(hn_error_text(), want, strlen(want)) == 0, "%s gives: %s", text,
                  hn_error_text());
        cr_expect(strchr(hn_error_text() + strlen("lab:1: "), ':'), "no remedy: %s",
                  hn_error_text());
    }
}

Test(hosts, binary_garbage)
{
    unsigned seed = 20261121;
    for (int round = 0; round < 2000; round++) {
        char text[64];
        struct hosts *hosts;
        for (size_t i = 0; i < sizeof text; i++)
            text[i] =
                "ab[]-1:,@&*=#\" \n%\\\0\xff"[(seed = seed * 1103515245 + 12345) / 65536 % 20];
        if (hosts_parse("lab", text, sizeof text, &hosts) == HN_OK)
            cr_expect(hosts->n > 0, "round %d", round);
        hosts_free(hosts);
    }
}

Test(hosts, a_hundred_thousand_hosts)
{
    struct hosts *hosts = parse("n[00001-50000]\nm[00001-50000]\n");
    cr_expect_eq(hosts->n, 100000);
    cr_expect_str_eq(hosts->line[99999].name, "m50000");
    hosts_free(hosts);
}

static void slots_are(const char *text, int n, const int slots[])
{
    struct hosts *hosts;
    cr_assert_eq(hosts_parse("lab", text, strlen(text), &hosts), HN_OK, "%s", hn_error_text());
    cr_assert_eq(hosts->n, n);
    for (int i = 0; i < n; i++)
        cr_assert_eq(hosts->line[i].slots, slots[i], "%s: %s has %d", text, hosts->line[i].name,
                     hosts->line[i].slots);
    hosts_free(hosts);
}

/* PBS writes a line for each slot into its node files. */
Test(hosts, lines_of_one_host_add_slots)
{
    slots_are("a\nb\na\na\nc\n", 3, (const int[]){3, 1, 1});
    slots_are("* wdir=/w\na\nb slots=2\na\nb:3\na wdir=/w\nc\nn[1-2]\nn[1-2]\n", 5,
              (const int[]){3, 5, 1, 2, 2});
    slots_are("a slots=2\na slots=3\nb\n", 2, (const int[]){5, 0});
    slots_are("* via=gw\ngw\na\ngw\n", 2, (const int[]){2, 1});
    struct hosts *hosts;
    cr_assert_eq(hosts_list("a,b:2,a", &hosts), HN_OK);
    cr_assert_eq(hosts->n, 2);
    cr_assert_eq(hosts->line[0].slots, 2);
    hosts_free(hosts);
}

Test(hosts, long_lines_are_refused_with_their_number_and_advice)
{
    struct hosts *hosts;
    char text[20000] = "a addr=";
    memset(text + strlen(text), 'x', 256);
    cr_assert_eq(hosts_parse("lab", text, strlen(text), &hosts), HN_ESYNTAX, "a long addr=");
    text[300] = 0;
    memset(text, 'k', 299);
    text[290] = '=';
    cr_assert_eq(hosts_parse("lab", text, strlen(text), &hosts), HN_ESYNTAX, "a long key");
    cr_assert_not_null(strstr(hn_error_text(), "put a host name first"), "%s", hn_error_text());
    strcpy(text, "a");
    for (int i = 0; i < 1001; i++)
        snprintf(text + strlen(text), 20, " env=V%d=1", i);
    cr_assert_eq(hosts_parse("lab", text, strlen(text), &hosts), HN_ESYNTAX);
    cr_assert_not_null(strstr(hn_error_text(), "lab:1: more than 1000 variables"), "%s",
                       hn_error_text());
}
