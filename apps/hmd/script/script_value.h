/* script_value.h - what CALC computes. */
#ifndef HMD_SCRIPT_VALUE_H
#define HMD_SCRIPT_VALUE_H

/* The value of an expression: numbers, + - * / ** ( ), SQRT EXP LN LOG (both natural) ABS INT
 * NINT SIN COS TAN ASIN ACOS ATAN SINH COSH TANH (of radians) in either case.  1; 0 when it is
 * none, or no finite number comes out. */
int script_value(const char *text, double *value);

#endif
