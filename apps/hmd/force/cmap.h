/* cmap.h - making a CMAP grid ready for interpolation. */
#pragma once

/* From n * n values (first angle slowest, from -180 degrees): value, both first derivatives and the
 * cross derivative at each grid point, in steps of the grid.  The caller owns the n * n * 4 doubles
 * (mem_free). */
double *cmap_prepare(const double *grid, int n);
