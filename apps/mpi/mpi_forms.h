/* mpi_forms.h - includes the header MPI_FORMS once for each form of its calls: with int, and with
 * MPI_Count and a name that ends in _c.  MPI_N: a count; MPI_D: a displacement in elements; MPI_H:
 * a displacement in bytes; MPI_F(name): the name; MPI_LARGE: true in the second form.
 *
 * The macros are undefined at the end, so a file may include this several times. MPI 4.1, 19.2
 * describes the two forms ("large count").
 *
 * Set MPI_FORMS to the header's name in quotes before this file is included. The header must not
 * have an include guard. The types of the first form are those of MPI-1 to MPI-3.
 */
#define MPI_N       int
#define MPI_D       int
#define MPI_H       MPI_Aint
#define MPI_F(name) name
#define MPI_LARGE   false
#include MPI_FORMS
#undef MPI_N
#undef MPI_D
#undef MPI_H
#undef MPI_F
#undef MPI_LARGE

#define MPI_N       MPI_Count
#define MPI_D       MPI_Aint
#define MPI_H       MPI_Count
#define MPI_F(name) name##_c
#define MPI_LARGE   true
#include MPI_FORMS
#undef MPI_N
#undef MPI_D
#undef MPI_H
#undef MPI_F
#undef MPI_LARGE
#undef MPI_FORMS
