/* script_value.h - what CALC computes. */
#pragma once

/* The value of an expression: numbers, + - * / ** ( ), SQRT EXP LN LOG (both natural) ABS INT
 * NINT SIN COS TAN ASIN ACOS ATAN SINH COSH TANH (of radians) in either case.  1; 0 when it is
 * none, or no finite number comes out. */
int script_value(const char *text, double *value);
