/* cmap.h - making a CMAP grid ready for interpolation. */
#ifndef HMD_CMAP_H
#define HMD_CMAP_H

/* From n * n values (first angle slowest, from -180 degrees): value, both first derivatives and the
 * cross derivative at each grid point, in steps of the grid.  The caller owns the n * n * 4 doubles
 * (mem_free). */
double *cmap_prepare(const double *grid, int n);

/* The map at angles phi, psi (radians, any); derivatives by radian in *dphi and *dpsi. */
double cmap_value(const double *table, int n, double phi, double psi, double *dphi, double *dpsi);

#endif
