/* thresholds.h - the numbers that decide while a network is measured and its model derived.
 *
 * Each has a unit, a source (a paper, what was measured, or a reason) and, where there is one, a
 * test in which it takes part: `unit X` is tests/unit/test_X.c, `bed X` a case of
 * tests/real/test_probe. "Part" is one in so many; "times" a factor; "percent" a factor in
 * hundredths.
 */
#pragma once

#include <stdint.h>

/* ---- sizes of messages: bytes ---- */
enum {
    SMALL_BYTES = 1,     /* constants of hosts and routes; unit derive */
    PAGE_BYTES = 1024,   /* tells 10 from 100 Mb/s, short enough for any line (ECO); unit subnet */
    LARGE_BYTES = 4096,  /* the first size that is sent for its rate: some packets; unit measure */
    PACKET_BYTES = 1448, /* what Ethernet's packet holds of TCP: store and forward bends a line
                            there; unit measure */
    TYPICAL_BYTES = 65536,   /* at which routes are ordered; the middle of the sizes; unit derive */
    STATED_BYTES = 16384,    /* at which the middle way of a link is found; unit derive */
    LARGEST_BYTES = 1 << 20, /* the largest that is compared: EXPERIMENT_BYTES; unit alike */
    WINDOW_BYTES = 14480,    /* TCP's first window (RFC 6928: ten packets); bed offices */
    BUCKET_BYTES = 131072    /* token buckets of beds and clouds let less pass at once; bed lan4 */
};

/* ---- what blurs a time: ns ---- */
enum {
    BLUR_NS = 2000, /* a clock and a scheduler, of one message on an idle host; unit alike */
    SUBNET_BLUR_NS = 20000, /* the same between hosts of fast networks, where it is more than ECO's
                               tolerance; unit subnet */
    PAGE_NOISE_NS = 3000,   /* of what a page takes more than a byte, and */
    PAGE_NOISE_PART = 10,   /* a part of it; unit derive */
    PORT_SLACK_NS = 10000   /* of a series' difference; unit measure */
};

/* ---- round trips ---- */
enum {
    PING_PASSES = 3,         /* ECO, section 3 */
    PING_FIRST_REPEATS = 3,  /* who is near and who is far; unit measure */
    PING_REPEATS = 10,       /* of a pair and size in a pass; ECO's minimum; unit measure */
    PING_AGAIN_REPEATS = 30, /* of a pair in doubt: alone, thrice as often; bed cable */
    PING_SETTLED = 40,       /* thousandths between the three best: less than ECO's tolerance / 4 */
    PING_BUDGET_NS = 10000000,       /* a scheduler's quantum and some; unit measure */
    PING_AGAIN_BUDGET_NS = 30000000, /* the same, thrice */
    PING_BETTER_PART = 25, /* a time that is better by less is the same; as PING_SETTLED */
    DOUBT_TIMES = 3,       /* what disturbs a machine may outlast the pings of a pair; bed lan4 */
    DOUBT_GROUPS = 8,      /* of so few subnets, */
    DOUBT_HOSTS = 32,      /* ... and hosts, all pairs of subnets are looked at again: their
                              search takes the fourth power of the hosts; no test */
    DOUBT_BRIDGES = 2,     /* the nearest pairs between two subnets: ECO joins by the nearest */
    ROUNDS_AHEAD = 8,      /* rounds that are ordered before the first is over: hides a way there
                              and back to rank 0; unit measure */
    PATIENCE_MS = 10000,   /* of a wait where nothing is known yet; test_probe_lost */
    PATIENCE_LEAST_MS = 1500,  /* a packet that is lost thrice: 0.2 + 0.4 + 0.8 s; ... */
    PATIENCE_TIMES = 10,       /* ... and so many times as long as it ought to take; ... */
    PATIENCE_MOST_MS = 120000, /* ... but no longer: bounds what a dead host costs; no test */
    DOUBT_NEAR_PERCENT = 150,  /* farther than the nearest by less is in doubt: ECO's tolerance is
                                  120; bed lan4 */
    DOUBT_FEW_TIMES = 4 /* ... of few subnets: a disturbed machine makes some pairs several times
                           slower; bed lan4 */
};

/* ---- how many pairs at the same time ---- */
enum {
    WIDTH_PROBES = 4,      /* pairs that are measured alone for comparison, */
    WIDTH_FAR_PROBES = 2,  /* ... far ones, which take round trips */
    WIDTH_REPEATS = 12,    /* enough for a minimum; unit measure */
    WIDTH_SLOWER_PART = 16 /* slower by less is no disturbance: a third of ECO's tolerance */
};

/* ---- subnets and sites ---- */
enum {
    SUBNET_TOLERANCE = 200000, /* millionths; ECO, section 4.2; unit subnet */
    SITE_FAR_NS = 2000000,     /* farther than any machine room: 200 km of fibre; unit subnet */
    SITE_JUMP_TIMES = 8,       /* tenths of milliseconds inside, many outside; unit subnet */
    MERGE_MOST_TIMES = 3,      /* a slow host needs less than so many times what members need; unit
                                  subnet */
    MERGE_PARTS = 2,           /* its own time explains so much of what it needs more, or ... */
    MERGE_PAIR_PARTS = 4,      /* ... so much and another slow host adds up with it; unit subnet */
    AS_FAR_PS = 100000000,     /* 0.1 ms: quickest round trips are the same from day to day, */
    AS_FAR_PART = 50,          /* and within a fiftieth far away (GUSTO's table); unit previous */
    LINE_SHORTEST_NS = 50000,  /* of a line between places: less is what hosts differ by, */
    LINE_SHORTEST_PART = 100   /* and this part of the longest way; unit bisections */
};

/* ---- rates ---- */
enum {
    RATE_MESSAGE_MS = 30,  /* messages that take longer are not sent: bounds what slow links cost */
    RATE_SECOND_TIMES = 8, /* ... but the second size: one tells neither a bend nor a bucket; bed
                              offices */
    RATE_REPEATS = 16,     /* of a size, as long as the times differ; unit measure */
    WAY_SETTLED = 30,      /* thousandths between the three best; as PING_SETTLED */
    WAY_PAUSE_NS = 500000, /* before each: a token bucket fills up again; bed lan4 */
    WAY_FAR_REPEATS = 8, /* until TCP's window has grown to a mebibyte: doubling from ten packets */
    RATE_PAIRS = 2, /* between two units: the second shows a slow host of the first; bed offices */
    RATE_NARROW_TIMES = 3, /* a link slower than its ends by this hides what hosts differ by */
    RATE_SLOW_PART = 10,   /* slower by more is measured again: less is chance; unit derive_held */
    BEND_POINTS = 4, /* so many sizes tell a bend: three unknowns and one to check; unit measure */
    BEND_LAST_BYTES =
        4096 /* no way becomes quicker behind it: beyond every packet; unit derive_held */
};
static const double HELD_UP_TIMES = 1.1; /* a point above the line of its neighbours; as
                                            RATE_SLOW_PART; unit derive_held */
static const double BEND_BETTER = 0.6; /* of the straight line's residual: fewer would follow noise;
                                          unit measure */
static const double BEND_NEEDLESS = 0.03; /* residual of a line that needs no bend: below what times
                                             differ by; unit measure */

/* ---- transfers at the same time ---- */
enum {
    CONTENTION_ALONE = 4,       /* before they go together; the best counts */
    CONTENTION_FAR_ALONE = 2,   /* ... far ones, which take longer */
    CONTENTION_ROUNDS = 8,      /* at most, until it is clear; unit measure */
    CONTENTION_ENOUGH = 3,      /* rounds that are slow, in a row: a busy machine is not always */
    CONTENTION_LONG_ENOUGH = 2, /* ... of long ones, which average what disturbs */
    CONTENTION_LEAST_NS = 8000000, /* bytes of a message, at least: many scheduler's delays */
    CONTENTION_SMALLS = 8, /* ... and so many small messages' times: four routes there and back */
    CONTENTION_WINDOW_NS = 40000000, /* long enough where TCP's first window holds it; bed gusto5 */
    CONTENTION_MOST_NS = 100000000,  /* of a message: bounds what slow links cost */
    CONTENTION_BUDGET_NS = 300000000, /* of a transfer alone: three of the longest */
    BUS_ROUNDS = 4,                   /* two neighbours to each other: a mean needs some */
    BUS_FEWER = 4,              /* part of a message that is tried again: processors of slow hosts
                                   hold up large ones most; bed lan4 */
    BUS_REST_NS = 200000000,    /* hosts with a part of a processor get it anew every tenth of a
                                   second (Linux' period of quotas); no test */
    EVEN_PERCENT = 150,         /* two neighbours send equally fast: a slow port looks like a bus */
    BUS_EXPLAINS_PERCENT = 150, /* a way that is so much slower than the bus at its end has a slower
                                   link; half between one and two; bed eco8 */
    LINE_PAIR_PART = 4, /* two ways of three units may be quicker by so much than two of four,
                                       which tell more of a line; bed chain */
    UPLINK_LEAST = 3,   /* transfers: two have been tried before; bed racks */
    UPLINK_LIKE_PERCENT = 125, /* units that are reached about as fast: slower ones fill nothing */
    PORT_NEIGHBOURS = 3,       /* with which a host's port is compared */
    PORT_SLOW_TIMES = 2        /* a port as slow as that does not fill what is shared; bed slow
                                  first host */
};
/* Between one (a switch) and two (a bus), as hprobe -raw showed them on a busy machine: 24 switches
 * of 11 beds 0.95 to 1.29, 11 buses 1.47 to 1.90; unit derive, bed eco8. */
static const double MEDIUM_SWITCH_TIMES = 1.3, MEDIUM_BUS_TIMES = 1.45;

/* ---- switches inside a subnet ---- */
enum {
    SWITCH_HOSTS_LEAST = 4,  /* two and two; unit switches */
    SWITCH_HOSTS_MOST = 256, /* average linkage takes the third power */
    SWITCH_LOOK = 12,        /* rounds until it is clear that nothing is to be seen; bed lan4 */
    SWITCH_TOURNAMENTS = 3,  /* of all pairs, where something is: a mean needs some; bed cable */
    SWITCH_DULL = 5,         /* rounds without a quick pair: a bus, or a busy machine; bed eco8 */
    SWITCH_TRIES = 4         /* across and within; bed cable */
};
static const double SWITCH_NOTICED = 1.3; /* times alone; as MEDIUM_SWITCH_TIMES */
static const double SWITCH_LONGEST = 4;   /* times alone; slower is an accident, not a cable */
/* Across the border, times within: one rack clearly, none less than doubtful.  Both are between
 * one, no cable, and the number of hosts that fill it; bed cable. */
static const double SWITCH_BELIEVED = 1.4, SWITCH_DOUBTED = 1.2;
static const double SWITCH_GAP =
    0.2; /* between racks and inside, in the mean of all rounds: uplinks
            that are filled in some rounds only; unit switches */

/* ---- ports, waking, computing ---- */
enum {
    PORT_PEERS = 3,            /* senders and receivers of a series: more than one fills a port */
    PORT_REPEATS = 25,         /* of both series, within their budget */
    PORT_SETTLED = 40,         /* thousandths; as PING_SETTLED */
    PORT_BUDGET_NS = 25000000, /* of a host's series; */
    PORT_MANY = 4,             /* in subnets of so many the middle one of likes counts, so */
    PORT_MANY_BUDGET_NS = 10000000, /* ... each need not be sure; unit measure */
    PORT_LARGE_NS = 2000000,   /* a message of which a port takes so long: long beside constants */
    PORT_SLOW_NS = 40000000,   /* ... at most, to a neighbour: the port may be slow; bed indy8 */
    PORT_LEAST_BYTES = 4096,   /* a switch takes smaller ones whole */
    PORT_MOST_BYTES = 65536,   /* larger ones fill sockets' buffers */
    PORT_MIDDLE_BYTES = 64,    /* whose bytes take about as long as S, at least; bed hnow8m */
    PORT_MESSAGE_PART = 3,     /* of S: a message's part of the port that is less is noise; unit
                                  derive */
    PORT_AGAIN = 4,            /* times that ports in doubt are measured again, */
    PORT_FEW_HOSTS = 16,       /* ... of so many hosts; of more once; unit measure */
    PORT_DOUBT_PART = 8,       /* what may be wrong by this part is in doubt; unit derive_ports */
    PORT_ALIKE = 3,            /* so many have a middle */
    PORT_ODD_PART = 4,         /* slower than the middle one by this is odd; bed lan8 */
    PORT_LIKE_PART = 8,        /* within this of each other they are alike, */
    PORT_LIKES = 2,            /* and so many likes are no chance */
    EXPERIMENT_SERIES = 3,     /* messages to each receiver beyond the first, in a long series:
                                  more between two tasks would be collected into larger packets,
                                  and hosts that need long for a message would seem quicker */
    EXPERIMENT_UNSETTLED = 4,  /* times its budget, until the best series agree */
    WAKE_REPEATS = 21,         /* an odd number has a middle one */
    WAKE_ASLEEP_NS = 1000000,  /* after which a task sleeps, not spins; unit alike */
    WAKE_BUDGET_NS = 28000000, /* 21 of them, and what they take */
    WAKE_QUANTILE = 4,         /* what a quarter of likes stay below: what else a machine does wakes
                                  later, and the least of eight is too little; unit alike */
    WAKE_LEAST_NS = 20000,     /* waking takes so long on any machine */
    WAKE_MOST_TIMES = 4,       /* the least of them: 60 ms were seen on a disturbed machine */
    WAKE_HELD_UP_NS = 500000,  /* even the least took so much: the way was not free; unit alike */
    KERNEL_REPEATS = 40,       /* of some milliseconds each, */
    KERNEL_SETTLED = 10,       /* until the three best agree, thousandths; unit measure */
    SPEED_KERNEL_NS =
        2000000,              /* what the kernel takes on a host of speed 1; docs/network-file.md */
    ALIKE_SPEED_PART = 4,     /* hosts of one kind compute equally fast by this; unit alike */
    ALIKE_PART = 10,          /* their costs differ by chance within this; unit alike */
    ALIKE_CONST_PS = 4000000, /* ... or 4 us, */
    ALIKE_BYTE_FS = 300000,   /* ... or 0.3 ns a byte; unit alike */
    PAIR_DIFFERS_PART = 5     /* a pair is stated by itself from here on: ECO's tolerance */
};

/* ---- machines that hosts share ---- */
enum {
    COLOCATED_TESTS = 4,            /* the quickest counts; unit measure */
    COLOCATED_ROUNDS_LEAST = 4,     /* of a mean */
    COLOCATED_ROUNDS_MOST = 100,    /* bounds the time of quick ones */
    COLOCATED_BUDGET_NS = 15000000, /* of two alone */
    COLOCATED_LARGE_NS = 2000000,   /* one way, of the largest message; as PORT_LARGE_NS */
    COLOCATED_LARGE_BYTES = 65536
};
static const double MACHINE_SLOWER = 1.25; /* times two of them alone: less is noise; unit derive */

/* ---- multicasts ---- */
enum {
    MULTICAST_ROUNDS = 2,        /* a datagram may be lost once; unit measure */
    MULTICAST_PATIENCE_MS = 250, /* for answers, */
    MULTICAST_EACH_MS = 2        /* and each host's */
};
static const int64_t MULTICAST_LATE_NS =
    5000000000; /* for the report, whose orders go out before */

/* ---- who is there ---- */
enum {
    COORDINATOR_ANSWER_MS = 5000,       /* of a task that idles; test_probe_lost */
    COORDINATOR_HELD_UP_MS = 60000,     /* for a stalled message: the runtime gives the connection
                                           up then; test_probe_lost */
    COORDINATOR_CUT = 2,                /* failures of a pair: the first may be a busy machine */
    COORDINATOR_LONG_BYTES = 256 << 10, /* hn_isend() does not copy it, and tells of its arrival */
    COORDINATOR_SHORT_BYTES = 1024      /* one packet: what a check by one byte says holds for it */
};

/* ---- processor time that others take ---- */
enum {
    STEAL_MUCH = 80, /* thousandths of a host's processors: measured again; test_probe_stolen */
    STEAL_TIMES = 3, /* measurements in all */
    STEAL_PATIENCE_S = 60 /* who has measured for so long does not again */
};
