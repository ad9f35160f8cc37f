/* hello.c - every task says where it runs, and all of them add up their ranks. */
#include <hnow_coll.h>
#include <stdio.h>

int main(void)
{
    if (hn_enrol() != HN_OK) {
        fprintf(stderr, "hello: %s\n", hn_error_text());
        return 1;
    }
    int rank = hn_rank(), sum = 0;
    if (hn_allreduce(&rank, &sum, 1, HN_INT, HN_SUM, hn_world()) != HN_OK) {
        fprintf(stderr, "hello: %s\n", hn_error_text());
        return 1;
    }
    printf("rank %d of %d on %s: the ranks add up to %d\n", rank, hn_size(), hn_host_of(hn_mytid()),
           sum);
    return hn_exit() == HN_OK ? 0 : 1;
}
