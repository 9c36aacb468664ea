// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/onednn_search.h"

#ifdef FUSEBENCH_ONEDNN

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <sstream>

#include "engine/base/quantity_text.h"
#include "engine/base/ticks.h"

namespace fusebench::cpu {
namespace {

/// A call with what was found out about it.
class FastestCall final : public PreparedCall {
 public:
  FastestCall(std::unique_ptr<PreparedCall> call, std::string found)
      : call_(std::move(call)), found_(std::move(found)) {}
  void run(void* const* pointers) override { call_->run(pointers); }
  std::string description() const override { return call_->description() + found_; }

 private:
  std::unique_ptr<PreparedCall> call_;
  std::string found_;
};

/// Memory for the tensors of a launch, of zeros: to be timed on.
class TrialTensors {
 public:
  explicit TrialTensors(const LibraryRequest& request) {
    const std::int64_t* integers = request.integers;
    for (std::size_t t = 0; t < request.call.tensors(); ++t) {
      const std::size_t rank = request.call.rank(t);
      std::int64_t last = 0;
      bool any = true;
      for (std::size_t d = 0; d < rank; ++d) {
        any &= integers[d] > 0;
        last += (integers[d] - 1) * integers[rank + d];
      }
      integers += 2 * rank;
      const std::size_t size = info(request.call.dtype(t)).size;
      constexpr std::size_t kAlignment = 64;
      const std::size_t bytes =
          (any ? static_cast<std::size_t>(last + 1) * size : 0) / kAlignment * kAlignment +
          2 * kAlignment;
      pointers_.push_back(std::aligned_alloc(kAlignment, bytes));
      if (!pointers_.back()) throw std::bad_alloc();
      std::memset(pointers_.back(), 0, bytes);
    }
  }
  ~TrialTensors() {
    for (void* pointer : pointers_) std::free(pointer);
  }
  TrialTensors(const TrialTensors&) = delete;
  TrialTensors& operator=(const TrialTensors&) = delete;
  void* const* pointers() const { return pointers_.data(); }

 private:
  std::vector<void*> pointers_;
};

/// The shortest of several runs after one that warms up, nanoseconds.
double timeOf(PreparedCall& call, const TrialTensors& tensors) {
  constexpr std::int64_t kLongest = 3'000'000;
  constexpr int kMost = 20;
  call.run(tensors.pointers());
  double best = std::numeric_limits<double>::infinity();
  const std::int64_t begin = steadyNanoseconds();
  std::int64_t before = begin;
  for (int i = 0; i < kMost && (i < 3 || before - begin < kLongest); ++i) {
    call.run(tensors.pointers());
    const std::int64_t now = steadyNanoseconds();
    best = std::min(best, static_cast<double>(now - before));
    before = now;
  }
  return best;
}

std::string keyOf(const LibraryRequest& request, const std::string& version) {
  std::string key = fmt::format("fastest way, oneDNN {}, {}, {} threads, {}", version,
                                request.processor, request.threads, canonicalText(request.call));
  for (std::size_t i = 0; i < request.call.integers(); ++i)
    key += fmt::format(" {}", request.integers[i]);
  return key;
}

}  // namespace

bool chooseDnnl(const DnnlApi& api, const_dnnl_op_desc_t wanted,
                const_dnnl_primitive_attr_t attributes, int implementation, DnnlChoice& choice,
                const_dnnl_primitive_desc_t forward) {
  dnnl_primitive_desc_iterator_t each = nullptr;
  if (api.primitive_desc_iterator_create(&each, wanted, attributes, api.engine, forward) !=
      dnnl_success)
    return false;
  bool there = true;
  for (int i = 0; i < implementation && there; ++i)
    there = api.primitive_desc_iterator_next(each) == dnnl_success;
  if (there) *choice.out() = api.primitive_desc_iterator_fetch(each);
  api.primitive_desc_iterator_destroy(each);
  return choice.get() != nullptr;
}

std::unique_ptr<PreparedCall> fastestWay(const LibraryRequest& request, const std::string& version,
                                         int layouts,
                                         const std::function<DnnlTried(const DnnlWay&)>& make) {
  const std::string key = keyOf(request, version);
  if (request.cache)
    if (const auto known = request.cache->find(key)) {
      std::istringstream text(*known);
      DnnlWay way;
      if (text >> way.layout >> way.implementation)
        if (DnnlTried again = make(way); again.call)
          return std::make_unique<FastestCall>(std::move(again.call),
                                               "the fastest way, as found before\n");
    }
  const std::int64_t begin = steadyNanoseconds();
  const TrialTensors tensors(request);
  DnnlTried best;
  DnnlWay bestWay;
  double shortest = std::numeric_limits<double>::infinity();
  int tried = 0;
  for (DnnlWay way; way.layout < layouts; ++way.layout) {
    constexpr int kMostImplementations = 40;
    for (way.implementation = 0; way.implementation < kMostImplementations; ++way.implementation) {
      DnnlTried made = make(way);
      if (made.ended) break;
      if (!made.call) continue;
      ++tried;
      const double nanoseconds = timeOf(*made.call, tensors);
      if (nanoseconds >= shortest) continue;
      shortest = nanoseconds;
      best = std::move(made);
      bestWay = way;
    }
  }
  if (!best.call) return nullptr;
  if (request.cache)
    request.cache->store(key, fmt::format("{} {}", bestWay.layout, bestWay.implementation));
  return std::make_unique<FastestCall>(
      std::move(best.call),
      fmt::format("the fastest of {} ways: {}, found in {}\n", tried, timeText(shortest),
                  timeText(static_cast<double>(steadyNanoseconds() - begin))));
}

}  // namespace fusebench::cpu

#endif
