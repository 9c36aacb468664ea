// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <barrier>
#include <cstring>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/base/elements.h"
#include "engine/device/rank_group.h"

namespace fusebench {

/// The state that threads acting as ranks share.
struct ThreadRanksShared {
  explicit ThreadRanksShared(int ranks) : given(static_cast<std::size_t>(ranks)), all(ranks) {}
  std::vector<const void*> given;
  std::barrier<> all;
};

/// A group whose ranks are threads of one process: what MPI does, told by its definition.
class ThreadRanks final : public RankGroup {
 public:
  ThreadRanks(std::shared_ptr<ThreadRanksShared> shared, int rank)
      : shared_(std::move(shared)), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(shared_->given.size()); }
  std::string description() const override { return "threads"; }

  void allReduce(const void* from, void* to, std::int64_t elements, DType dtype,
                 Combine how) override {
    combine(from, to, 0, elements, dtype, how);
  }
  void broadcast(void* data, std::size_t bytes, int root) override {
    meet(data, [&] {
      if (root != rank_) std::memcpy(data, shared_->given[static_cast<std::size_t>(root)], bytes);
    });
  }
  void allGather(const void* from, void* to, std::size_t bytes) override {
    meet(from, [&] {
      for (std::size_t r = 0; r < shared_->given.size(); ++r)
        std::memcpy(static_cast<std::byte*>(to) + r * bytes, shared_->given[r], bytes);
    });
  }
  void reduceScatter(const void* from, void* to, std::int64_t elements, DType dtype,
                     Combine how) override {
    combine(from, to, rank_ * elements, elements, dtype, how);
  }
  void barrier() override { shared_->all.arrive_and_wait(); }

 private:
  void meet(const void* given, const std::function<void()>& work) {
    shared_->given[static_cast<std::size_t>(rank_)] = given;
    barrier();
    work();
    barrier();
  }

  /// Element at this place of all ranks.
  template <class Value>
  Value combined(std::size_t at, DType dtype, Combine how,
                 Value (*load)(const void*, DType)) const {
    Value value{};
    for (std::size_t r = 0; r < shared_->given.size(); ++r) {
      const Value x = load(static_cast<const std::byte*>(shared_->given[r]) + at, dtype);
      value = r == 0                    ? x
              : how == Combine::product ? value * x
              : how == Combine::min     ? std::min(value, x)
              : how == Combine::max     ? std::max(value, x)
                                        : value + x;
    }
    return value;
  }

  void combine(const void* from, void* to, std::int64_t first, std::int64_t elements, DType dtype,
               Combine how) {
    const std::size_t size = info(dtype).size;
    std::vector<std::byte> made(static_cast<std::size_t>(elements) * size);
    meet(from, [&] {
      for (std::size_t i = 0; i < static_cast<std::size_t>(elements); ++i) {
        const std::size_t at = (static_cast<std::size_t>(first) + i) * size;
        if (isFloat(dtype))
          storeElement(&made[i * size], dtype, combined(at, dtype, how, loadElement));
        else
          storeElement(&made[i * size], dtype, combined(at, dtype, how, loadInteger));
      }
    });
    if (!made.empty()) std::memcpy(to, made.data(), made.size());
  }

  std::shared_ptr<ThreadRanksShared> shared_;
  int rank_;
};

/// Runs `work` as each of so many ranks, on a thread each, and throws what was thrown first: what
/// others throw may be for want of who did.
inline void asRanks(int ranks, const std::function<void(const std::shared_ptr<RankGroup>&)>& work) {
  const auto shared = std::make_shared<ThreadRanksShared>(ranks);
  std::vector<std::thread> threads;
  std::exception_ptr thrown;
  std::once_flag first;
  for (int r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      try {
        work(std::make_shared<ThreadRanks>(shared, r));
      } catch (...) {
        std::call_once(first, [&] { thrown = std::current_exception(); });
        shared->all.arrive_and_drop();
      }
    });
  for (std::thread& thread : threads) thread.join();
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace fusebench
