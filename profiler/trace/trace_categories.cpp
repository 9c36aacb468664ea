// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/trace_categories.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

namespace fusebench {
namespace {

constexpr std::pair<std::string_view, SpanKind> kCategories[] = {
    {"kernel", SpanKind::kernel},
    {"cpu_op", SpanKind::op},
    {"user_annotation", SpanKind::annotation},
    {"cuda_runtime", SpanKind::runtime},
    {"cuda_driver", SpanKind::driver},
    {"gpu_memcpy", SpanKind::copy},
    {"gpu_memset", SpanKind::set},
    {"cuda_sync", SpanKind::sync},
    {"overhead", SpanKind::overhead},
    {"guard", SpanKind::guard},
    {"dispatch", SpanKind::dispatch},
    {"allocate", SpanKind::allocate},
    {"launch", SpanKind::launch},
    {"wait", SpanKind::wait},
    {"other", SpanKind::other},
    {"graph", SpanKind::graph},
    {"Trace", SpanKind::profiler},
    // Read, never written: other names of the same.
    {"gpu_user_annotation", SpanKind::annotation},
    {"operator", SpanKind::op},
    {"Node", SpanKind::op},  // ONNX Runtime, as Session
    {"Session", SpanKind::annotation},
    {"concurrent_kernel", SpanKind::kernel},
    {"memcpy", SpanKind::copy},
    {"memset", SpanKind::set},
    {"runtime", SpanKind::runtime},
    {"privateuse1_runtime", SpanKind::runtime},
    {"privateuse1_driver", SpanKind::driver},
    {"xpu_runtime", SpanKind::runtime},
};

constexpr Nanoseconds kLatest = Nanoseconds{1} << 61;

bool sameWord(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(a, b, {}, lower, lower);
}

/// The place of the first that is known of several, divided by commas.
std::size_t knownCategory(std::string_view categories) {
  std::size_t other = 0;
  while (kCategories[other].second != SpanKind::other) ++other;
  while (!categories.empty()) {
    const std::string_view one = categories.substr(0, categories.find(','));
    for (std::size_t i = 0; i < std::size(kCategories); ++i)
      if (i != other && sameWord(kCategories[i].first, one)) return i;
    categories.remove_prefix(std::min(categories.size(), one.size() + 1));
  }
  return other;
}

}  // namespace

std::string_view categoryOf(SpanKind kind) {
  for (const auto& [category, meaning] : kCategories)
    if (meaning == kind) return category;
  return "other";
}

SpanKind kindOfCategory(std::string_view categories) {
  return kCategories[knownCategory(categories)].second;
}

bool onDevice(std::string_view categories) {
  const auto& [category, kind] = kCategories[knownCategory(categories)];
  return isDeviceWork(kind) || category == "gpu_user_annotation" || category == "cuda_sync";
}

std::optional<Nanoseconds> fromMicroseconds(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = at < end && *at == '-';
  if (negative) ++at;
  Nanoseconds whole = 0;
  const auto [after, error] = std::from_chars(at, end, whole);
  if (error != std::errc() || after == at || whole > kLatest / 1000) return std::nullopt;
  Nanoseconds time = whole * 1000;
  at = after;
  if (at < end && *at == '.') {
    Nanoseconds unit = 100;
    bool roundUp = false, first = true;
    for (++at; at < end && *at >= '0' && *at <= '9'; ++at) {
      if (unit > 0) {
        time += (*at - '0') * unit;
      } else if (first) {
        roundUp = *at >= '5';
        first = false;
      }
      unit /= 10;
    }
    if (roundUp) ++time;
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    double value = 0;
    const auto parsed = std::from_chars(text.data(), end, value);
    if (parsed.ec != std::errc() || !(std::abs(value) < static_cast<double>(kLatest) / 1000))
      return std::nullopt;
    return static_cast<Nanoseconds>(std::llround(value * 1000));
  }
  if (at != end) return std::nullopt;
  return negative ? -time : time;
}

}  // namespace fusebench
