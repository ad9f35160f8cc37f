/* watched.h - which of clang's sanitizers watches this build. */
#pragma once

#ifdef __has_feature
/* Freed memory is kept for a while: what is resident says nothing. */
#define WATCHED_ADDRESS __has_feature(address_sanitizer)
/* A program that adds 0 to NULL is ended. */
#define WATCHED_UNDEFINED __has_feature(undefined_behavior_sanitizer)
#else
#define WATCHED_ADDRESS   0
#define WATCHED_UNDEFINED 0
#endif
