/* retile_kernel_explain. With arguments SOURCE DESTINATION [MASK] it writes what it says of that pair, MASK being that of a
 * scale of the destination; without, what it does with buffers, and refuses. */
#include "check.h"

static char *explained(const retile_kernel *k, size_t *needed) {
  OK(retile_kernel_explain(k, NULL, 0, needed));
  char *text = malloc(*needed);
  if (text == NULL) exit(1);
  size_t again = 0;
  OK(retile_kernel_explain(k, text, *needed, &again));
  SAME(again, *needed);
  SAME(strlen(text) + 1, *needed);
  return text;
}

static void print(const char *src, const char *dst, const char *mask) {
  retile_attr *attr = NULL;
  if (mask != NULL) {
    OK(retile_attr_new(&attr));
    OK(retile_attr_set_scale(attr, RETILE_DST, (uint32_t)strtoul(mask, NULL, 10)));
  }
  retile_kernel *k = kernel(src, dst, attr);
  size_t needed = 0;
  char *text = explained(k, &needed);
  fputs(text, stdout);
  free(text);
  retile_kernel_free(k);
  retile_attr_free(attr);
}

static void buffers(void) {
  retile_kernel *k = kernel("u8:nhwc:1x3x8x8", "f32:nchw:1x3x8x8", NULL);
  size_t needed = 0;
  char *text = explained(k, &needed), buffer[64];
  const char *const pair = "pair     u8:acdb:1x3x8x8 f32:abcd:1x3x8x8\ntarget   ";
  SAME(strncmp(text, pair, strlen(pair)), 0);
  CHECK(strstr(text, "; it can run this\n") != NULL);
  CHECK(strstr(text, "\nproblem u8>f32 ") != NULL);
  CHECK(strstr(text, "\ncode     ") != NULL);
  if (strcmp(retile_kernel_tier(k), "portable") != 0) CHECK(strstr(text, "\npredicted ") != NULL);

  memset(buffer, '#', sizeof buffer);
  size_t whole = 0;
  FAILS(RETILE_ERR_BUFFER, "capacity is 12", retile_kernel_explain(k, buffer, 12, &whole));
  SAME(whole, needed);
  SAME_TEXT(buffer, "pair     u8");
  SAME(buffer[12], '#');
  char *tight = malloc(needed); /* All but the last byte. */
  if (tight == NULL) exit(1);
  FAILS(RETILE_ERR_BUFFER, "capacity is ", retile_kernel_explain(k, tight, needed - 1, NULL));
  SAME(strlen(tight), needed - 2);
  SAME(memcmp(tight, text, needed - 2), 0);
  free(tight);
  memset(buffer, '#', sizeof buffer);
  FAILS(RETILE_ERR_BUFFER, "capacity is 0", retile_kernel_explain(k, buffer, 0, NULL));
  SAME(buffer[0], '#');
  FAILS(RETILE_ERR_INVALID, "kernel is NULL", retile_kernel_explain(NULL, buffer, sizeof buffer, &whole));
  FAILS(RETILE_ERR_INVALID, "buffer is NULL", retile_kernel_explain(k, NULL, 9, &whole));
  FAILS(RETILE_ERR_INVALID, "both NULL", retile_kernel_explain(k, NULL, 0, NULL));
  SAME(buffer[0], '#');
  free(text);
  retile_kernel_free(k);
}

int main(int count, char **arguments) {
  if (count > 2) print(arguments[1], arguments[2], count > 3 ? arguments[3] : NULL);
  else buffers();
  return finish();
}
