/* Every retile_kernel_* but _explain: results against loops written here, and what is refused. */
#include "guard.h"

/* 17 channels into blocks of 16, by every way in. */
static void blocks(void) {
  enum { N = 2, C = 17, H = 3, W = 5, BLOCKS = 2, SRC = N * C * H * W, DST = N * BLOCKS * H * W * 16 };
  retile_kernel *k = kernel("f32:nchw:2x17x3x5", "f32:nChw16c:2x17x3x5", NULL);
  size_t src_bytes = 0, dst_bytes = 0, s8s8 = 0, asymmetric = 0;
  OK(retile_kernel_sizes(k, &src_bytes, &dst_bytes, &s8s8, &asymmetric));
  SAME(src_bytes, 4 * SRC);
  SAME(dst_bytes, 4 * DST);
  CHECK(s8s8 == SIZE_MAX && asymmetric == SIZE_MAX);
  FAILS(RETILE_ERR_INVALID, "kernel is NULL", retile_kernel_sizes(NULL, &src_bytes, &dst_bytes, &s8s8, &asymmetric));
  FAILS(RETILE_ERR_INVALID, "src_bytes is NULL", retile_kernel_sizes(k, NULL, &dst_bytes, &s8s8, &asymmetric));
  FAILS(RETILE_ERR_INVALID, "dst_bytes is NULL", retile_kernel_sizes(k, &src_bytes, NULL, &s8s8, &asymmetric));
  FAILS(RETILE_ERR_INVALID, "s8s8_offset is NULL", retile_kernel_sizes(k, &src_bytes, &dst_bytes, NULL, &asymmetric));
  FAILS(RETILE_ERR_INVALID, "asymmetric_offset is NULL", retile_kernel_sizes(k, &src_bytes, &dst_bytes, &s8s8, NULL));

  float *src = (float *)guarded(sizeof(float) * SRC, 0), *dst = (float *)guarded(sizeof(float) * DST, 0xAB);
  for (int i = 0; i < SRC; i++) src[i] = (float)(i + 1);
  static float expected[DST]; /* The tail is zero. */
  for (int n = 0; n < N; n++)
    for (int c = 0; c < C; c++)
      for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
          expected[(((n * BLOCKS + c / 16) * H + y) * W + x) * 16 + c % 16] = src[((n * C + c) * H + y) * W + x];

  for (int way = 0; way < 4; way++) {
    memset(dst, 0xAB, sizeof expected);
    if (way == 0) OK(retile_kernel_run(k, src, dst, NULL));
    if (way == 1) OK(retile_kernel_run_checked(k, src, src_bytes, dst, dst_bytes, NULL));
    if (way == 2) OK(retile_kernel_run_task(k, 0, 1, src, dst, NULL));
    if (way == 3)
      for (size_t task = 3; task-- > 0;) OK(retile_kernel_run_task(k, task, 3, src, dst, NULL));
    SAME(memcmp(dst, expected, sizeof expected), 0);
  }

  memset(dst, 0xAB, sizeof expected);
  unsigned char *s = (unsigned char *)src, *d = (unsigned char *)dst;
  FAILS(RETILE_ERR_INVALID, "kernel is NULL", retile_kernel_run(NULL, s, d, NULL));
  FAILS(RETILE_ERR_INVALID, "src is NULL, 2040 bytes", retile_kernel_run(k, NULL, d, NULL));
  FAILS(RETILE_ERR_INVALID, "dst is NULL, 3840 bytes", retile_kernel_run(k, s, NULL, NULL));
  FAILS(RETILE_ERR_BUFFER, "src is at", retile_kernel_run(k, s + 1, d, NULL));
  FAILS(RETILE_ERR_BUFFER, "dst is at", retile_kernel_run(k, s, d + 2, NULL));
  FAILS(RETILE_ERR_INVALID, "kernel is NULL", retile_kernel_run_checked(NULL, s, src_bytes, d, dst_bytes, NULL));
  FAILS(RETILE_ERR_INVALID, "src is NULL", retile_kernel_run_checked(k, NULL, src_bytes, d, dst_bytes, NULL));
  FAILS(RETILE_ERR_INVALID, "dst is NULL", retile_kernel_run_checked(k, s, src_bytes, NULL, dst_bytes, NULL));
  FAILS(RETILE_ERR_BUFFER, "src is at", retile_kernel_run_checked(k, s + 1, src_bytes, d, dst_bytes, NULL));
  FAILS(RETILE_ERR_BUFFER, "dst is at", retile_kernel_run_checked(k, s, src_bytes, d + 2, dst_bytes, NULL));
  FAILS(RETILE_ERR_BUFFER, "source has 2039 bytes", retile_kernel_run_checked(k, s, src_bytes - 1, d, dst_bytes, NULL));
  FAILS(RETILE_ERR_BUFFER, "destination has 3839 bytes", retile_kernel_run_checked(k, s, src_bytes, d, dst_bytes - 1, NULL));
  FAILS(RETILE_ERR_INVALID, "kernel is NULL", retile_kernel_run_task(NULL, 0, 1, s, d, NULL));
  FAILS(RETILE_ERR_INVALID, "task_count of 0", retile_kernel_run_task(k, 0, 0, s, d, NULL));
  FAILS(RETILE_ERR_INVALID, "task is 2", retile_kernel_run_task(k, 2, 2, s, d, NULL));
  FAILS(RETILE_ERR_INVALID, "src is NULL", retile_kernel_run_task(k, 0, 1, NULL, d, NULL));
  FAILS(RETILE_ERR_INVALID, "dst is NULL", retile_kernel_run_task(k, 1, 2, s, NULL, NULL));
  FAILS(RETILE_ERR_BUFFER, "src is at", retile_kernel_run_task(k, 0, 1, s + 2, d, NULL));
  CHECK(all(d, dst_bytes, 0xAB));

  SAME(retile_kernel_task_count(k, 0), 1);
  SAME(retile_kernel_task_count(k, 8), 1);
  SAME(retile_kernel_task_count(NULL, 8), 0);
  CHECK(strcmp(retile_kernel_tier(k), "portable") == 0 || strstr(retile_kernel_tier(k), "avx") != NULL);
  SAME_TEXT(retile_kernel_tier(NULL), "");
  retile_kernel_free(k);
  retile_kernel_free(NULL);
}

static void made(void) {
  retile_layout *a = layout("f32:nchw:1x2x3x4"), *b = layout("f32:nhwc:1x2x3x4"), *other = layout("f32:nhwc:1x2x3x5");
  retile_layout *overlapping = layout("f32:strides(24,12,1,1):1x2x3x4"), *s16 = layout("s16:nchw:1x2x3x4");
  retile_attr *attr = NULL;
  retile_kernel *k = NULL;
  OK(retile_attr_new(&attr));
  OK(retile_kernel_new(a, b, attr, &k));
  retile_kernel_free(k);
  OK(retile_kernel_new(overlapping, b, NULL, &k));
  retile_kernel_free(k);
  REFUSES(RETILE_ERR_INVALID, "src is NULL", k, retile_kernel_new(NULL, b, NULL, &k));
  REFUSES(RETILE_ERR_INVALID, "dst is NULL", k, retile_kernel_new(a, NULL, NULL, &k));
  FAILS(RETILE_ERR_INVALID, "out is NULL", retile_kernel_new(a, b, NULL, NULL));
  REFUSES(RETILE_ERR_INVALID, "1x2x3x5", k, retile_kernel_new(a, other, NULL, &k));
  REFUSES(RETILE_ERR_INVALID, "overlap itself", k, retile_kernel_new(a, overlapping, NULL, &k));
  REFUSES(RETILE_ERR_UNSUPPORTED, "from f32 to s16", k, retile_kernel_new(a, s16, NULL, &k));
  OK(retile_attr_set_scale(attr, RETILE_SRC, 1u << 4));
  REFUSES(RETILE_ERR_INVALID, "mask 16", k, retile_kernel_new(a, b, attr, &k));
  OK(retile_attr_set_scale(attr, RETILE_SRC, 0));
  REFUSES(RETILE_ERR_UNSUPPORTED, "arithmetic", k, retile_kernel_new(s16, s16, attr, &k));
  OK(retile_attr_set_compensation(attr, RETILE_COMP_S8S8, 1));
  REFUSES(RETILE_ERR_INVALID, "not s8", k, retile_kernel_new(a, b, attr, &k));
  retile_attr_free(attr);
  retile_layout_free(a);
  retile_layout_free(b);
  retile_layout_free(other);
  retile_layout_free(overlapping);
  retile_layout_free(s16);

  /* 2^62 values for the empty tensor cannot be. */
  OK(retile_attr_new(&attr));
  OK(retile_attr_set_scale(attr, RETILE_SRC, 2));
  retile_layout *wide = layout("s8:ab:0x4611686018427387904");
  REFUSES(RETILE_ERR_INVALID, "4611686018427387904 run-time values", k, retile_kernel_new(wide, wide, attr, &k));
  retile_layout_free(wide);
  retile_attr_free(attr);
}

static void empty(void) {
  retile_kernel *k = kernel("f32:nchw:2x0x3x5", "f32:nChw16c:2x0x3x5", NULL);
  size_t src_bytes = 1, dst_bytes = 1, none = 0;
  OK(retile_kernel_sizes(k, &src_bytes, &dst_bytes, &none, &none)); /* One variable twice is fine. */
  CHECK(src_bytes == 0 && dst_bytes == 0 && none == SIZE_MAX);
  OK(retile_kernel_run(k, NULL, NULL, NULL));
  OK(retile_kernel_run_checked(k, NULL, 0, NULL, 0, NULL));
  OK(retile_kernel_run_task(k, 1, 2, NULL, NULL, NULL));
  retile_kernel_free(k);
}

/* Weights with both arrays behind the data, which are s32 over the padded output channels. */
static void compensation(void) {
  enum { O = 17, I = 5, K = 9, PADDED_O = 32, PADDED_I = 16, DATA = PADDED_O * PADDED_I * K };
  retile_attr *attr = NULL;
  OK(retile_attr_new(&attr));
  OK(retile_attr_set_compensation(attr, RETILE_COMP_ASYMMETRIC, 1));
  OK(retile_attr_set_compensation(attr, RETILE_COMP_S8S8, 1));
  retile_kernel *k = kernel("s8:oihw:17x5x3x3", "s8:OIhw4i16o4i:17x5x3x3", attr);
  size_t src_bytes = 0, dst_bytes = 0, s8s8 = 0, asymmetric = 0;
  OK(retile_kernel_sizes(k, &src_bytes, &dst_bytes, &s8s8, &asymmetric));
  SAME(src_bytes, O * I * K);
  SAME(s8s8, DATA);
  SAME(asymmetric, DATA + 4 * PADDED_O);
  SAME(dst_bytes, DATA + 8 * PADDED_O);
  int8_t *src = (int8_t *)guarded(src_bytes, 0), *dst = (int8_t *)guarded(dst_bytes, 0xAB);
  uint64_t seed = 7;
  static int8_t expected[DATA];
  int32_t sums[PADDED_O] = {0}, found[2][PADDED_O];
  for (int o = 0; o < O; o++)
    for (int i = 0; i < I; i++)
      for (int s = 0; s < K; s++) {
        const int8_t value = (int8_t)(draw(&seed) % 256 - 128);
        src[(o * I + i) * K + s] = value;
        expected[((o / 16 * (PADDED_I / 16) + i / 16) * K + s) * 256 + i % 16 / 4 * 64 + o % 16 * 4 + i % 4] = value;
        sums[o] += value;
      }
  OK(retile_kernel_run_checked(k, src, src_bytes, dst, dst_bytes, NULL));
  SAME(memcmp(dst, expected, DATA), 0);
  memcpy(found, dst + DATA, sizeof found);
  for (int o = 0; o < PADDED_O; o++) {
    SAME(found[0][o], -128 * sums[o]);
    SAME(found[1][o], -sums[o]);
  }
  memset(dst, 0xAB, dst_bytes);
  FAILS(RETILE_ERR_BUFFER, "destination has", retile_kernel_run_checked(k, src, src_bytes, dst, dst_bytes - 1, NULL));
  /* The source where an array goes. */
  FAILS(RETILE_ERR_BUFFER, "overlap", retile_kernel_run_checked(k, dst + dst_bytes - 1, src_bytes, dst, dst_bytes, NULL));
  CHECK(all((unsigned char *)dst, dst_bytes, 0xAB));
  retile_kernel_free(k);
  retile_attr_free(attr);

  /* Three bytes of data: the array starts at 4. */
  OK(retile_attr_new(&attr));
  OK(retile_attr_set_compensation(attr, RETILE_COMP_ASYMMETRIC, 0));
  k = kernel("s8:a:3", "s8:a:3", attr);
  OK(retile_kernel_sizes(k, &src_bytes, &dst_bytes, &s8s8, &asymmetric));
  CHECK(dst_bytes == 8 && s8s8 == SIZE_MAX && asymmetric == 4);
  retile_kernel_free(k);
  retile_attr_free(attr);
}

/* f32 to s8 with a scale for each channel and a zero point, plus what was there. */
static void arithmetic(void) {
  enum { ROWS = 4, C = 3, ALL = ROWS * C };
  const float scales[C] = {0.5f, 2, 4}, one[1] = {1};
  const int32_t zero[1] = {10};
  retile_attr *attr = NULL;
  OK(retile_attr_new(&attr));
  OK(retile_attr_set_scale(attr, RETILE_SRC, 2));
  OK(retile_attr_set_scale(attr, RETILE_DST, 0));
  OK(retile_attr_set_zero_point(attr, RETILE_DST, 0));
  OK(retile_attr_set_sum(attr, 2));
  retile_kernel *k = kernel("f32:ab:4x3", "s8:ba:4x3", attr);
  OK(retile_attr_set_zero_point(attr, RETILE_SRC, 0)); /* The kernel has its own copy. */
  retile_attr_free(attr);
  float src[ALL];
  int8_t dst[ALL], expected[ALL];
  for (int i = 0; i < ALL; i++) src[i] = (float)(i * 4 - 20);
  for (int r = 0; r < ROWS; r++)
    for (int c = 0; c < C; c++) {
      const float t = scales[c] * src[r * C + c] + 2 * (float)(c + 1) + 10;
      expected[c * ROWS + r] = (int8_t)(t > 127 ? 127 : t < -128 ? -128 : (int)t);
    }
#define RUN(run, args) (dst[0] = dst[1] = dst[2] = dst[3] = 1, dst[4] = dst[5] = dst[6] = dst[7] = 2, \
                        dst[8] = dst[9] = dst[10] = dst[11] = 3, (run) ? retile_kernel_run(k, src, dst, args) \
                        : retile_kernel_run_checked(k, src, sizeof src, dst, sizeof dst, args))
  for (int unchecked = 0; unchecked < 2; unchecked++) {
    /* Counts are for run_checked alone. */
    const size_t count = unchecked ? 99 : C, single = unchecked ? 99 : 1;
    const retile_args args = {sizeof args, scales, one, NULL, zero, count, single, 0, single};
    OK(RUN(unchecked, &args));
    SAME(memcmp(dst, expected, sizeof expected), 0);

    FAILS(RETILE_ERR_INVALID, "args is NULL, 3 values of src_scale", RUN(unchecked, NULL));
    FAILS(RETILE_ERR_INVALID, "args is NULL", retile_kernel_run_task(k, 1, 2, src, dst, NULL));
    retile_args wrong = args;
    wrong.struct_size = 0;
    FAILS(RETILE_ERR_INVALID, "struct_size is 0", RUN(unchecked, &wrong));
    wrong.struct_size = sizeof(size_t) - 1;
    FAILS(RETILE_ERR_INVALID, "struct_size is 7", RUN(unchecked, &wrong));
    wrong = args;
    wrong.src_scale = NULL;
    FAILS(RETILE_ERR_INVALID, "args.src_scale is NULL", RUN(unchecked, &wrong));
    wrong = args;
    wrong.dst_scale = NULL;
    FAILS(RETILE_ERR_INVALID, "args.dst_scale is NULL", RUN(unchecked, &wrong));
    wrong = args;
    wrong.dst_zero_point = NULL;
    FAILS(RETILE_ERR_INVALID, "args.dst_zero_point is NULL", RUN(unchecked, &wrong));
    wrong = args;
    wrong.src_scale = (const float *)(const void *)((const char *)scales + 1);
    FAILS(RETILE_ERR_BUFFER, "args.src_scale is at", RUN(unchecked, &wrong));
    wrong = args;
    wrong.src_zero_point = zero; /* Not asked for, so not looked at. */
    OK(RUN(unchecked, &wrong));

    /* A struct that ends early: within a field, that field is missing too. */
    wrong = args;
    wrong.struct_size = sizeof(size_t);
    FAILS(RETILE_ERR_INVALID, "args.src_scale is NULL", RUN(unchecked, &wrong));
    wrong.struct_size = offsetof(retile_args, dst_zero_point) + 1;
    if (unchecked) FAILS(RETILE_ERR_INVALID, "args.dst_zero_point is NULL", RUN(1, &wrong));
    else FAILS(RETILE_ERR_BUFFER, "src_scale_count is 0, 3 are", RUN(0, &wrong));
    wrong.struct_size = offsetof(retile_args, src_scale_count);
    unsigned char *cut = guarded(wrong.struct_size, 0);
    memcpy(cut, &wrong, wrong.struct_size);
    if (unchecked) OK(RUN(1, (const retile_args *)(const void *)cut));
    else FAILS(RETILE_ERR_BUFFER, "src_scale_count is 0, 3 are", RUN(0, (const retile_args *)(const void *)cut));

    /* One of a later version. */
    struct { retile_args args; void *more[4]; } later = {args, {&later, &later, &later, &later}};
    later.args.struct_size = sizeof later;
    OK(RUN(unchecked, &later.args));
  }
  /* Whatever the tasks, each element once: what was there is added once. */
  const retile_args args = {sizeof args, scales, one, NULL, zero, 0, 0, 0, 0};
  for (int i = 0; i < ALL; i++) dst[i] = (int8_t)(i / ROWS + 1);
  for (size_t task = 0; task < 3; task++) OK(retile_kernel_run_task(k, task, 3, src, dst, &args));
  SAME(memcmp(dst, expected, sizeof expected), 0);

  retile_args wrong = {sizeof wrong, scales, one, NULL, zero, C - 1, 1, 0, 1};
  memset(dst, 0x5A, sizeof dst);
  FAILS(RETILE_ERR_BUFFER, "src_scale_count is 2, 3 are", retile_kernel_run_checked(k, src, sizeof src, dst, sizeof dst, &wrong));
  wrong.src_scale_count = C + 1;
  FAILS(RETILE_ERR_BUFFER, "src_scale_count is 4, 3 are", retile_kernel_run_checked(k, src, sizeof src, dst, sizeof dst, &wrong));
  wrong.src_scale_count = C;
  wrong.src_zero_point_count = 1;
  FAILS(RETILE_ERR_BUFFER, "src_zero_point_count is 1, 0 are", retile_kernel_run_checked(k, src, sizeof src, dst, sizeof dst, &wrong));
  CHECK(all((unsigned char *)dst, sizeof dst, 0x5A));
  retile_kernel_free(k);
}

static void overlap(void) {
  retile_kernel *k = kernel("u8:a:16", "u8:a:16", NULL);
  unsigned char memory[64];
  for (int i = 0; i < 64; i++) memory[i] = (unsigned char)i;
  FAILS(RETILE_ERR_BUFFER, "overlap", retile_kernel_run_checked(k, memory, 16, memory, 16, NULL));
  FAILS(RETILE_ERR_BUFFER, "overlap", retile_kernel_run_checked(k, memory, 16, memory + 15, 16, NULL));
  FAILS(RETILE_ERR_BUFFER, "overlap", retile_kernel_run_checked(k, memory + 15, 16, memory, 16, NULL));
  for (int i = 0; i < 64; i++) SAME(memory[i], i);
  OK(retile_kernel_run_checked(k, memory, 16, memory + 16, 16, NULL));
  OK(retile_kernel_run_checked(k, memory + 32, 16, memory + 16, 16, NULL));
  for (int i = 0; i < 64; i++) SAME(memory[i], i / 16 == 1 ? i + 16 : i);
  retile_kernel_free(k);

  /* The left half of a matrix to its right half: no byte twice, but spans that overlap. */
  k = kernel("f32:ab:4x2:in=4x4:at=0,0", "f32:ab:4x2:in=4x4:at=0,2", NULL);
  float matrix[16];
  for (int i = 0; i < 16; i++) matrix[i] = (float)i;
  FAILS(RETILE_ERR_BUFFER, "overlap", retile_kernel_run_checked(k, matrix, sizeof matrix, matrix, sizeof matrix, NULL));
  OK(retile_kernel_run(k, matrix, matrix, NULL));
  for (int i = 0; i < 16; i++) SAME(matrix[i], i % 4 < 2 ? i : i - 2);
  retile_kernel_free(k);

  /* Spans count from the first byte: the upper half of a buffer to its lower half. */
  k = kernel("f32:a:8:in=16:at=8", "f32:a:8:in=16:at=0", NULL);
  OK(retile_kernel_run_checked(k, matrix, sizeof matrix, matrix, sizeof matrix, NULL));
  for (int i = 0; i < 8; i++) SAME(matrix[i], matrix[i + 8]);
  retile_kernel_free(k);
}

int main(void) {
  blocks();
  made();
  empty();
  compensation();
  arithmetic();
  overlap();
  return finish();
}
