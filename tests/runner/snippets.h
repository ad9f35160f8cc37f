/* snippets.h - what the C code in the pages takes for granted (snippets.py): the program around it.
 * Each piece stands in a function, so it may declare the same names otherwise. */
#include <hnow_coll.h>
#include <hnow_net.h>
#include <stdio.h>
#include <stdlib.h>

enum { QUESTION, ANSWER, WORK, RESULT, ENDED, TAG_ENDED, TAG_LINE, N = 8 };

extern hn_tid to, other, tids[];
extern hn_info info;
extern const hn_group *group;
extern size_t n;
extern int steps, left, right, status, factor, piece[];
extern double data[], part[], sum[], x[], y[], in[], out[], edges[], halo[], mine, result;

int place_of(hn_tid worker);
void compute_my_part(double *x);
void compute_something_else(void);
