// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/rank_launcher.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/base/saying.h"

namespace fusebench::cuda {
namespace {

DevicePointer addressIn(const void* pointer) {
  return static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(pointer));
}

/// Extents and strides of one of the call's tensors, followed by the strides that it has when
/// packed.
std::vector<std::int64_t> packingIntegers(const LibraryCall& call, std::size_t tensor,
                                          const std::int64_t* integers) {
  for (std::size_t t = 0; t < tensor; ++t) integers += 2 * call.rank(t);
  const std::size_t rank = call.rank(tensor);
  std::vector<std::int64_t> made(integers, integers + 2 * rank);
  made.insert(made.end(), integers, integers + rank);
  made.resize(4 * rank);
  std::int64_t step = 1;
  for (std::size_t d = rank; d-- > 0;) {
    made[3 * rank + d] = step;
    step *= integers[d];
  }
  return made;
}

}  // namespace

RankLauncher::RankLauncher(std::shared_ptr<const Device> device, Stream stream, Allocator& memory,
                           std::shared_ptr<const LibraryTools> tools)
    : device_(std::move(device)),
      driver_(device_->driver()),
      stream_(stream),
      memory_(memory),
      tools_(std::move(tools)) {}

RankLauncher::~RankLauncher() {
  ranks_.reset();
  if (!device_->tryUse()) return;
  if (side_) {
    driver_.streamSynchronize.attempt(side_);
    driver_.streamDestroy.attempt(side_);
  }
  for (const Event event : {filled_, averaged_})
    if (event) driver_.eventDestroy.attempt(event);
}

void RankLauncher::setGroup(std::shared_ptr<RankGroup> group, const std::string& library) {
  ranks_.reset();
  group_.reset();
  if (!group || group->size() == 1) return;
  ranks_ = makeDeviceRanks(device_, group, library);
  group_ = std::move(group);
}

std::string RankLauncher::description() const {
  return ranks_ ? ranks_->description() : std::string();
}

std::optional<RankWait> RankLauncher::waiting() {
  if (!waits_) return std::nullopt;
  waits_ = false;
  return std::optional<RankWait>(std::in_place, *group_);
}

void RankLauncher::copy(void* to, const void* from, std::size_t bytes, Stream stream) {
  if (bytes > 0 && to != from)
    driver_.memcpyDtoDAsync(addressIn(to), addressIn(from), bytes, stream);
}

void RankLauncher::joinSide() {
  if (!sideWorks_) return;
  driver_.streamWaitEvent(stream_, averaged_, 0);
  sideWorks_ = false;
  for (auto& [number, bucket] : buckets_) bucket.aside = false;
}

void RankLauncher::reserve(Bucket& bucket, std::size_t bytes, Allocator& memory) {
  if (bytes <= bucket.room) return;
  const std::size_t room = std::max(bytes, 2 * bucket.room);
  BlockRef grown(memory.allocate(room));
  if (bucket.used > 0) copy(grown.get()->data, bucket.block.get()->data, bucket.used, stream_);
  if (bucket.block) bucket.outgrown.push_back(std::move(bucket.block));
  bucket.block = std::move(grown);
  bucket.room = room;
}

bool RankLauncher::reduce(Bucket& bucket, DType dtype, Stream stream) {
  auto* at = static_cast<std::byte*>(bucket.block ? bucket.block.get()->data : nullptr);
  const std::size_t elements = bucket.used / info(dtype).size;
  if (elements > 0)
    ranks_->allReduce(at, at, static_cast<std::int64_t>(elements), dtype, Combine::average, stream);
  for (const Piece& piece : bucket.pieces) {
    copy(piece.to, at, piece.bytes, stream);
    at += piece.bytes;
  }
  return elements > 0;
}

bool RankLauncher::add(const LibraryCall& call, const void* from, void* to, std::size_t bytes,
                       Allocator* pool) {
  const RankCall& asked = call.ranks;
  Bucket& bucket = (pool ? captured_ : buckets_)[asked.bucket];
  if (asked.first) {
    if (bucket.aside) joinSide();  // a call has failed since
    bucket.used = 0;
    bucket.pieces.clear();
  }
  reserve(bucket, bucket.used + bytes, pool ? *pool : memory_);
  if (bytes > 0)
    copy(static_cast<std::byte*>(bucket.block.get()->data) + bucket.used, from, bytes, stream_);
  bucket.used += bytes;
  bucket.pieces.push_back({to, bytes});
  if (!asked.last) return false;
  if (!asked.overlaps || pool || !ranks_->waitsBecause().empty())
    return reduce(bucket, call.result, stream_);
  if (!side_) {
    driver_.streamCreate(&side_, kStreamNonBlocking);
    driver_.eventCreate(&filled_, kEventDisableTiming);
    driver_.eventCreate(&averaged_, kEventDisableTiming);
  }
  driver_.eventRecord(filled_, stream_);
  driver_.streamWaitEvent(side_, filled_, 0);
  const bool enqueued = reduce(bucket, call.result, side_);
  driver_.eventRecord(averaged_, side_);
  sideWorks_ = bucket.aside = true;
  return enqueued;
}

bool RankLauncher::launch(const LibraryCall& call, const LaunchArguments& arguments,
                          Allocator* pool) {
  device_->use();
  const int ranks = ranks_ ? ranks_->size() : 1;
  const RankCall& asked = call.ranks;
  if (pool && ranks_ && !ranks_->waitsBecause().empty())
    throw std::runtime_error(
        saying("{} passes through host memory, which a graph replay cannot do: {}", call.name,
               ranks_->waitsBecause()));
  void* const to = arguments.pointers[call.operands.size()];
  // Ranks ask their group for one thing at a time.
  if (asked.kind != Collective::reduceStart) joinSide();
  if (asked.kind == Collective::barrier || asked.kind == Collective::reduceWait) {
    driver_.memsetD8Async(addressIn(to), 0, info(call.result).size, stream_);
    if (asked.kind == Collective::reduceWait || !ranks_) return false;
    mayWait();
    ranks_->allReduce(to, to, 1, call.result, Combine::sum, stream_);
    return ranks_->waitsBecause().empty();
  }
  const std::size_t last = call.operands.size() - 1;
  const RankSizes sizes = rankSizes(call, arguments.integers, ranks);
  const std::size_t size = info(call.result).size,
                    given = static_cast<std::size_t>(sizes.given) * size;
  const void* from = arguments.pointers[last];
  BlockRef packed;
  if (sizes.given > 0 && !liesPacked(call, last, arguments.integers)) {
    packed = BlockRef((pool ? *pool : memory_).allocate(given));
    tools_->copy(*tools_->copier(call.dtype(last), call.rank(last)),
                 packingIntegers(call, last, arguments.integers).data(), arguments.pointers[last],
                 packed.get()->data);
    from = packed.get()->data;
  }
  if (!ranks_) {
    copy(to, from, static_cast<std::size_t>(sizes.wanted) * size, stream_);
    return false;
  }
  mayWait();
  if (asked.kind == Collective::reduceStart)
    return add(call, from, to, given, pool) && ranks_->waitsBecause().empty();
  if (sizes.wanted == 0) return false;
  switch (asked.kind) {
    case Collective::allReduce:
      ranks_->allReduce(from, to, sizes.given, call.result, asked.combine, stream_);
      break;
    case Collective::broadcast:
      ranks_->broadcast(from, to, given, asked.root, stream_);
      break;
    case Collective::allGather:
      ranks_->allGather(from, to, given, stream_);
      break;
    case Collective::reduceScatter:
      ranks_->reduceScatter(from, to, sizes.wanted, call.result, asked.combine, stream_);
      break;
    case Collective::reduceStart:
    case Collective::barrier:
    case Collective::reduceWait:
    case Collective::none:
      break;
  }
  return ranks_->waitsBecause().empty();
}

}  // namespace fusebench::cuda
