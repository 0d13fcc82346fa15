/* Conversions of one element, as the library states them, written without it. */
#ifndef SCALAR_H
#define SCALAR_H
#include <stdint.h>
#include <string.h>

enum { F64, F32, F16, BF16, S64, S32, S16, U16, S8, U8, BOOL, TYPES };
static const struct { const char *name; size_t size; } TYPE[TYPES] = {
    {"f64", 8}, {"f32", 4}, {"f16", 2}, {"bf16", 2}, {"s64", 8}, {"s32", 4}, {"s16", 2}, {"u16", 2}, {"s8", 1}, {"u8", 1}, {"bool", 1}};

/* To the nearest integer between two, ties to the even one; NaN is 0. */
static inline int64_t nearest(float x, int64_t least, int64_t most) {
  if (x != x) return 0;
  if (x <= (float)least) return least;
  if (x >= (float)most) return most;
  int64_t whole = (int64_t)x;
  const double rest = (double)x - (double)whole;
  if (rest > 0.5 || (rest == 0.5 && whole % 2 != 0)) whole++;
  if (rest < -0.5 || (rest == -0.5 && whole % 2 != 0)) whole--;
  return whole;
}

static inline int64_t within(int64_t x, int64_t least, int64_t most) { return x < least ? least : x > most ? most : x; }

/* An element as a float: any integer of 32 bits or less, or f32. */
static inline float to_float(int type, const unsigned char *at) {
  float f = 0;
  int32_t i = 0;
  if (type == F32) {
    memcpy(&f, at, 4);
    return f;
  }
  if (type == S32) memcpy(&i, at, 4);
  if (type == S8) i = *(const signed char *)at;
  if (type == U8) i = *at;
  return (float)i;
}

/* And back: what was computed, whose NaN is always the same. */
static inline void from_float(float f, int type, unsigned char *to) {
  const uint32_t nan = 0x7FC00000;
  int32_t i;
  if (type == F32) memcpy(to, f != f ? (const void *)&nan : &f, 4);
  if (type == S32) i = (int32_t)nearest(f, INT32_MIN, INT32_MAX), memcpy(to, &i, 4);
  if (type == S8) *(signed char *)to = (signed char)nearest(f, -128, 127);
  if (type == U8) *to = (unsigned char)nearest(f, 0, 255);
}

static inline int64_t integer(int type, const unsigned char *at) {
  int64_t wide = 0;
  int32_t i = 0;
  if (type == S64) memcpy(&wide, at, 8);
  if (type == S32) memcpy(&i, at, 4), wide = i;
  if (type == S8) wide = *(const signed char *)at;
  if (type == U8) wide = *at;
  return wide;
}

/* One of the pairs of types that the drawn conversions have. */
static inline void convert(int from, const unsigned char *at, int type, unsigned char *to) {
  uint32_t bits = 0;
  uint16_t half = 0;
  double d = 0;
  float f = 0;
  if (from == type) {
    memcpy(to, at, TYPE[type].size);
  } else if (from == F64) { /* to f32 */
    memcpy(&d, at, 8);
    f = (float)d;
    memcpy(to, &f, 4);
  } else if (type == F64) { /* of f32 */
    memcpy(&f, at, 4);
    d = f;
    memcpy(to, &d, 8);
  } else if (type == BF16) { /* of f32 */
    memcpy(&bits, at, 4);
    if ((bits & 0x7FFFFFFF) > 0x7F800000) bits |= 0x400000;
    else bits += 0x7FFF + (bits >> 16 & 1);
    half = (uint16_t)(bits >> 16);
    memcpy(to, &half, 2);
  } else if (from == BF16) { /* to f32 */
    memcpy(&half, at, 2);
    bits = (uint32_t)half << 16;
    if ((bits & 0x7FFFFFFF) > 0x7F800000) bits |= 0x400000;
    memcpy(to, &bits, 4);
  } else if (from == F32 || type == F32) {
    from_float(to_float(from, at), type, to);
  } else { /* Integers saturate as integers. */
    const int64_t wide = integer(from, at);
    const int32_t i = (int32_t)within(wide, INT32_MIN, INT32_MAX);
    if (type == S64) memcpy(to, &wide, 8);
    if (type == S32) memcpy(to, &i, 4);
    if (type == S8) *(signed char *)to = (signed char)within(wide, -128, 127);
    if (type == U8) *to = (unsigned char)within(wide, 0, 255);
  }
}
#endif
