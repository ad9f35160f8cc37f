/* net_show.h - output of a network model: table, JSON, map.
 *
 * All three read the model only and take O(hosts + subnets^2), apart from the JSON list of pairs.
 * None of them checks the file for errors of writing: the caller does so when it closes the file.
 */
#pragma once

#include "hnow_net.h"

#include <stdio.h>

/* Write errors are left in ferror(). */

/* Prints hosts, subnets, links and a matrix of latencies, with units. title: the file's name. */
void net_show(const hn_net *net, const char *title, FILE *file);
/* Prints one JSON document with the keys of DESIGN.md: seconds, seconds per byte, exact
 * decimals. */
void net_json(const hn_net *net, FILE *file);
/* Draws a map as SVG: subnets as boxes with hosts and medium, links with latency and rate. Returns
 * HN_OK or HN_ENOMEM. */
int net_draw(const hn_net *net, const char *title, FILE *file);
/* The places of hosts on a map, in pixels from the upper left corner. */
struct net_place {
    double x, y; /* centre of its box */
    double w, h; /* size of the box */
};
/* What `over` receives. Everything belongs to the map and is valid during the call only. */
struct net_page {
    FILE *file;
    /* [host]; hosts that the map only counts ("N more") share the place of that text */
    const struct net_place *place;
    double left, legend; /* x and y of one line of text that `over` may write */
};
/* Draws the same map and calls `over` between drawing the lines and the hosts, so that its drawing
 * crosses no name. Returns HN_OK, or HN_ENOMEM with an error text. */
int net_draw_over(const hn_net *net, const char *title, FILE *file,
                  void (*over)(const struct net_page *page, void *arg), void *arg);
