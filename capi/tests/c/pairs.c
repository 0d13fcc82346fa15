/* 1000 random pairs against loops written here: types, strides of any sign, blocks, permutations, regions, arithmetic, on
 * all tiers. Where elements lie is worked out here too: nothing of the library's says what is expected. RETILE_CASES and
 * RETILE_SEED draw more, and others. */
#include "guard.h"
#include "scalar.h"

enum { RANK = 5, EXTENT = 576, LARGEST = 1 << 21, VALUES = 8192 };

/* A layout, and what we think of it: an element's place is the sum over its dims. */
typedef struct {
  retile_layout *handle;
  int rank, type;
  int64_t n[RANK];             /* elements */
  int64_t tail[RANK];          /* what blocks add behind them, and is zero */
  int64_t place[RANK][EXTENT]; /* what each index of a dim adds to the offset, in elements */
  int64_t base;
} shape;

static uint64_t seed = 1;
static int64_t below(int64_t n) { return (int64_t)(draw(&seed) % (uint32_t)n); }
static int once_in(int64_t n) { return below(n) == 0; }

static void shuffled(size_t *order, int rank) {
  for (int d = 0; d < rank; d++) {
    const size_t other = (size_t)below(d + 1);
    order[d] = order[other];
    order[other] = (size_t)d;
  }
}

/* Strides in elements or bytes, dims in any order, gaps between them; in sources elements may lie on one another. */
static void strided(shape *s, int is_source) {
  const char *dtype = TYPE[s->type].name;
  const int64_t size = (int64_t)TYPE[s->type].size;
  int64_t strides[RANK], bytes[RANK], running = 1 + below(2);
  size_t order[RANK], before = 0;
  shuffled(order, s->rank);
  s->base = 0;
  for (int i = 0; i < s->rank; i++) {
    const size_t d = order[i];
    strides[d] = is_source && once_in(8) ? below(2) : running;
    running = running * s->n[d] + (once_in(2) ? 0 : below(5));
    if (once_in(5)) strides[d] = -strides[d];
    if (strides[d] < 0) s->base -= strides[d] * (s->n[d] - 1);
  }
  for (int d = 0; d < s->rank; d++) {
    s->tail[d] = 0;
    bytes[d] = strides[d] * size;
    for (int64_t i = 0; i < s->n[d]; i++) s->place[d][i] = i * strides[d];
  }
  if (once_in(3)) {
    OK(retile_layout_byte_strided(dtype, (size_t)s->rank, s->n, bytes, &before, &s->handle));
    SAME(before, s->base * size);
  } else {
    s->base += below(20);
    OK(retile_layout_strided(dtype, (size_t)s->rank, s->n, strides, s->base, &s->handle));
  }
}

/* oneDNN's descriptor: one to three inner blocks, outer dims in any order, sometimes with gaps. */
static void blocked(shape *s) {
  static const int64_t sizes[] = {2, 4, 8, 16, 3, 5, 12};
  int64_t padded[RANK], strides[RANK], block[RANK], inner[3], dims[3], running = 1;
  const int most = 1 + (int)below(3);
  int count = 0;
  size_t order[RANK];
  for (int d = 0; d < s->rank; d++) block[d] = 1;
  while (count < most) {
    const int64_t size = sizes[below(s->rank > 3 ? 2 : 7)], d = below(s->rank);
    if (block[d] * size > 256) break;
    inner[count] = size;
    dims[count++] = d;
    block[d] *= size;
    running *= size;
  }
  shuffled(order, s->rank);
  for (int i = 0; i < s->rank; i++) {
    const size_t d = order[i];
    padded[d] = (s->n[d] + block[d] - 1) / block[d] * block[d];
    s->tail[d] = padded[d] - s->n[d];
    strides[d] = running;
    running = running * (padded[d] / block[d]) + (once_in(3) ? below(9) : 0);
  }
  for (int d = 0; d < s->rank; d++)
    for (int64_t i = 0; i < padded[d]; i++) {
      int64_t rest = i, each = 1, place = 0;
      for (int b = count; b-- > 0; each *= inner[b])
        if (dims[b] == d) {
          place += rest % inner[b] * each;
          rest /= inner[b];
        }
      s->place[d][i] = place + rest * strides[d];
    }
  s->base = once_in(2) ? 0 : below(40);
  OK(retile_layout_blocked(TYPE[s->type].name, (size_t)s->rank, s->n, padded, strides, (size_t)count, inner, dims, s->base, &s->handle));
}

/* The handle gives way to what was made of it. */
static void becomes(shape *s, retile_layout *made) {
  retile_layout_free(s->handle);
  s->handle = made;
}

/* A layout of some dims: of a larger tensor in another order, then the part, then the order. */
static shape drawn(int type, int rank, const int64_t *n, int is_source) {
  shape s = {.rank = rank, .type = type}, turned;
  const int is_region = once_in(3);
  int64_t at[RANK], part[RANK];
  size_t axes[RANK];
  retile_layout *made = NULL;
  shuffled(axes, rank);
  for (int d = 0; d < rank; d++) {
    const size_t own = axes[d];
    part[own] = n[d];
    at[own] = is_region ? below(6) : 0;
    s.n[own] = n[d] + at[own] + (is_region && once_in(2) ? below(4) : 0);
  }
  if (once_in(2)) strided(&s, is_source);
  else blocked(&s);
  if (is_region) {
    OK(retile_layout_region(s.handle, at, part, &made));
    becomes(&s, made);
    for (int d = 0; d < rank; d++) {
      if (at[d] + part[d] < s.n[d]) s.tail[d] = 0; /* Others' elements. */
      s.n[d] = part[d];
      memmove(s.place[d], s.place[d] + at[d], (size_t)(s.n[d] + s.tail[d]) * sizeof *s.place[d]);
    }
  }
  OK(retile_layout_permute(s.handle, axes, &made));
  becomes(&s, made);
  turned = s;
  for (int d = 0; d < rank; d++) {
    turned.n[d] = s.n[axes[d]];
    turned.tail[d] = s.tail[axes[d]];
    memcpy(turned.place[d], s.place[axes[d]], sizeof *s.place);
  }
  return turned;
}

static int64_t place(const shape *s, const int64_t *index) {
  int64_t sum = s->base;
  for (int d = 0; d < s->rank; d++) sum += s->place[d][index[d]];
  return sum;
}

/* Counts an index up within the elements and the tails. */
static int next(const shape *s, int64_t *index) {
  for (int d = s->rank; d-- > 0; index[d] = 0)
    if (++index[d] < s->n[d] + s->tail[d]) return 1;
  return 0;
}

/* Arithmetic, where it is asked for. */
typedef struct {
  int asked;
  uint32_t mask;
  float src[VALUES], dst;
  int32_t zero;
} formula;

static size_t value_of(const formula *f, const shape *s, const int64_t *index) {
  size_t at = 0;
  for (int d = 0; d < s->rank; d++)
    if (f->mask >> d & 1) at = at * (size_t)s->n[d] + (size_t)index[d];
  return at;
}

/* Each step rounded by itself. */
static float computed(const formula *f, float x, float scale) {
  const float scaled = scale * x, inverse = 1 / f->dst;
  const float product = scaled * inverse;
  return product + (float)f->zero;
}

static void expect(const formula *f, const shape *src, const unsigned char *from, const shape *dst, unsigned char *to) {
  int64_t index[RANK] = {0};
  do {
    unsigned char *const at = to + (size_t)place(dst, index) * TYPE[dst->type].size;
    int is_tail = 0;
    for (int d = 0; d < dst->rank; d++) is_tail |= index[d] >= dst->n[d];
    if (is_tail) {
      memset(at, 0, TYPE[dst->type].size);
      continue;
    }
    const unsigned char *const element = from + (size_t)place(src, index) * TYPE[src->type].size;
    if (f->asked) from_float(computed(f, to_float(src->type, element), f->src[value_of(f, src, index)]), dst->type, at);
    else convert(src->type, element, dst->type, at);
  } while (next(dst, index));
}

/* Any bits; of floats that become integers mostly those that fit, and the ones between two. */
static void fill(int type, int other, unsigned char *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) bytes[i] = (unsigned char)draw(&seed);
  if (type != F32 || other == F64 || other == BF16) return;
  for (size_t i = 0; i + 4 <= count; i += 4) {
    const float small = (float)(below(1200) - 600) / 4;
    if (!once_in(8)) memcpy(bytes + i, &small, 4);
  }
}

static retile_status run(const retile_kernel *k, const unsigned char *src, size_t src_bytes, unsigned char *dst, size_t dst_bytes, const retile_args *args) {
  const size_t tasks = 1 + (size_t)below(5), first = (size_t)below((int64_t)tasks);
  if (once_in(3)) return retile_kernel_run(k, src, dst, args);
  if (once_in(2)) return retile_kernel_run_checked(k, src, src_bytes, dst, dst_bytes, args);
  for (size_t i = 0; i < tasks; i++) {
    const retile_status status = retile_kernel_run_task(k, (first + i) % tasks, tasks, src, dst, args);
    if (status != RETILE_OK) return status;
  }
  return RETILE_OK;
}

/* False where the buffers would be too large. */
static int pair(int from, int to, int rank, const int64_t *n, formula *f) {
  static const char *const tiers[] = {"portable", "avx2", "avx512", "avx512vbmi"};
  static shape src, dst;
  retile_attr *attr = NULL;
  retile_kernel *k = NULL;
  size_t src_bytes = 0, dst_bytes = 0, s8s8 = 0, asymmetric = 0, count = 1;
  src = drawn(from, rank, n, 1), dst = drawn(to, rank, n, 0);
  OK(retile_attr_new(&attr));
  if (once_in(2)) OK(retile_attr_set_max_isa(attr, tiers[below(4)]));
  for (int d = 0; d < rank; d++) count *= f->mask >> d & 1 ? (size_t)n[d] : 1;
  if (f->asked) {
    OK(retile_attr_set_scale(attr, RETILE_SRC, f->mask));
    OK(retile_attr_set_scale(attr, RETILE_DST, 0));
    OK(retile_attr_set_zero_point(attr, RETILE_DST, 0));
    for (size_t i = 0; i < count; i++) f->src[i] = (float)(below(200) - 50) / 16;
    f->dst = (float)(1 + below(64)) / 8;
    f->zero = (int32_t)below(41) - 20;
  }
  const retile_args args = {sizeof args, f->src, &f->dst, NULL, &f->zero, count, 1, 0, 1};
  OK(retile_kernel_new(src.handle, dst.handle, attr, &k));
  OK(retile_kernel_sizes(k, &src_bytes, &dst_bytes, &s8s8, &asymmetric));
  const int fits = src_bytes <= LARGEST && dst_bytes <= LARGEST && failures == 0;
  if (fits) {
    unsigned char *in = guarded(src_bytes, 0), *out = guarded(dst_bytes, 0), *expected = malloc(dst_bytes);
    if (expected == NULL) exit(1);
    fill(from, to, in, src_bytes);
    for (size_t i = 0; i < dst_bytes; i++) expected[i] = out[i] = (unsigned char)(0xA0 + i % 7);
    expect(f, &src, in, &dst, expected);
    OK(run(k, in, src_bytes, out, dst_bytes, f->asked ? &args : NULL));
    for (size_t i = 0; i < dst_bytes && failures == 0; i++)
      if (out[i] != expected[i]) REPORT("byte %zu is %d, expected %d", i, out[i], expected[i]);
    free(expected);
    unguard(in, src_bytes);
    unguard(out, dst_bytes);
  }
  if (failures != 0) {
    char texts[2][512] = {"", ""};
    (void)retile_layout_format(src.handle, texts[0], sizeof texts[0], NULL);
    (void)retile_layout_format(dst.handle, texts[1], sizeof texts[1], NULL);
    fprintf(stderr, "%s %s%s mask %u on %s\n", texts[0], texts[1], f->asked ? " with scales" : "", (unsigned)f->mask, retile_kernel_tier(k));
  }
  retile_kernel_free(k);
  retile_attr_free(attr);
  retile_layout_free(src.handle);
  retile_layout_free(dst.handle);
  return fits;
}

static uint64_t number(const char *variable, uint64_t usual) {
  const char *text = getenv(variable);
  return text == NULL ? usual : strtoull(text, NULL, 10);
}

int main(void) {
  static const int conversions[][2] = {{F32, S8}, {F32, U8}, {F32, S32}, {S8, F32}, {U8, F32}, {S32, F32}, {S32, S8}, {S32, U8}, {S8, U8},
                                       {U8, S8}, {S8, S32}, {F64, F32}, {F32, F64}, {S64, S32}, {S32, S64}, {F32, BF16}, {BF16, F32}};
  static const int computing[] = {F32, S32, S8, U8};
  static const int64_t largest[] = {0, 300, 40, 17, 9, 6};
  static formula f;
  const uint64_t rounds = number("RETILE_CASES", 1000);
  seed = number("RETILE_SEED", 1);
  for (uint64_t round = 0; round < rounds && failures == 0;) {
    const int rank = 1 + (int)below(RANK), *conversion = conversions[below(17)];
    int64_t n[RANK];
    int from = (int)below(TYPES), to = from;
    for (int d = 0; d < rank; d++) n[d] = 1 + below(largest[rank]);
    f.asked = once_in(4);
    f.mask = (uint32_t)below(1 << rank);
    if (f.asked) from = computing[below(4)], to = computing[below(4)];
    else if (once_in(2)) from = conversion[0], to = conversion[1];
    round += (uint64_t)pair(from, to, rank, n, &f);
    if (failures != 0) fprintf(stderr, "round %d\n", (int)round);
  }
  return finish();
}
