/* kernel_pick.c - selects the compiled variant of kernel.c that the processor supports. */
#include "kernel.h"

kernel_fn *kernel_pick_plain(enum scheme_elec elec, enum scheme_vdw vdw, int energy);

#ifdef HMD_KERNEL_AVX2
kernel_fn *kernel_pick_avx2(enum scheme_elec elec, enum scheme_vdw vdw, int energy);

static int kernel_has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
#endif

/* The choice is made at each call, which costs two tests of bits; it never changes in a process.
 * Tasks on different processors may differ in the last bits of forces. */
kernel_fn *kernel_pick(enum scheme_elec elec, enum scheme_vdw vdw, int energy)
{
#ifdef HMD_KERNEL_AVX2
    if (kernel_has_avx2())
        return kernel_pick_avx2(elec, vdw, energy);
#endif
    return kernel_pick_plain(elec, vdw, energy);
}

/* For the report: results differ in the last bits between kernels. */
const char *kernel_name(void)
{
#ifdef HMD_KERNEL_AVX2
    if (kernel_has_avx2())
        return "avx2";
#endif
    return "plain";
}
