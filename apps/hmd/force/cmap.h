/* cmap.h - prepares a CMAP grid for interpolation. */
#pragma once

/* Takes n * n values (first angle slowest, from -180 degrees).  Returns value, both first
 * derivatives and the cross derivative at each grid point, in grid steps: n * n * 4 doubles, which
 * the caller frees with mem_free(). n must be even: the extension is by half a period. */
double *cmap_prepare(const double *grid, int n);
