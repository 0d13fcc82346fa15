/* retile_version, _status_name, _last_error and every retile_layout_*: what each does, and refuses. */
#include "check.h"

static const char *const NAMES[] = {"RETILE_OK", "RETILE_ERR_INVALID", "RETILE_ERR_UNSUPPORTED",
                                    "RETILE_ERR_BUFFER", "RETILE_ERR_MEMORY", "RETILE_ERR_INTERNAL"};

static void names(void) {
  char version[32];
  snprintf(version, sizeof version, "%d.%d.%d", RETILE_VERSION_MAJOR, RETILE_VERSION_MINOR, RETILE_VERSION_PATCH);
  SAME_TEXT(retile_version(), version);
  for (int status = RETILE_OK; status <= RETILE_ERR_INTERNAL; status++) SAME_TEXT(retile_status_name(status), NAMES[status]);
  SAME_TEXT(retile_status_name(-1), "unknown status");
  SAME_TEXT(retile_status_name(6), "unknown status");
}

static void last_error(void) {
  retile_layout *l = NULL;
  SAME_TEXT(retile_last_error(), "");
  OK(retile_layout_parse("f32:nchw:1x2x3x4", &l));
  SAME_TEXT(retile_last_error(), "");
  FAILS(RETILE_ERR_INVALID, "nchv", retile_layout_parse("f32:nchv:1x2x3x4", &(retile_layout *){NULL}));
  char before[512];
  snprintf(before, sizeof before, "%s", retile_last_error());
  size_t bytes = 0;
  OK(retile_layout_size_bytes(l, &bytes));
  SAME(retile_layout_rank(NULL), 0);
  SAME_TEXT(retile_last_error(), before);
  retile_layout_free(l);
  SAME_TEXT(retile_last_error(), before);
}

static void parse(void) {
  retile_layout *l = NULL;
  OK(retile_layout_parse("f32:nChw16c:8x17x31x31", &l));
  SAME(retile_layout_rank(l), 4);
  retile_layout_free(l);
  REFUSES(RETILE_ERR_INVALID, "text is NULL", l, retile_layout_parse(NULL, &l));
  FAILS(RETILE_ERR_INVALID, "out is NULL", retile_layout_parse("f32:a:1", NULL));
  REFUSES(RETILE_ERR_INVALID, "UTF-8", l, retile_layout_parse("f32:\xff:1", &l));
  REFUSES(RETILE_ERR_INVALID, "f33", l, retile_layout_parse("f33:nchw:1x2x3x4", &l));
  REFUSES(RETILE_ERR_UNSUPPORTED, "u4", l, retile_layout_parse("u4:nchw:1x2x3x4", &l));
  REFUSES(RETILE_ERR_INVALID, "", l, retile_layout_parse("", &l));
  REFUSES(RETILE_ERR_INVALID, "12 dims", l, retile_layout_parse("f32:a:1x1x1x1x1x1x1x1x1x1x1x1x1", &l));
  REFUSES(RETILE_ERR_INVALID, "", l, retile_layout_parse("f32:a:9223372036854775807", &l));
}

static void strided(void) {
  const int64_t dims[] = {2, 3}, strides[] = {-3, 1}, negative[] = {2, -3}, vast[] = {INT64_MAX, INT64_MAX};
  retile_layout *l = NULL, *same = layout("s8:strides(-3,1):2x3:offset=3");
  OK(retile_layout_strided("s8", 2, dims, strides, 3, &l));
  CHECK(retile_layout_equal(l, same));
  retile_layout_free(l);
  retile_layout_free(same);
  REFUSES(RETILE_ERR_INVALID, "dtype is NULL", l, retile_layout_strided(NULL, 2, dims, strides, 3, &l));
  REFUSES(RETILE_ERR_INVALID, "dims is NULL", l, retile_layout_strided("s8", 2, NULL, strides, 3, &l));
  REFUSES(RETILE_ERR_INVALID, "strides is NULL", l, retile_layout_strided("s8", 2, dims, NULL, 3, &l));
  FAILS(RETILE_ERR_INVALID, "out is NULL", retile_layout_strided("s8", 2, dims, strides, 3, NULL));
  REFUSES(RETILE_ERR_INVALID, "int8", l, retile_layout_strided("int8", 2, dims, strides, 3, &l));
  REFUSES(RETILE_ERR_INVALID, "dims[1] is -3", l, retile_layout_strided("s8", 2, negative, strides, 3, &l));
  REFUSES(RETILE_ERR_INVALID, "rank is 0", l, retile_layout_strided("s8", 0, dims, strides, 0, &l));
  REFUSES(RETILE_ERR_INVALID, "rank is 13", l, retile_layout_strided("s8", 13, dims, strides, 0, &l));
  REFUSES(RETILE_ERR_INVALID, "rank is 18446744073709551615", l, retile_layout_strided("s8", SIZE_MAX, dims, strides, 0, &l));
  /* The least offset is below 0. */
  REFUSES(RETILE_ERR_INVALID, "-1", l, retile_layout_strided("s8", 2, dims, strides, 2, &l));
  REFUSES(RETILE_ERR_INVALID, "", l, retile_layout_strided("s8", 2, vast, strides, 3, &l));
  REFUSES(RETILE_ERR_INVALID, "", l, retile_layout_strided("s8", 2, dims, vast, INT64_MIN, &l));
}

static void byte_strided(void) {
  const int64_t dims[] = {4, 2}, strides[] = {-8, 4}, odd[] = {-8, 3}, coords[] = {0, 0};
  retile_layout *l = NULL;
  size_t before = 0;
  int64_t offset = 0;
  OK(retile_layout_byte_strided("f32", 2, dims, strides, &before, &l));
  SAME(before, 24);
  OK(retile_layout_offset(l, coords, &offset));
  SAME(offset, 6);
  retile_layout_free(l);
  before = 99;
  REFUSES(RETILE_ERR_INVALID, "3 bytes", l, retile_layout_byte_strided("f32", 2, dims, odd, &before, &l));
  REFUSES(RETILE_ERR_INVALID, "before is NULL", l, retile_layout_byte_strided("f32", 2, dims, strides, NULL, &l));
  REFUSES(RETILE_ERR_INVALID, "dtype is NULL", l, retile_layout_byte_strided(NULL, 2, dims, strides, &before, &l));
  REFUSES(RETILE_ERR_INVALID, "dims is NULL", l, retile_layout_byte_strided("f32", 2, NULL, strides, &before, &l));
  REFUSES(RETILE_ERR_INVALID, "byte_strides is NULL", l, retile_layout_byte_strided("f32", 2, dims, NULL, &before, &l));
  FAILS(RETILE_ERR_INVALID, "out is NULL", retile_layout_byte_strided("f32", 2, dims, strides, &before, NULL));
  REFUSES(RETILE_ERR_INVALID, "rank is 0", l, retile_layout_byte_strided("f32", 0, dims, strides, &before, &l));
  SAME(before, 99);
}

static void blocked(void) {
  const int64_t dims[] = {1, 17, 3, 3}, padded[] = {1, 32, 3, 3}, strides[] = {288, 144, 48, 16};
  const int64_t sizes[] = {16}, inner[] = {1}, wrong[] = {4}, none[] = {-16}, small[] = {1, 16, 3, 3};
  retile_layout *l = NULL, *same = layout("f32:nChw16c:1x17x3x3"), *plain = layout("f32:strides(153,9,3,1):1x17x3x3:offset=5");
  OK(retile_layout_blocked("f32", 4, dims, padded, strides, 1, sizes, inner, 0, &l));
  CHECK(retile_layout_equal(l, same));
  retile_layout_free(l);
  const int64_t outer[] = {153, 9, 3, 1};
  OK(retile_layout_blocked("f32", 4, dims, dims, outer, 0, NULL, NULL, 5, &l));
  CHECK(retile_layout_equal(l, plain));
  retile_layout_free(l);
  retile_layout_free(same);
  retile_layout_free(plain);
  REFUSES(RETILE_ERR_INVALID, "dtype is NULL", l, retile_layout_blocked(NULL, 4, dims, padded, strides, 1, sizes, inner, 0, &l));
  REFUSES(RETILE_ERR_INVALID, "dims is NULL", l, retile_layout_blocked("f32", 4, NULL, padded, strides, 1, sizes, inner, 0, &l));
  REFUSES(RETILE_ERR_INVALID, "padded_dims is NULL", l, retile_layout_blocked("f32", 4, dims, NULL, strides, 1, sizes, inner, 0, &l));
  REFUSES(RETILE_ERR_INVALID, "strides is NULL", l, retile_layout_blocked("f32", 4, dims, padded, NULL, 1, sizes, inner, 0, &l));
  REFUSES(RETILE_ERR_INVALID, "inner_sizes is NULL", l, retile_layout_blocked("f32", 4, dims, padded, strides, 1, NULL, inner, 0, &l));
  REFUSES(RETILE_ERR_INVALID, "inner_dims is NULL", l, retile_layout_blocked("f32", 4, dims, padded, strides, 1, sizes, NULL, 0, &l));
  FAILS(RETILE_ERR_INVALID, "out is NULL", retile_layout_blocked("f32", 4, dims, padded, strides, 1, sizes, inner, 0, NULL));
  REFUSES(RETILE_ERR_INVALID, "dim 4", l, retile_layout_blocked("f32", 4, dims, padded, strides, 1, sizes, wrong, 0, &l));
  REFUSES(RETILE_ERR_INVALID, "inner_sizes[0] is -16", l, retile_layout_blocked("f32", 4, dims, padded, strides, 1, none, inner, 0, &l));
  REFUSES(RETILE_ERR_INVALID, "16", l, retile_layout_blocked("f32", 4, dims, small, strides, 1, sizes, inner, 0, &l));
  REFUSES(RETILE_ERR_INVALID, "inner_count is 61", l, retile_layout_blocked("f32", 4, dims, padded, strides, 61, sizes, inner, 0, &l));
  REFUSES(RETILE_ERR_INVALID, "rank is 13", l, retile_layout_blocked("f32", 13, dims, padded, strides, 1, sizes, inner, 0, &l));
  REFUSES(RETILE_ERR_INVALID, "-1", l, retile_layout_blocked("f32", 4, dims, padded, strides, 1, sizes, inner, -1, &l));
}

static void views(void) {
  retile_layout *whole = layout("f32:nChw16c:2x48x7x7"), *l = NULL;
  const size_t axes[] = {0, 2, 3, 1}, twice[] = {0, 1, 1, 2};
  const int64_t at[] = {1, 17, 0, 0}, dims[] = {1, 31, 7, 7}, none[] = {0, 0, 0, 0}, beyond[] = {1, 32, 7, 7}, negative[] = {-1, 0, 0, 0};
  const int64_t inside[] = {0, 2, 3, 4}, outside[] = {1, 19, 3, 4}, permuted[] = {1, 3, 4, 19}, flipped[] = {1, 19, 3, 2};
  int64_t expected = 0, offset = -1;
  OK(retile_layout_offset(whole, outside, &expected));

  OK(retile_layout_permute(whole, axes, &l));
  OK(retile_layout_offset(l, permuted, &offset));
  SAME(offset, expected);
  retile_layout_free(l);
  REFUSES(RETILE_ERR_INVALID, "[0, 1, 1, 2]", l, retile_layout_permute(whole, twice, &l));
  REFUSES(RETILE_ERR_INVALID, "layout is NULL", l, retile_layout_permute(NULL, axes, &l));
  REFUSES(RETILE_ERR_INVALID, "axes is NULL", l, retile_layout_permute(whole, NULL, &l));
  FAILS(RETILE_ERR_INVALID, "out is NULL", retile_layout_permute(whole, axes, NULL));

  OK(retile_layout_flip(whole, 1u << 3, &l));
  OK(retile_layout_offset(l, flipped, &offset));
  SAME(offset, expected);
  retile_layout_free(l);
  REFUSES(RETILE_ERR_INVALID, "0b10000", l, retile_layout_flip(whole, 1u << 4, &l));
  REFUSES(RETILE_ERR_INVALID, "layout is NULL", l, retile_layout_flip(NULL, 1, &l));
  FAILS(RETILE_ERR_INVALID, "out is NULL", retile_layout_flip(whole, 1, NULL));

  OK(retile_layout_region(whole, at, dims, &l));
  retile_layout_free(whole); /* A view does not need its parent's handle. */
  OK(retile_layout_offset(l, inside, &offset));
  SAME(offset, expected);
  CHECK(!retile_layout_is_dense(l));
  whole = l;
  REFUSES(RETILE_ERR_INVALID, "offsets[0] is -1", l, retile_layout_region(whole, negative, dims, &l));
  REFUSES(RETILE_ERR_INVALID, "dims[0] is -1", l, retile_layout_region(whole, inside, negative, &l));
  REFUSES(RETILE_ERR_INVALID, "32 elements of dim b from 0 on", l, retile_layout_region(whole, none, beyond, &l));
  REFUSES(RETILE_ERR_INVALID, "layout is NULL", l, retile_layout_region(NULL, at, dims, &l));
  REFUSES(RETILE_ERR_INVALID, "offsets is NULL", l, retile_layout_region(whole, NULL, dims, &l));
  REFUSES(RETILE_ERR_INVALID, "dims is NULL", l, retile_layout_region(whole, at, NULL, &l));
  FAILS(RETILE_ERR_INVALID, "out is NULL", retile_layout_region(whole, at, dims, NULL));
  retile_layout_free(whole);
}

static void answers(void) {
  const char *const dtypes[] = {"f64", "f32", "f16", "bf16", "s64", "s32", "s16", "u16", "s8", "u8", "bool"};
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++) {
    char text[32];
    snprintf(text, sizeof text, "%s:ab:2x3", dtypes[i]);
    retile_layout *l = layout(text);
    SAME_TEXT(retile_layout_dtype(l), dtypes[i]);
    retile_layout_free(l);
  }
  retile_layout *l = layout("f32:nChw16c:8x17x31x31"), *same = layout("f32:aBcd16b:8x17x31x31"), *other = layout("f32:nchw:8x17x31x31");
  SAME(retile_layout_rank(l), 4);
  SAME(retile_layout_rank(NULL), 0);
  SAME_TEXT(retile_layout_dtype(NULL), "");
  SAME(retile_layout_equal(l, same), 1);
  SAME(retile_layout_equal(l, other), 0);
  SAME(retile_layout_equal(l, NULL), 0);
  SAME(retile_layout_equal(NULL, l), 0);
  SAME(retile_layout_equal(NULL, NULL), 0);
  SAME(retile_layout_is_dense(l), 1);
  SAME(retile_layout_is_dense(NULL), 0);

  int64_t dims[5] = {-1, -1, -1, -1, -1};
  OK(retile_layout_dims(l, dims));
  CHECK(dims[0] == 8 && dims[1] == 17 && dims[2] == 31 && dims[3] == 31 && dims[4] == -1);
  OK(retile_layout_padded_dims(l, dims));
  CHECK(dims[0] == 8 && dims[1] == 32 && dims[2] == 31 && dims[3] == 31 && dims[4] == -1);
  FAILS(RETILE_ERR_INVALID, "layout is NULL", retile_layout_dims(NULL, dims));
  FAILS(RETILE_ERR_INVALID, "dims is NULL", retile_layout_dims(l, NULL));
  FAILS(RETILE_ERR_INVALID, "layout is NULL", retile_layout_padded_dims(NULL, dims));
  FAILS(RETILE_ERR_INVALID, "dims is NULL", retile_layout_padded_dims(l, NULL));

  size_t bytes = 7;
  FAILS(RETILE_ERR_INVALID, "layout is NULL", retile_layout_size_bytes(NULL, &bytes));
  FAILS(RETILE_ERR_INVALID, "bytes is NULL", retile_layout_size_bytes(l, NULL));
  SAME(bytes, 7);
  OK(retile_layout_size_bytes(l, &bytes));
  SAME(bytes, 4 * 8 * 32 * 31 * 31);
  retile_layout *empty = layout("f32:nchw:8x0x31x31");
  OK(retile_layout_size_bytes(empty, &bytes));
  SAME(bytes, 0);

  const int64_t coords[] = {1, 16, 2, 3}, outside[] = {1, 17, 2, 3}, negative[] = {1, -1, 2, 3};
  int64_t offset = 7;
  FAILS(RETILE_ERR_INVALID, "coordinate 17", retile_layout_offset(l, outside, &offset));
  FAILS(RETILE_ERR_INVALID, "coordinate -1", retile_layout_offset(l, negative, &offset));
  FAILS(RETILE_ERR_INVALID, "layout is NULL", retile_layout_offset(NULL, coords, &offset));
  FAILS(RETILE_ERR_INVALID, "coords is NULL", retile_layout_offset(l, NULL, &offset));
  FAILS(RETILE_ERR_INVALID, "offset is NULL", retile_layout_offset(l, coords, NULL));
  SAME(offset, 7);
  OK(retile_layout_offset(l, coords, &offset));
  SAME(offset, (((1 * 2 + 1) * 31 + 2) * 31 + 3) * 16);
  retile_layout_free(l);
  retile_layout_free(same);
  retile_layout_free(other);
  retile_layout_free(empty);
  retile_layout_free(NULL);
}

static void format(void) {
  const char *text = "f32:aBcd16b:8x17x31x31:offset=7";
  const size_t length = strlen(text);
  retile_layout *l = layout(text);
  size_t needed = 0;
  OK(retile_layout_format(l, NULL, 0, &needed));
  SAME(needed, length + 1);
  for (size_t capacity = 0; capacity <= length; capacity++) {
    char buffer[64];
    memset(buffer, '#', sizeof buffer);
    needed = 0;
    FAILS(RETILE_ERR_BUFFER, "capacity is ", retile_layout_format(l, buffer, capacity, &needed));
    SAME(needed, length + 1);
    if (capacity > 0) {
      SAME(memcmp(buffer, text, capacity - 1), 0);
      SAME(buffer[capacity - 1], '\0');
    }
    SAME(buffer[capacity], '#');
  }
  char buffer[64];
  memset(buffer, '#', sizeof buffer);
  OK(retile_layout_format(l, buffer, length + 1, &needed));
  SAME_TEXT(buffer, text);
  SAME(buffer[length + 1], '#');
  OK(retile_layout_format(l, buffer, sizeof buffer, NULL));
  SAME_TEXT(buffer, text);
  FAILS(RETILE_ERR_INVALID, "layout is NULL", retile_layout_format(NULL, buffer, sizeof buffer, &needed));
  FAILS(RETILE_ERR_INVALID, "buffer is NULL", retile_layout_format(l, NULL, 64, &needed));
  FAILS(RETILE_ERR_INVALID, "both NULL", retile_layout_format(l, NULL, 0, NULL));
  retile_layout_free(l);
}

int main(void) {
  last_error(); /* First, while there is none. */
  names();
  parse();
  strided();
  byte_strided();
  blocked();
  views();
  answers();
  format();
  return finish();
}
