// SPDX-License-Identifier: GPL-3.0-or-later
// One rank of those that mpirun starts: asks its group for everything, of every dtype, and
// compares.
#include <cmath>
#include <cstdio>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/elements.h"
#include "engine/mpi/mpi.h"

namespace fusebench {
namespace {

int failures = 0;

void expect(bool holds, const char* what, DType dtype, int how) {
  if (holds) return;
  ++failures;
  std::printf("wrong: %s of %s, %d\n", what, std::string(info(dtype).name).c_str(), how);
}

double valueOf(int rank, int i) {
  return (rank + 1) + i % 3;
}

double combined(int ranks, int i, Combine how) {
  double made = valueOf(0, i);
  for (int r = 1; r < ranks; ++r) {
    const double x = valueOf(r, i);
    made = how == Combine::product ? made * x
           : how == Combine::min   ? std::min(made, x)
           : how == Combine::max   ? std::max(made, x)
                                   : made + x;
  }
  return made;
}

void combine(RankGroup& group, DType dtype, Combine how) {
  constexpr int kEach = 5;
  const int count = kEach * group.size();
  const std::size_t size = info(dtype).size;
  std::vector<std::byte> from(static_cast<std::size_t>(count) * size), to(from.size());
  for (int i = 0; i < count; ++i)
    storeElement(&from[static_cast<std::size_t>(i) * size], dtype, valueOf(group.rank(), i));
  group.allReduce(from.data(), to.data(), count, dtype, how);
  const auto at = [&](int i) {
    return loadElement(&to[static_cast<std::size_t>(i) * size], dtype);
  };
  for (int i = 0; i < count; ++i)
    expect(at(i) == combined(group.size(), i, how), "all_reduce", dtype, static_cast<int>(how));
  group.reduceScatter(from.data(), to.data(), kEach, dtype, how);
  for (int i = 0; i < kEach; ++i)
    expect(at(i) == combined(group.size(), group.rank() * kEach + i, how), "reduce_scatter", dtype,
           static_cast<int>(how));
  group.allReduce(from.data(), from.data(), count, dtype, how);
  for (int i = 0; i < count; ++i)
    expect(loadElement(&from[static_cast<std::size_t>(i) * size], dtype) ==
               combined(group.size(), i, how),
           "all_reduce in place", dtype, static_cast<int>(how));
}

void move(RankGroup& group) {
  std::vector<float> own(7, static_cast<float>(group.rank())),
      all(own.size() * static_cast<std::size_t>(group.size()));
  group.allGather(own.data(), all.data(), own.size() * sizeof(float));
  for (std::size_t i = 0; i < all.size(); ++i)
    expect(all[i] == static_cast<float>(i / own.size()), "all_gather", DType::float32, 0);
  group.broadcast(own.data(), own.size() * sizeof(float), group.size() - 1);
  for (const float x : own)
    expect(x == static_cast<float>(group.size() - 1), "broadcast", DType::float32, 0);
  group.barrier();
  float extremes[2] = {group.rank() == 0 ? NAN : 1.0f, 2.0f};
  group.allReduce(extremes, extremes, 2, DType::float32, Combine::max);
  expect(std::isnan(extremes[0]) && extremes[1] == 2, "NaN", DType::float32, 0);
}

int run() {
  const std::shared_ptr<RankGroup> group = mpi::enter(mpi::startedBy());
  for (const DType dtype : {DType::uint8, DType::int8, DType::int32, DType::int64, DType::float16,
                            DType::bfloat16, DType::float32, DType::float64})
    for (const Combine how : {Combine::sum, Combine::product, Combine::min, Combine::max})
      combine(*group, dtype, how);
  move(*group);
  std::printf("rank %d of %d by %s: %d wrong\n", group->rank(), group->size(),
              group->description().c_str(), failures);
  std::fflush(stdout);
  mpi::leave();
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace fusebench

int main() {
  try {
    return fusebench::run();
  } catch (const std::exception& error) {
    std::printf("%s\n", error.what());
    return 2;
  }
}
