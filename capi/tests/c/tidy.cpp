// The header from C++11: handles in unique_ptr, and one conversion.
#include "retile.h"

#include <cstdio>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct Free {
  void operator()(retile_layout *layout) const { retile_layout_free(layout); }
  void operator()(retile_attr *attr) const { retile_attr_free(attr); }
  void operator()(retile_kernel *kernel) const { retile_kernel_free(kernel); }
};

void check(retile_status status) {
  if (status != RETILE_OK) throw std::runtime_error(std::string(retile_status_name(status)) + ": " + retile_last_error());
}

template <typename T, typename Make>
std::unique_ptr<T, Free> made(Make make) {
  T *raw = nullptr;
  check(make(&raw));
  return std::unique_ptr<T, Free>(raw);
}

std::unique_ptr<retile_layout, Free> parse(const char *text) {
  return made<retile_layout>([=](retile_layout **out) { return retile_layout_parse(text, out); });
}

std::string text(const retile_layout *layout) {
  std::size_t needed = 0;
  check(retile_layout_format(layout, nullptr, 0, &needed));
  std::vector<char> buffer(needed);
  check(retile_layout_format(layout, buffer.data(), buffer.size(), nullptr));
  return buffer.data();
}

int run() {
  static_assert(RETILE_MAX_RANK == 12, "");
  const auto src = parse("u8:nhwc:1x2x1x3");
  const auto dst = parse("f32:nchw:1x2x1x3");
  const auto attr = made<retile_attr>([](retile_attr **out) { return retile_attr_new(out); });
  check(retile_attr_set_scale(attr.get(), RETILE_SRC, 1u << 1));
  const auto kernel = made<retile_kernel>(
      [&](retile_kernel **out) { return retile_kernel_new(src.get(), dst.get(), attr.get(), out); });

  const std::vector<unsigned char> pixels = {1, 2, 3, 4, 5, 6};
  std::vector<float> planes(6);
  const float scales[] = {0.5f, 10};
  retile_args args = retile_args();
  args.struct_size = sizeof args;
  args.src_scale = scales;
  args.src_scale_count = 2;
  check(retile_kernel_run_checked(kernel.get(), pixels.data(), pixels.size(), planes.data(),
                                  planes.size() * sizeof(float), &args));
  if (planes != std::vector<float>{0.5f, 1.5f, 2.5f, 20, 40, 60}) return 1;
  retile_cache_stats stats = retile_cache_stats();
  stats.struct_size = sizeof stats;
  check(retile_cache_get_stats(&stats));
  if (stats.entries != 1 || stats.misses != 1) return 5;
  if (text(dst.get()) != "f32:abcd:1x2x1x3") return 2;

  try {
    parse("f32:nchv:1x2x3x4");
    return 3;
  } catch (const std::runtime_error &error) {
    return std::strstr(error.what(), "nchv") != nullptr ? 0 : 4;
  }
}

}  // namespace

int main() {
  try {
    const int failed = run();
    if (failed != 0) std::fprintf(stderr, "failed: %d\n", failed);
    return failed;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 9;
  }
}
