/* Every retile_cache_*: what is kept, for how long, and the struct that tells. */
#include "guard.h"

static retile_cache_stats stats(void) {
  retile_cache_stats found = {sizeof found, 1, 1, 1, 1};
  OK(retile_cache_get_stats(&found));
  SAME(found.struct_size, sizeof found);
  return found;
}

#define COUNTS(h, m, e) \
  do { \
    const retile_cache_stats now_ = stats(); \
    if (now_.hits != (h) || now_.misses != (m) || now_.entries != (e)) \
      REPORT("%d hits, %d misses, %d entries", (int)now_.hits, (int)now_.misses, (int)now_.entries); \
  } while (0)

/* Makes the kernel of a matrix with so many rows, and runs it. */
static retile_kernel *transpose(int rows, const retile_attr *attr) {
  char from[32], to[32];
  snprintf(from, sizeof from, "s16:ab:%dx3", rows);
  snprintf(to, sizeof to, "s16:ba:%dx3", rows);
  return kernel(from, to, attr);
}

static void runs(const retile_kernel *k, int rows) {
  int16_t src[64 * 3] = {0}, dst[64 * 3];
  for (int i = 0; i < rows * 3; i++) src[i] = (int16_t)(i * 7);
  OK(retile_kernel_run(k, src, dst, NULL));
  for (int i = 0; i < rows * 3; i++) SAME(dst[i % 3 * rows + i / 3], i * 7);
}

/* Found again, with the same attributes alone. */
static void kept(void) {
  COUNTS(0, 0, 0);
  SAME(stats().code_bytes, 0);
  retile_kernel *first = transpose(5, NULL), *second = transpose(5, NULL);
  COUNTS(1, 1, 1);
  SAME(stats().code_bytes > 0, strcmp(retile_kernel_tier(first), "portable") != 0);
  const uint64_t code = stats().code_bytes;
  retile_attr *attr = NULL;
  OK(retile_attr_new(&attr)); /* Nothing set is the same as none. */
  retile_kernel_free(transpose(5, attr));
  COUNTS(2, 1, 1);
  OK(retile_attr_set_max_isa(attr, "portable"));
  retile_kernel *portable = transpose(5, attr);
  SAME_TEXT(retile_kernel_tier(portable), "portable");
  COUNTS(2, 2, 2);
  SAME(stats().code_bytes, code);
  OK(retile_attr_set_locality(attr, RETILE_LOCALITY_KEEP));
  retile_kernel_free(transpose(5, attr));
  COUNTS(2, 3, 3);
  retile_attr_free(attr);

  /* What cannot be made is not kept. */
  retile_layout *src = layout("f32:ab:2x3"), *dst = layout("f32:ab:3x2");
  retile_kernel *none = NULL;
  REFUSES(RETILE_ERR_INVALID, "3x2", none, retile_kernel_new(src, dst, NULL, &none));
  SAME(stats().entries, 3);
  retile_layout_free(src);
  retile_layout_free(dst);

  /* Handles and the cache do without one another. */
  retile_kernel_free(first);
  SAME(stats().entries, 3);
  runs(second, 5);
  OK(retile_cache_clear());
  SAME(stats().entries, 0);
  SAME(stats().code_bytes, 0);
  runs(second, 5);
  runs(portable, 5);
  retile_kernel_free(second);
  retile_kernel_free(portable);
}

static void capacity(void) {
  OK(retile_cache_set_capacity(2));
  retile_cache_stats before = stats();
  for (int rows = 1; rows <= 3; rows++) retile_kernel_free(transpose(rows, NULL));
  COUNTS(before.hits, before.misses + 3, 2);
  retile_kernel_free(transpose(2, NULL));
  retile_kernel_free(transpose(3, NULL));
  COUNTS(before.hits + 2, before.misses + 3, 2);
  retile_kernel_free(transpose(1, NULL)); /* The one that went. */
  COUNTS(before.hits + 2, before.misses + 4, 2);

  /* None at all. */
  retile_kernel *k = transpose(3, NULL);
  OK(retile_cache_set_capacity(0));
  SAME(stats().entries, 0);
  before = stats();
  retile_kernel *other = transpose(3, NULL);
  SAME(stats().hits, before.hits);
  SAME(stats().entries, 0);
  runs(k, 3);
  runs(other, 3);
  retile_kernel_free(k);
  retile_kernel_free(other);

  OK(retile_cache_set_capacity(SIZE_MAX));
  retile_kernel_free(transpose(3, NULL));
  SAME(stats().entries, 1);
  OK(retile_cache_clear());
}

/* Structs of other versions, and those that cannot be. */
static void sizes(void) {
  enum { WHOLE = sizeof(retile_cache_stats), WORD = sizeof(size_t) };
  retile_kernel_free(transpose(9, NULL));
  const retile_cache_stats expected = stats();
  FAILS(RETILE_ERR_INVALID, "stats is NULL", retile_cache_get_stats(NULL));
  for (size_t size = 0; size <= WHOLE + 24; size++) {
    /* As many bytes as it says and no more; off their alignment too, which is not asked for. */
    unsigned char *at = guarded(size < WORD ? WORD : size, 0xAB), filled[WHOLE + 24];
    memcpy(at, &size, WORD);
    memset(filled, 0xAB, sizeof filled);
    memcpy(filled, &size, WORD);
    if (size < WORD) {
      FAILS(RETILE_ERR_INVALID, "stats.struct_size is ", retile_cache_get_stats((retile_cache_stats *)(void *)at));
    } else {
      OK(retile_cache_get_stats((retile_cache_stats *)(void *)at));
      const size_t ends[] = {offsetof(retile_cache_stats, hits), offsetof(retile_cache_stats, misses),
                             offsetof(retile_cache_stats, entries), offsetof(retile_cache_stats, code_bytes)};
      for (int field = 0; field < 4; field++)
        if (ends[field] + 8 <= size) memcpy(filled + ends[field], (const char *)&expected + ends[field], 8);
    }
    SAME(memcmp(at, filled, size < WORD ? WORD : size), 0);
  }
}

int main(void) {
  kept();
  capacity();
  sizes();
  return finish();
}
