/* thresholds.h - the constants of measuring a network and of deriving its model.
 *
 * Each has a unit and a source: a paper, a measurement, or a reason.  Where a test depends on it,
 * the test is named: `unit X` is tests/unit/test_X.c, `bed X` is a case of tests/real/test_probe.
 * PART: one part in that many.  TIMES: a factor.  PERCENT: a factor in hundredths.
 */
#pragma once

#include <stdint.h>

/* ---- message sizes: bytes ---- */
enum {
    SMALL_BYTES = 1,         /* gives the constants of hosts and routes; unit derive */
    PAGE_BYTES = 1024,       /* separates 10 and 100 Mb/s; short on any line (ECO); unit subnet */
    LARGE_BYTES = 4096,      /* the first size for measuring a rate: a few packets; unit measure */
    PACKET_BYTES = 1448,     /* TCP payload of an Ethernet packet: store and forward bends the line
                                there; unit measure */
    TYPICAL_BYTES = 65536,   /* routes are ordered by their time at this size, the middle one; unit
                                derive */
    STATED_BYTES = 16384,    /* the median route of a link is chosen at this size; unit derive */
    LARGEST_BYTES = 1 << 20, /* the largest size that is compared, EXPERIMENT_BYTES; unit alike */
    WINDOW_BYTES = 14480,    /* TCP's initial window of ten packets (RFC 6928); bed offices */
    BUCKET_BYTES = 131072    /* token buckets of test beds and clouds hold less than this; bed
                                lan4 */
};

/* ---- noise of a time: ns ---- */
enum {
    BLUR_NS = 2000, /* clock and scheduler noise of one message on an idle host; unit alike */
    SUBNET_BLUR_NS = 20000, /* the same among hosts of fast networks, where it exceeds ECO's
                               tolerance; unit subnet */
    PAGE_NOISE_NS = 3000,   /* 1 KiB may differ from the line by this ... */
    PAGE_NOISE_PART = 10,   /* ... plus this part of its time; unit derive */
    PORT_SLACK_NS = 10000   /* median less best of a series: less is scheduling noise; unit
                               measure */
};

/* ---- round trips ---- */
enum {
    PING_PASSES = 3,           /* ECO, section 3 */
    PING_FIRST_REPEATS = 3,    /* enough to tell near hosts from far ones; unit measure */
    PING_REPEATS = 10,         /* for each pair, size and pass: ECO's minimum; unit measure */
    PING_AGAIN_REPEATS = 30,   /* for a doubtful pair: three times as many, alone; bed cable */
    PING_TOLERANCE = 40,       /* thousandths between the three best times: below a quarter of ECO's
                                tolerance */
    PING_BUDGET_NS = 10000000, /* somewhat more than a scheduler's time slice; unit measure */
    PING_AGAIN_BUDGET_NS = 30000000, /* three times PING_BUDGET_NS */
    PING_BETTER_PART = 25,           /* an improvement below this part is none; as PING_TOLERANCE */
    DOUBT_TIMES = 3,     /* passes over doubtful pairs: a disturbance may outlast one pass; bed
                            lan4 */
    DOUBT_GROUPS = 8,    /* with at most this many subnets ... */
    DOUBT_HOSTS = 32,    /* ... and hosts, all pairs of subnets are checked again: choosing them
                            is O(hosts^4); no test */
    DOUBT_BRIDGES = 2,   /* nearest pairs between two subnets that are checked: ECO joins by the
                            nearest */
    ROUNDS_AHEAD = 8,    /* rounds ordered before the first one ends: hides the round trip to rank
                            0; unit measure */
    PATIENCE_MS = 10000, /* of a wait while no time is known yet; test_probe_lost */
    PATIENCE_LEAST_MS = 1500,  /* three retransmissions of a packet: 0.2 + 0.4 + 0.8 s */
    PATIENCE_TIMES = 10,       /* and this many times the expected time */
    PATIENCE_MOST_MS = 120000, /* at most: bounds the cost of a dead host; no test */
    DOUBT_NEAR_PERCENT = 150,  /* a pair within this of the nearest one is doubtful: ECO's tolerance
                                  is 120; bed lan4 */
    DOUBT_FEW_TIMES = 4 /* the same with few subnets: a disturbed host makes some pairs several
                           times slower; bed lan4 */
};

/* ---- pairs measured at the same time ---- */
enum {
    WIDTH_PROBES = 4,      /* pairs measured alone for comparison */
    WIDTH_FAR_PROBES = 2,  /* the same among distant hosts, whose round trips take longer */
    WIDTH_REPEATS = 12,    /* enough for a minimum; unit measure */
    WIDTH_SLOWER_PART = 16 /* slower by less is no disturbance: a third of ECO's tolerance */
};

/* ---- subnets and sites ---- */
enum {
    SUBNET_TOLERANCE = 200000, /* millionths; ECO, section 4.2; unit subnet */
    SITE_FAR_NS = 2000000,     /* longer than in any machine room: 200 km of fibre; unit subnet */
    SITE_JUMP_TIMES = 8,       /* tenths of a millisecond inside a site, many between sites; unit
                                  subnet */
    MERGE_MOST_TIMES = 3,      /* a slow host takes less than this many times the members' time;
                                  unit subnet */
    MERGE_PARTS = 2,           /* its own time explains at least this part of the excess ... */
    MERGE_PAIR_PARTS = 4,      /* ... or this part, if another slow host's excess adds up with it;
                                  unit subnet */
    AS_FAR_PS = 100000000,     /* 0.1 ms: the best round trips of a LAN repeat within this from day
                                  to day, */
    AS_FAR_PART = 50,          /* those of long routes within a fiftieth (GUSTO's table); unit
                                  previous */
    LINE_SHORTEST_NS = 50000,  /* a line is longer than this, the difference among hosts, */
    LINE_SHORTEST_PART = 100   /* and than this part of the longest route; unit bisections */
};

/* ---- rates ---- */
enum {
    RATE_MESSAGE_MS = 30,  /* longer messages are not sent: bounds the cost of slow links */
    RATE_SECOND_TIMES = 8, /* but the second size may take this many times longer: a bend needs two;
                              bed offices */
    RATE_REPEATS = 16,     /* per size, until the times agree; unit measure */
    ROUTE_TOLERANCE = 30,  /* thousandths between the three best; as PING_TOLERANCE */
    ROUTE_PAUSE_NS = 500000, /* before each message: refills a token bucket; bed lan4 */
    ROUTE_FAR_REPEATS = 8,   /* until TCP's window has doubled from ten packets to 1 MiB */
    RATE_PAIRS = 2, /* between two units: the second one detects a slow host of the first; bed
                       offices */
    RATE_NARROW_TIMES = 3, /* a link this much slower than its end hosts hides their differences */
    RATE_SLOW_PART = 10,   /* a rate slower by more is measured again: less is noise; unit
                              derive_held */
    BEND_POINTS = 4,       /* sizes that a bend needs: three unknowns and a check; unit measure */
    BEND_LAST_BYTES =
        4096 /* no bend lies beyond this size, which exceeds every packet; unit derive_held */
};
static const double HELD_UP_TIMES = 1.1;  /* a point this much above the line of its neighbours is
                                             delayed; as RATE_SLOW_PART; unit derive_held */
static const double BEND_BETTER = 0.6;    /* of the straight line's residual: a bend that gains less
                                             follows noise; unit measure */
static const double BEND_NEEDLESS = 0.03; /* residual of a line that needs no bend: below the noise
                                             of times; unit measure */

/* ---- concurrent transfers ---- */
enum {
    CONTENTION_ALONE = 4,          /* runs alone before the concurrent ones; the best counts */
    CONTENTION_FAR_ALONE = 2,      /* the same for distant hosts, whose transfers take longer */
    CONTENTION_ROUNDS = 8,         /* at most, until the result is clear; unit measure */
    CONTENTION_ENOUGH = 3,         /* consecutive slow rounds that prove sharing: a busy machine
                                      recovers in between */
    CONTENTION_LONG_ENOUGH = 2,    /* the same for long transfers, which average out disturbances */
    CONTENTION_LEAST_NS = 8000000, /* duration of a message, at least: many scheduling delays */
    CONTENTION_SMALLS = 8,         /* at least this many small messages' times: four round trips */
    CONTENTION_WINDOW_NS = 40000000,  /* at least, where TCP's first window holds half of it; bed
                                         gusto5 */
    CONTENTION_MOST_NS = 100000000,   /* of a message, at most: bounds the cost of slow links */
    CONTENTION_BUDGET_NS = 300000000, /* of a transfer alone: three of the longest */
    BUS_ROUNDS = 4,                   /* of two neighbours that send to each other: a mean needs
                                         several */
    BUS_FEWER = 4,              /* a message this part as long is tried again: slow processors delay
                                   large ones most; bed lan4 */
    BUS_REST_NS = 200000000,    /* pause: a host with a CPU quota gets a new one each tenth of a
                                   second (Linux); no test */
    EVEN_PERCENT = 150,         /* two neighbours must send about equally fast: a slow port looks
                                   like a bus */
    BUS_EXPLAINS_PERCENT = 150, /* a route this much slower than the bus at its end has a slower
                                   link; halfway from one to two; bed eco8 */
    LINE_PAIR_PART = 4, /* two routes among three units need this advantage over two among four,
                           which prove more; bed chain */
    UPLINK_LEAST = 3,   /* transfers: two have already been tried as a pair; bed racks */
    UPLINK_LIKE_PERCENT = 125, /* units reached about as fast: slower ones do not fill an uplink */
    PORT_NEIGHBOURS = 3,       /* a host's port is compared with this many */
    PORT_SLOW_TIMES = 2        /* a port this slow does not fill a shared link; bed slow first
                                  host */
};
/* Bytes of concurrent transfers, times alone: one on a switch, two on a bus.  Measured with hprobe
 * -raw on a busy machine: 24 switches of 11 beds gave 0.95 to 1.29, 11 buses 1.47 to 1.90; unit
 * derive, bed eco8. */
static const double MEDIUM_SWITCH_TIMES = 1.3, MEDIUM_BUS_TIMES = 1.45;

/* ---- switches inside a subnet ---- */
enum {
    SWITCH_HOSTS_LEAST = 4,  /* two on each side; unit switches */
    SWITCH_HOSTS_MOST = 256, /* average linkage is O(hosts^3) */
    SWITCH_LOOK = 12,        /* rounds without a difference that end the search; bed lan4 */
    SWITCH_TOURNAMENTS = 3,  /* rounds of all pairs, where there is a difference: a mean needs
                                several; bed cable */
    SWITCH_DULL = 5,         /* rounds without a fast pair: a bus, or a busy machine; bed eco8 */
    SWITCH_TRIES = 4         /* comparisons of exchanges across and within; bed cable */
};
static const double SWITCH_NOTICED = 1.3; /* times alone; as MEDIUM_SWITCH_TIMES */
static const double SWITCH_LONGEST = 4;   /* times alone, capped here: a slower exchange is an
                                             accident, not a cable */
/* Across the border, times within.  At least one rack must reach BELIEVED, and none may be below
 * DOUBTED.  Both lie between one (no cable) and the number of hosts that fill the cable; bed
 * cable. */
static const double SWITCH_BELIEVED = 1.4, SWITCH_DOUBTED = 1.2;
static const double SWITCH_GAP = 0.2; /* means over all rounds, across less within: some rounds only
                                         fill an uplink; unit switches */

/* ---- ports, wake-up, computing ---- */
enum {
    PORT_PEERS = 3,            /* senders or receivers of a series: it takes more than one to fill a
                                  port */
    PORT_REPEATS = 25,         /* of each series, within the budget */
    PORT_TOLERANCE = 40,       /* thousandths; as PING_TOLERANCE */
    PORT_BUDGET_NS = 25000000, /* of a host's series */
    PORT_MANY = 4,             /* in subnets of at least this many hosts the median of alike ones
                                  counts, */
    PORT_MANY_BUDGET_NS = 10000000, /* so each series may be less exact; unit measure */
    PORT_LARGE_NS = 2000000,   /* duration of a large message at a port, far above the constants */
    PORT_SLOW_NS = 40000000,   /* the same to a neighbour, at most: its port may be slow; bed
                                  indy8 */
    PORT_LEAST_BYTES = 4096,   /* a switch buffers smaller messages whole */
    PORT_MOST_BYTES = 65536,   /* larger messages fill the sockets' buffers */
    PORT_MIDDLE_BYTES = 64,    /* bytes whose time is about S; at least this many; bed hnow8m */
    PORT_MESSAGE_PART = 3,     /* of S: a port time per message below this part is noise; unit
                                  derive */
    PORT_AGAIN = 4,            /* repetitions for doubtful ports ... */
    PORT_FEW_HOSTS = 16,       /* ... with at most this many hosts; with more, one; unit measure */
    PORT_DOUBT_PART = 8,       /* a possible error above this part makes a port doubtful; unit
                                  derive_ports */
    PORT_ALIKE = 3,            /* this many hosts have a median */
    PORT_ODD_PART = 4,         /* a port slower than the median by this part is an outlier; bed
                                  lan8 */
    PORT_LIKE_PART = 8,        /* ports within this part of each other are alike */
    PORT_LIKES = 2,            /* this many alike ports are no coincidence */
    EXPERIMENT_SERIES = 3,     /* messages to each receiver beyond the first, in a long series.
                                  More would be coalesced into larger packets, and hosts with a long
                                  time per message would seem faster. */
    EXPERIMENT_UNSTABLE = 4,   /* times the budget, until the best series agree */
    WAKE_REPEATS = 21,         /* odd, so there is a median */
    WAKE_ASLEEP_NS = 1000000,  /* after this time a task sleeps instead of spinning; unit alike */
    WAKE_BUDGET_NS = 28000000, /* 21 repetitions of 1 ms, and their messages */
    WAKE_QUANTILE = 4,         /* a quarter of alike hosts are below it: other work delays some
                                  wake-ups, and the least of eight is too small; unit alike */
    WAKE_LEAST_NS = 20000,     /* no machine wakes a task faster */
    WAKE_MOST_TIMES = 4,       /* times the least: 60 ms were seen on a disturbed machine */
    WAKE_HELD_UP_NS = 500000,  /* if even the least is longer, something blocked the route; unit
                                  alike */
    KERNEL_REPEATS = 40,       /* of a few milliseconds each */
    KERNEL_TOLERANCE = 10,     /* thousandths between the three best; unit measure */
    SPEED_KERNEL_NS = 2000000, /* time of the kernel on a host of speed 1; docs/network-file.md */
    ALIKE_SPEED_PART = 4,      /* hosts of one kind compute equally fast within this; unit alike */
    ALIKE_PART = 10,           /* noise of the costs of alike hosts ... */
    ALIKE_CONST_PS = 4000000,  /* ... or 4 us ... */
    ALIKE_BYTE_FS = 300000,    /* ... or 0.3 ns a byte; unit alike */
    PAIR_DIFFERS_PART = 5      /* a pair that differs by this has its own @pair line: ECO's
                                  tolerance */
};

/* ---- machines that hosts share ---- */
enum {
    COLOCATED_TESTS = 4,            /* the fastest counts; unit measure */
    COLOCATED_ROUNDS_LEAST = 4,     /* for a mean */
    COLOCATED_ROUNDS_MOST = 100,    /* bounds the time of fast rounds */
    COLOCATED_BUDGET_NS = 15000000, /* of two hosts alone */
    COLOCATED_LARGE_NS = 2000000,   /* one way, of the largest message; as PORT_LARGE_NS */
    COLOCATED_LARGE_BYTES = 65536   /* as PORT_MOST_BYTES */
};
static const double MACHINE_SLOWER = 1.25; /* times two hosts alone: less is noise; unit derive */

/* ---- multicasts ---- */
enum {
    MULTICAST_ROUNDS = 2,        /* a datagram may be lost once; unit measure */
    MULTICAST_PATIENCE_MS = 250, /* for all answers, */
    MULTICAST_EACH_MS = 2        /* and for each host's */
};
static const int64_t MULTICAST_LATE_NS =
    5000000000; /* for the report: all orders are sent before it */

/* ---- presence of tasks ---- */
enum {
    COORDINATOR_ANSWER_MS = 5000,       /* answer of an idle task; test_probe_lost */
    COORDINATOR_HELD_UP_MS = 60000,     /* a stalled message: the runtime drops the connection after
                                           this time; test_probe_lost */
    COORDINATOR_CUT = 2,                /* failures of a pair after which it is cut: one may be a
                                           busy machine */
    COORDINATOR_LONG_BYTES = 256 << 10, /* too long for hn_isend() to copy, so its completion proves
                                           arrival */
    COORDINATOR_SHORT_BYTES = 1024      /* one packet, so a check by one byte is valid for it */
};

/* ---- processor time taken by other virtual machines ---- */
enum {
    STEAL_MUCH = 80,      /* thousandths of a host's processors: measure again; test_probe_stolen */
    STEAL_TIMES = 3,      /* measurements in all */
    STEAL_PATIENCE_S = 60 /* a measurement that took longer is not repeated */
};
