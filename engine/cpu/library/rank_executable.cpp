// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/rank_executable.h"

#include <cstring>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include "engine/base/elements.h"
#include "engine/cpu/library/gradient_buckets.h"

namespace fusebench::cpu {

RankExecutable::RankExecutable(LibraryCall call, std::shared_ptr<const LibrarySettings> settings)
    : CpuExecutable({static_cast<int>(call.tensors()), static_cast<int>(call.integers()), 0},
                    /*splits=*/false),
      call_(std::move(call)),
      settings_(std::move(settings)) {}

/// An operand's elements, row-major and without gaps.
const void* RankExecutable::packed(std::size_t tensor, const LaunchArguments& arguments) const {
  const std::int64_t* extents = arguments.integers;
  for (std::size_t t = 0; t < tensor; ++t) extents += 2 * call_.rank(t);
  const std::size_t rank = call_.rank(tensor);
  const std::int64_t* const strides = extents + rank;
  const std::int64_t count = elementsOf(call_, tensor, arguments.integers);
  const auto* const from = static_cast<const std::byte*>(arguments.pointers[tensor]);
  if (liesPacked(call_, tensor, arguments.integers)) return from;
  const auto size = static_cast<std::int64_t>(info(call_.dtype(tensor)).size);
  packed_.resize(static_cast<std::size_t>(count * size));
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t rest = i, at = 0;
    for (std::size_t d = rank; d-- > 0;) {
      at += rest % extents[d] * strides[d];
      rest /= extents[d];
    }
    std::memcpy(packed_.data() + i * size, from + at * size, static_cast<std::size_t>(size));
  }
  return packed_.data();
}

void RankExecutable::alone(const void* from, void* to, std::int64_t elements) const {
  if (elements > 0 && from != to)
    std::memcpy(to, from, static_cast<std::size_t>(elements) * info(call_.result).size);
}

void RankExecutable::runWhole(const LaunchArguments& arguments) const {
  RankGroup* const group = settings_->group.get();
  const std::int64_t ranks = group ? group->size() : 1;
  void* const to = arguments.pointers[call_.operands.size()];
  GradientBuckets* const buckets = ranks > 1 ? settings_->buckets.get() : nullptr;
  // Ranks ask their group for one thing at a time.
  if (buckets && call_.ranks.kind != Collective::reduceStart) buckets->wait();
  if (call_.ranks.kind == Collective::barrier || call_.ranks.kind == Collective::reduceWait) {
    if (group && call_.ranks.kind == Collective::barrier) group->barrier();
    std::memset(to, 0, info(call_.result).size);
    return;
  }
  const std::size_t last = call_.operands.size() - 1;
  const auto [given, wanted] = rankSizes(call_, arguments.integers, ranks);
  const void* const from = packed(last, arguments);
  if (ranks == 1) return alone(from, to, wanted);
  const std::size_t bytes = static_cast<std::size_t>(given) * info(call_.result).size;
  switch (call_.ranks.kind) {
    case Collective::reduceStart:
      buckets->add(call_.ranks, from, to, given, call_.result);
      break;
    case Collective::allReduce:
      group->allReduce(from, to, given, call_.result, call_.ranks.combine);
      break;
    case Collective::broadcast:
      alone(from, to, given);
      group->broadcast(to, bytes, call_.ranks.root);
      break;
    case Collective::allGather:
      group->allGather(from, to, bytes);
      break;
    case Collective::reduceScatter:
      group->reduceScatter(from, to, wanted, call_.result, call_.ranks.combine);
      break;
    case Collective::barrier:
    case Collective::reduceWait:
    case Collective::none:
      break;
  }
  const bool combines =
      call_.ranks.kind == Collective::allReduce || call_.ranks.kind == Collective::reduceScatter;
  if (combines && call_.ranks.combine == Combine::average)
    divideElements(to, to, wanted, call_.result, group->size());
}

std::string RankExecutable::description(const std::int64_t* integers) const {
  const RankGroup* const group = settings_->group.get();
  return readableText(call_, integers) +
         (group ? fmt::format("{} ranks by {}\n", group->size(), group->description())
                : std::string("one rank: a copy\n"));
}

}  // namespace fusebench::cpu
