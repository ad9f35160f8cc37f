/* net_show.h - a network model for people and programs: table, JSON, map. */
#pragma once

#include "hnow_net.h"

#include <stdio.h>

/* Errors of writing are left in ferror(). */

/* Hosts, subnets, links and a matrix of latencies, with units.  title: the file's name. */
void net_show(const hn_net *net, const char *title, FILE *file);
/* One JSON document with the keys of DESIGN.md: seconds, seconds a byte, exact decimals. */
void net_json(const hn_net *net, FILE *file);
/* A map as SVG: subnets as boxes with their hosts and medium, links with latency and rate.
 * HN_OK or HN_ENOMEM. */
int net_draw(const hn_net *net, const char *title, FILE *file);
/* The same with what `over` draws between the lines and the hosts, so that it crosses no name.
 * HN_OK, or HN_ENOMEM with a text. */
struct net_place {
    double x, y; /* the middle of its box ... */
    double w, h; /* ... and how large that is */
};
struct net_page {
    FILE *file;
    /* [host]; of very many hosts in one subnet, the last ones are all where the map says how many
     * more there are. */
    const struct net_place *place;
    double left, legend; /* where `over` may write one line of text: x and y */
};
int net_draw_over(const hn_net *net, const char *title, FILE *file,
                  void (*over)(const struct net_page *page, void *arg), void *arg);
