/* roads.c - the order of addresses (rules: roads.h). */
#include "connect/roads.h"

#include "base/addresses.h"
#include "connect/dial.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* How packets leave this host. */
struct road {
    char interface[IFNAMSIZ]; /* "?": no way is known */
    long speed;               /* Mb/s, 0: the kernel does not know */
};

/* Of cables, as a rule; a wireless interface or a tunnel has none, or says 10. */
static long speed_of(const char *interface)
{
    char path[64 + IFNAMSIZ];
    long speed = 0;
    snprintf(path, sizeof path, "/sys/class/net/%s/speed", interface);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    if (fscanf(file, "%ld", &speed) != 1 || speed < 0)
        speed = 0;
    fclose(file);
    return speed;
}

/* Asks the kernel for the way, and sends nothing. */
static struct road road_to(const struct dial_address *to)
{
    struct road road = {.interface = "?"};
    struct sockaddr_storage own;
    socklen_t size = sizeof own;
    struct address from;
    int off = 0, fd = socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return road;
    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &off, sizeof off);
    if (connect(fd, (const struct sockaddr *)&to->at, to->length) == 0 &&
        getsockname(fd, (struct sockaddr *)&own, &size) == 0 &&
        address_from_socket(&from, (const struct sockaddr *)&own)) {
        addresses_interface(&from, road.interface);
        road.speed = speed_of(road.interface);
    }
    close(fd);
    return road;
}

static bool is_much_faster(const struct road *a, const struct road *b)
{
    return b->speed > 0 && a->speed >= 2 * b->speed;
}

/* Whether the road leads by another interface than all before it, and may be the best. */
static bool is_rival(const struct road *roads, unsigned i)
{
    for (unsigned k = 0; k < i; k++)
        if (strcmp(roads[k].interface, roads[i].interface) == 0 ||
            is_much_faster(&roads[k], &roads[i]))
            return false;
    return true;
}

void roads_order(struct dial_address *address, unsigned n)
{
    struct road roads[DIAL_ATTEMPTS];
    for (unsigned i = 0; i < n; i++) {
        struct dial_address one = address[i];
        struct road road = n > 1 ? road_to(&one) : (struct road){.interface = "?"};
        unsigned at = i;
        for (; at > 0 && is_much_faster(&road, &roads[at - 1]); at--) {
            address[at] = address[at - 1];
            roads[at] = roads[at - 1];
        }
        address[at] = one;
        roads[at] = road;
    }
    for (unsigned i = 0; i < n; i++)
        address[i].after = i > 0 && is_rival(roads, i) ? ROADS_STAGGER : DIAL_STAGGER;
}
