/* script_value.h - evaluates expressions for CALC. There are no variables: names have been replaced
 * in the text before. */
#pragma once

/* Evaluates an expression: numbers, + - * / ** ( ), SQRT EXP LN LOG (both natural) ABS INT NINT SIN
 * COS TAN ASIN ACOS ATAN SINH COSH TANH (radians), in either case. Returns 1; or 0 if it is
 * invalid, or the result is not finite. */
int script_value(const char *text, double *value);
