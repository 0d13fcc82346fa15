/* What the programs check with: one line on stderr for each failure, the count of them as the result. */
#ifndef CHECK_H
#define CHECK_H
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "retile.h"

static int failures = 0;

#define REPORT(...) (fprintf(stderr, "%s:%d: ", __FILE__, __LINE__), fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), failures++)
#define CHECK(condition) ((condition) ? (void)0 : (void)REPORT("not so: %s", #condition))
/* Numbers and texts that are as expected. */
#define SAME(found, expected) \
  do { \
    long long found_ = (long long)(found), expected_ = (long long)(expected); \
    if (found_ != expected_) REPORT("%s is %lld, expected %lld", #found, found_, expected_); \
  } while (0)
#define SAME_TEXT(found, expected) \
  do { \
    const char *found_ = (found), *expected_ = (expected); \
    if (strcmp(found_, expected_) != 0) REPORT("%s is `%s`, expected `%s`", #found, found_, expected_); \
  } while (0)
/* A call that succeeds. */
#define OK(call) \
  do { \
    retile_status status_ = (call); \
    if (status_ != RETILE_OK) REPORT("%s: %s: %s", #call, retile_status_name(status_), retile_last_error()); \
  } while (0)
/* A call that fails with a status, and a message with a part. */
#define FAILS(status, part, call) \
  do { \
    retile_status expected_ = (status), status_ = (call); \
    if (status_ != expected_) REPORT("%s: %s, expected %s", #call, retile_status_name(status_), retile_status_name(expected_)); \
    else if (strstr(retile_last_error(), (part)) == NULL) REPORT("%s: `%s` without `%s`", #call, retile_last_error(), (part)); \
  } while (0)
/* A call that makes a handle in `out` fails and leaves NULL there. */
#define REFUSES(status, part, out, call) \
  do { \
    static char sentinel_; \
    (out) = (void *)&sentinel_; \
    FAILS(status, part, call); \
    if ((out) != NULL) { REPORT("%s: `%s` is not NULL", #call, #out); (out) = NULL; } \
  } while (0)

static inline retile_layout *layout(const char *text) {
  retile_layout *made = NULL;
  if (retile_layout_parse(text, &made) != RETILE_OK) {
    fprintf(stderr, "%s: %s\n", text, retile_last_error());
    exit(1);
  }
  return made;
}

/* The same numbers on every machine. */
static inline uint32_t draw(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*state >> 33);
}

static inline int finish(void) {
  if (failures != 0) fprintf(stderr, "%d failures\n", failures);
  return failures != 0;
}

static inline retile_kernel *kernel(const char *from, const char *to, const retile_attr *attr) {
  retile_layout *src = layout(from), *dst = layout(to);
  retile_kernel *made = NULL;
  OK(retile_kernel_new(src, dst, attr, &made));
  retile_layout_free(src); /* A kernel does not need the handles it was made from. */
  retile_layout_free(dst);
  if (made == NULL) exit(finish());
  return made;
}
#endif
