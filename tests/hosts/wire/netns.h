/*
 * Doing things inside a named network namespace (`ip netns`) and coming back: a descriptor opened
 * inside stays with its namespace, so one process can hold the ends of every wire of a bed.
 */
#pragma once

/* Enter the namespace NAME, or the one that is open as descriptor. 0, or -1 with errno. */
int netns_enter(const char *name);
int netns_enter_open(int descriptor);

/* The namespace this process is in, as a descriptor, or -1 with errno. */
int netns_current(void);
