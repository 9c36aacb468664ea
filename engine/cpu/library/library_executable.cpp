// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/library_executable.h"

#include <algorithm>
#include <string>

#include "engine/cpu/library/plain_loops.h"

namespace fusebench::cpu {
namespace {

/// Forms that are kept ready: with dynamic sizes each call may have its own.
constexpr std::size_t kMostPrepared = 64;

LaunchForm launchFormOf(const LibraryCall& call) {
  return {static_cast<int>(call.tensors()), static_cast<int>(call.integers()), 0};
}

}  // namespace

LibraryExecutable::LibraryExecutable(LibraryCall call, OneDnn* library,
                                     std::shared_ptr<const LibrarySettings> settings)
    : CpuExecutable(launchFormOf(call),
                    /*splits=*/library == nullptr || call.result == DType::int32),
      call_(std::move(call)),
      count_(call_.integers()),
      library_(library),
      settings_(std::move(settings)) {}

LibraryExecutable::Prepared& LibraryExecutable::preparedFor(const std::int64_t* integers) const {
  const int threads = settings_->threads;
  const auto fits = [&](const Prepared& prepared) {
    return prepared.threads == threads &&
           std::equal(prepared.integers.begin(), prepared.integers.end(), integers);
  };
  if (last_ && fits(*last_)) return *last_;
  for (const auto& prepared : prepared_)
    if (fits(*prepared)) return *(last_ = prepared.get());
  auto made = std::make_unique<Prepared>();
  made->integers.assign(integers, integers + count_);
  made->threads = threads;
  made->sizes = sizesOf(call_, integers);
  if (library_) {
    const LibraryRequest request{call_,   made->sizes,          integers,
                                 threads, settings_->processor, settings_->cache};
    made->call = library_->prepare(request);
    if (!made->call && settings_->allocator) made->wide = WideCall::make(*library_, request);
  }
  if (!made->call && !made->wide) made->bytes = ByteCall::make(call_, made->sizes, integers);
  if (prepared_.size() >= kMostPrepared) prepared_.erase(prepared_.begin());
  prepared_.push_back(std::move(made));
  return *(last_ = prepared_.back().get());
}

void LibraryExecutable::runWhole(const LaunchArguments& arguments) const {
  Prepared& prepared = preparedFor(arguments.integers);
  if (prepared.call)
    prepared.call->run(arguments.pointers);
  else if (prepared.wide)
    prepared.wide->run(arguments.pointers, *settings_->allocator);
  else if (prepared.bytes)
    prepared.bytes->run(arguments.pointers, 0, prepared.bytes->parts());
  else
    runPlainLoops(call_, prepared.sizes, arguments.pointers, 0, prepared.sizes.kept(call_.form));
}

void LibraryExecutable::run(const LaunchArguments& arguments, std::int64_t begin, std::int64_t end,
                            std::uint64_t* /*partials*/) const {
  const Prepared& prepared = preparedFor(arguments.integers);
  if (prepared.bytes) return prepared.bytes->run(arguments.pointers, begin, end);
  runPlainLoops(call_, prepared.sizes, arguments.pointers, begin, end);
}

std::int64_t LibraryExecutable::firstExtent(const std::int64_t* integers) const {
  const Prepared& prepared = preparedFor(integers);
  if (prepared.call || prepared.wide) return 1;  // it has threads of its own
  return prepared.bytes ? prepared.bytes->parts() : prepared.sizes.kept(call_.form);
}

double LibraryExecutable::estimate(const std::int64_t* integers) const {
  constexpr double kNanosecondsEach = 0.3, kOfBytes = 0.015;  // per product in our own loops
  const Prepared& prepared = preparedFor(integers);
  return (prepared.bytes ? kOfBytes : kNanosecondsEach) *
         static_cast<double>(prepared.sizes.count());
}

std::size_t LibraryExecutable::scratchBytes(const std::int64_t* integers) const {
  const Prepared& prepared = preparedFor(integers);
  return prepared.wide ? prepared.wide->scratchBytes() : 0;
}

std::string LibraryExecutable::description(const std::int64_t* integers) const {
  const Prepared& prepared = preparedFor(integers);
  std::string text = readableText(call_, integers);
  if (prepared.call)
    text += prepared.call->description();
  else if (prepared.wide)
    text += prepared.wide->description();
  else if (prepared.bytes)
    text += prepared.bytes->description();
  else if (library_)
    text += "loops of Fusebench's own: oneDNN " + library_->version() + " has no fast way\n";
  else
    text += "loops of Fusebench's own: " + OneDnn::missing() + "\n";
  return text;
}

}  // namespace fusebench::cpu
