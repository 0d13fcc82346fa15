/* Random layouts: parsed, printed, parsed again; offsets against loops written here. */
#include "check.h"

static const char *const DTYPES[] = {"f64", "f32", "f16", "bf16", "s64", "s32", "s16", "u16", "s8", "u8", "bool"};

/* Formats of four dims; those with a block have a formula below. */
static const struct { const char *name; int64_t block; int channels_last; } FORMATS[] = {
    {"nchw", 1, 0}, {"nhwc", 1, 1}, {"nChw8c", 8, 0}, {"nChw16c", 16, 0}, {"aBcd4b", 4, 0}, {"b_fs_yx_fsv16", 16, 0},
    {"ABcd8b16a2b", 0, 0}, {"bs_fs_yx_bsv16_fsv16", 0, 0}, {"digits(bfyx; b f/8 yx/16 f%8 yx%16)", 0, 0},
    {"digits(nchw; n w c/12 h c%12; flip h)", 0, 0}};

static int64_t expected_offset(size_t format, const int64_t *n, const int64_t *i) {
  const int64_t block = FORMATS[format].block, blocks = (n[1] + block - 1) / block;
  if (FORMATS[format].channels_last) return ((i[0] * n[2] + i[2]) * n[3] + i[3]) * n[1] + i[1];
  return (((i[0] * blocks + i[1] / block) * n[2] + i[2]) * n[3] + i[3]) * block + i[1] % block;
}

int main(void) {
  uint64_t seed = 1;
  for (int round = 0; round < 1000; round++) {
    const char *dtype = DTYPES[draw(&seed) % 11];
    const size_t format = draw(&seed) % (sizeof FORMATS / sizeof *FORMATS);
    int64_t n[4], i[4], base = draw(&seed) % 3 == 0 ? draw(&seed) % 100 : 0, offset = -1, again = -2;
    for (int d = 0; d < 4; d++) n[d] = 1 + draw(&seed) % 40;
    char text[160], printed[160];
    int length = snprintf(text, sizeof text, "%s:%s:%dx%dx%dx%d", dtype, FORMATS[format].name, (int)n[0], (int)n[1], (int)n[2], (int)n[3]);
    if (base != 0) snprintf(text + length, sizeof text - (size_t)length, ":offset=%d", (int)base);
    retile_layout *first = layout(text), *region = NULL;
    if (draw(&seed) % 4 == 0) { /* A region, whose text is longer. */
      int64_t at[4], part[4];
      for (int d = 0; d < 4; d++) {
        at[d] = draw(&seed) % (uint32_t)n[d];
        part[d] = 1 + draw(&seed) % (uint32_t)(n[d] - at[d]);
      }
      OK(retile_layout_region(first, at, part, &region));
    }
    const retile_layout *l = region != NULL ? region : first;
    size_t needed = 0, bytes = 0;
    OK(retile_layout_format(l, printed, sizeof printed, &needed));
    SAME(needed, strlen(printed) + 1);
    retile_layout *second = layout(printed);
    CHECK(retile_layout_equal(l, second));
    SAME_TEXT(retile_layout_dtype(second), dtype);
    OK(retile_layout_dims(l, n));
    OK(retile_layout_size_bytes(l, &bytes));
    for (int k = 0; k < 10; k++) {
      for (int d = 0; d < 4; d++) i[d] = draw(&seed) % (uint32_t)n[d];
      OK(retile_layout_offset(l, i, &offset));
      OK(retile_layout_offset(second, i, &again));
      SAME(again, offset);
      CHECK(offset >= base && (size_t)offset < bytes);
      if (region == NULL && FORMATS[format].block != 0) SAME(offset, base + expected_offset(format, n, i));
    }
    if (failures != 0) {
      fprintf(stderr, "round %d: %s\n", round, text);
      return finish();
    }
    retile_layout_free(first);
    retile_layout_free(second);
    retile_layout_free(region);
  }
  return finish();
}
