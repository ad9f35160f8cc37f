/* jitter.c - what messages usually take where their times vary (jitter.h). */
#include "derive/jitter.h"

static const int64_t hosts_ns = 50000;
enum { PART = 8 };

int64_t varied_usual(int64_t least, int64_t median)
{
    int64_t more = median - least;
    return more > hosts_ns && more > least / PART ? median - hosts_ns : least;
}
