/* svg.h - a plot of the energies of a run. */
#ifndef HMD_SVG_H
#define HMD_SVG_H

#include "err.h"
#include "energy_samples.h"

/* Writes the plot; ERR_RUN when the file cannot be written. */
int svg_write(const char *path, const struct samples *s, struct err *e);

#endif
