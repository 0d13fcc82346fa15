/* Wrong arguments of a run, one at a time: refused, and nothing is written anywhere. And arrays that lie wrong. */
#include "guard.h"

/* Source, destination and values in one piece of memory, so that what is written where nobody asked shows. */
enum { ROWS = 4, C = 6, N = ROWS * C, SPACE = 64, TOTAL = SPACE + 4 * N + SPACE + 4 * N };

static unsigned char *arena, before[TOTAL];
static unsigned char *src, *dst;
static float scales[2][C];
static int32_t zeros[2][C];
static retile_kernel *k;

/* The call fails with a message, and all bytes are what they were. */
#define REFUSED(status, part, call) \
  do { \
    FAILS(status, part, call); \
    if (memcmp(arena, before, TOTAL) != 0) REPORT("%s wrote", #call), memcpy(arena, before, TOTAL); \
  } while (0)

static retile_args good(void) {
  const retile_args args = {sizeof args, scales[0], scales[1], zeros[0], zeros[1], C, C, C, C};
  return args;
}

static retile_status checked(const retile_args *args) { return retile_kernel_run_checked(k, src, 4 * N, dst, N, args); }

/* The same by all three ways in; counts are for the checked one alone. */
#define REFUSED_BY_ALL(status, part, s, d, args) \
  do { \
    REFUSED(status, part, retile_kernel_run_checked(k, s, 4 * N, d, N, args)); \
    REFUSED(status, part, retile_kernel_run(k, s, d, args)); \
    REFUSED(status, part, retile_kernel_run_task(k, 1, 2, s, d, args)); \
  } while (0)

static void pointers(void) {
  const retile_args args = good();
  REFUSED(RETILE_ERR_INVALID, "kernel is NULL", retile_kernel_run_checked(NULL, src, 4 * N, dst, N, &args));
  REFUSED(RETILE_ERR_INVALID, "kernel is NULL", retile_kernel_run(NULL, src, dst, &args));
  REFUSED(RETILE_ERR_INVALID, "kernel is NULL", retile_kernel_run_task(NULL, 0, 1, src, dst, &args));
  REFUSED_BY_ALL(RETILE_ERR_INVALID, "src is NULL", NULL, dst, &args);
  REFUSED_BY_ALL(RETILE_ERR_INVALID, "dst is NULL", src, NULL, &args);
  REFUSED_BY_ALL(RETILE_ERR_INVALID, "args is NULL", src, dst, NULL);
  for (int off = 1; off < 4; off++) REFUSED_BY_ALL(RETILE_ERR_BUFFER, "src is at", src + off, dst, &args);
  REFUSED(RETILE_ERR_INVALID, "task is 2, of a task_count of 2", retile_kernel_run_task(k, 2, 2, src, dst, &args));
  REFUSED(RETILE_ERR_INVALID, "task is 0, of a task_count of 0", retile_kernel_run_task(k, 0, 0, src, dst, &args));
  REFUSED(RETILE_ERR_INVALID, "task is 18446744073709551615", retile_kernel_run_task(k, SIZE_MAX, SIZE_MAX, src, dst, &args));
}

static void buffers(void) {
  const retile_args args = good();
  const size_t less[] = {4 * N - 1, 4 * N - 4, 1, 0};
  for (int i = 0; i < 4; i++) {
    REFUSED(RETILE_ERR_BUFFER, "source has", retile_kernel_run_checked(k, src, less[i], dst, N, &args));
    REFUSED(RETILE_ERR_BUFFER, "destination has", retile_kernel_run_checked(k, src, 4 * N, dst, less[i] / 4, &args));
  }
  REFUSED(RETILE_ERR_BUFFER, "destination has", retile_kernel_run_checked(k, src, 4 * N, dst, N - 1, &args));
  /* The same buffer, the destination within the source, and by one byte from either side. */
  const int overlapping[] = {0, 1, 2 * N, 3 * N, 4 * N - 1, -1, -N / 2, 1 - N};
  for (int i = 0; i < 8; i++)
    REFUSED(RETILE_ERR_BUFFER, "overlap", retile_kernel_run_checked(k, src, 4 * N, src + overlapping[i], N, &args));
  const int apart[] = {4 * N, -N};
  for (int i = 0; i < 2; i++) {
    OK(retile_kernel_run_checked(k, src, 4 * N, src + apart[i], N, &args));
    CHECK(memcmp(src, before + (src - arena), 4 * N) == 0);
    memcpy(arena, before, TOTAL);
  }
}

static void values(void) {
  static const char *const names[] = {"src_scale", "dst_scale", "src_zero_point", "dst_zero_point"};
  static const size_t lists[] = {offsetof(retile_args, src_scale), offsetof(retile_args, dst_scale),
                                 offsetof(retile_args, src_zero_point), offsetof(retile_args, dst_zero_point)};
  static const size_t counts[] = {offsetof(retile_args, src_scale_count), offsetof(retile_args, dst_scale_count),
                                  offsetof(retile_args, src_zero_point_count), offsetof(retile_args, dst_zero_point_count)};
  for (int list = 0; list < 4; list++) {
    char part[64];
    retile_args wrong = good();
    const char *pointer = NULL, *right;
    memcpy(&right, (char *)&wrong + lists[list], sizeof right);
    memcpy((char *)&wrong + lists[list], &pointer, sizeof pointer);
    snprintf(part, sizeof part, "args.%s is NULL, 6 values", names[list]);
    REFUSED_BY_ALL(RETILE_ERR_INVALID, part, src, dst, &wrong);
    snprintf(part, sizeof part, "args.%s is at", names[list]);
    for (int off = 1; off < 4; off++) {
      pointer = right + off;
      memcpy((char *)&wrong + lists[list], &pointer, sizeof pointer);
      REFUSED_BY_ALL(RETILE_ERR_BUFFER, part, src, dst, &wrong);
    }
    const size_t wrong_counts[] = {0, 1, C - 1, C + 1, SIZE_MAX};
    for (int i = 0; i < 5; i++) {
      wrong = good();
      memcpy((char *)&wrong + counts[list], &wrong_counts[i], sizeof(size_t));
      snprintf(part, sizeof part, "args.%s_count is %zu, 6 are needed", names[list], wrong_counts[i]);
      REFUSED(RETILE_ERR_BUFFER, part, checked(&wrong));
    }
  }
}

static void sizes(void) {
  for (size_t size = 0; size < sizeof(retile_args); size++) {
    /* As long as it says and no longer. */
    retile_args args = good();
    args.struct_size = size;
    const size_t there = size < sizeof size ? sizeof size : size;
    const retile_args *cut = (const retile_args *)(const void *)memcpy(guarded(there, 0), &args, there);
    /* The first pointer is missed before the first count. */
    const retile_status expected = size < offsetof(retile_args, dst_scale) ? RETILE_ERR_INVALID : RETILE_ERR_BUFFER;
    REFUSED(expected, "args.", checked(cut));
    if (size < offsetof(retile_args, src_scale_count)) {
      REFUSED(RETILE_ERR_INVALID, "args.", retile_kernel_run(k, src, dst, cut));
    } else { /* All that an unchecked run reads. */
      OK(retile_kernel_run(k, src, dst, cut));
      memcpy(arena, before, TOTAL);
    }
  }
}

/* A wider destination, whose alignment counts. */
static void destinations(void) {
  retile_kernel_free(k);
  k = kernel("s8:ab:4x6", "f32:ba:4x6", NULL);
  unsigned char *const narrow = arena, *const wide = arena + N + SPACE;
  for (int off = 1; off < 4; off++) {
    REFUSED(RETILE_ERR_BUFFER, "dst is at", retile_kernel_run_checked(k, narrow, N, wide + off, 4 * N, NULL));
    REFUSED(RETILE_ERR_BUFFER, "dst is at", retile_kernel_run(k, narrow, wide + off, NULL));
    REFUSED(RETILE_ERR_BUFFER, "dst is at", retile_kernel_run_task(k, 0, 2, narrow, wide + off, NULL));
  }
  REFUSED(RETILE_ERR_BUFFER, "source has 23 bytes", retile_kernel_run_checked(k, narrow, N - 1, wide, 4 * N, NULL));
  REFUSED(RETILE_ERR_BUFFER, "destination has 95 bytes", retile_kernel_run_checked(k, narrow, N, wide, 4 * N - 1, NULL));
  REFUSED(RETILE_ERR_BUFFER, "overlap", retile_kernel_run_checked(k, wide, N, wide, 4 * N, NULL));
  REFUSED(RETILE_ERR_BUFFER, "overlap", retile_kernel_run_checked(k, wide + 4 * N - 1, N, wide, 4 * N, NULL));
  REFUSED(RETILE_ERR_BUFFER, "overlap", retile_kernel_run_checked(k, wide - N + 1, N, wide, 4 * N, NULL));
  /* Values that nobody asked for are none too many for an unchecked run alone. */
  const retile_args args = good();
  REFUSED(RETILE_ERR_BUFFER, "args.src_scale_count is 6, 0 are", retile_kernel_run_checked(k, narrow, N, wide, 4 * N, &args));
  OK(retile_kernel_run_checked(k, narrow, N, wide, 4 * N, NULL));
}

/* Arrays of shapes off their alignment. */
static void shapes(void) {
  static int64_t memory[9] = {2, 3, 2, 3, 2, 3, 2, 3, 2};
  const void *const off = (const char *)memory + 1;
  const int64_t *const none = memory, *const odd = off, dims[] = {2, 3}, block[] = {4}, which[] = {1}, padded[] = {2, 4};
  retile_layout *l = NULL, *whole = layout("f32:ab:2x3");
  size_t at = 7;
  int64_t offset = 7;
  REFUSES(RETILE_ERR_BUFFER, "dims is at", l, retile_layout_strided("f32", 2, odd, dims, 0, &l));
  REFUSES(RETILE_ERR_BUFFER, "strides is at", l, retile_layout_strided("f32", 2, dims, odd, 0, &l));
  REFUSES(RETILE_ERR_BUFFER, "byte_strides is at", l, retile_layout_byte_strided("f32", 2, dims, odd, &at, &l));
  REFUSES(RETILE_ERR_BUFFER, "padded_dims is at", l, retile_layout_blocked("f32", 2, dims, odd, none, 1, block, which, 0, &l));
  REFUSES(RETILE_ERR_BUFFER, "inner_sizes is at", l, retile_layout_blocked("f32", 2, dims, padded, none, 1, odd, which, 0, &l));
  REFUSES(RETILE_ERR_BUFFER, "inner_dims is at", l, retile_layout_blocked("f32", 2, dims, padded, none, 1, block, odd, 0, &l));
  REFUSES(RETILE_ERR_BUFFER, "axes is at", l, retile_layout_permute(whole, off, &l));
  REFUSES(RETILE_ERR_BUFFER, "offsets is at", l, retile_layout_region(whole, odd, dims, &l));
  REFUSES(RETILE_ERR_BUFFER, "dims is at", l, retile_layout_region(whole, (const int64_t[]){0, 0}, odd, &l));
  FAILS(RETILE_ERR_BUFFER, "coords is at", retile_layout_offset(whole, odd, &offset));
  CHECK(at == 7 && offset == 7);
  retile_layout_free(whole);
}

int main(void) {
  retile_attr *attr = NULL;
  OK(retile_attr_new(&attr));
  for (int side = RETILE_SRC; side <= RETILE_DST; side++) {
    OK(retile_attr_set_scale(attr, side, 2));
    OK(retile_attr_set_zero_point(attr, side, 2));
  }
  k = kernel("f32:ab:4x6", "s8:ba:4x6", attr);
  retile_attr_free(attr);
  arena = guarded(TOTAL, 0x5A);
  src = arena + SPACE, dst = arena + SPACE + 4 * N + SPACE;
  for (int i = 0; i < C; i++) scales[0][i] = scales[1][i] = (float)(i + 1), zeros[0][i] = zeros[1][i] = i;
  for (int i = 0; i < N; i++) {
    const float value = (float)i;
    memcpy(src + 4 * i, &value, sizeof value);
  }
  memcpy(before, arena, TOTAL);
  const retile_args args = good();
  OK(checked(&args));
  CHECK(memcmp(arena, before, TOTAL) != 0);
  memcpy(arena, before, TOTAL);
  pointers();
  buffers();
  values();
  sizes();
  destinations();
  shapes();
  retile_kernel_free(k);
  return finish();
}
