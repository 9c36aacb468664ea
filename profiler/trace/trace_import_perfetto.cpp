// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>

#include "engine/base/saying.h"
#include "profiler/files/byte_source.h"
#include "profiler/files/input_error.h"
#include "profiler/trace/perfetto_packets.h"
#include "profiler/trace/protobuf_fields.h"
#include "profiler/trace/trace_import.h"

namespace fusebench {
namespace {

/// Packets of a file one by one; holds no more than one, and a piece of the file.
class PacketFile {
 public:
  explicit PacketFile(ByteSource& source) : source_(source) {}

  /// The next packet; nothing at the end, or where partial() says why.
  std::optional<std::string_view> next() {
    for (;;) {
      const std::size_t head = std::min(buffer_.size() - at_, kLongestHead);
      if (!ended_ && head < kLongestHead && fill()) continue;
      if (at_ == buffer_.size()) return std::nullopt;
      ProtobufReader reader(std::string_view(buffer_).substr(at_));
      const auto tag = reader.varint();
      const auto length = tag ? reader.varint() : std::nullopt;
      if (!length || *tag != kPacketTag || *length > kLongest)
        return stop(saying("there is no packet where one should begin"));
      const std::size_t from = buffer_.size() - reader.left();
      if (*length > reader.left()) {
        if (fill()) continue;
        return stop(saying("the file ends in the middle of a packet"));
      }
      at_ = from + static_cast<std::size_t>(*length);
      return std::string_view(buffer_).substr(from, static_cast<std::size_t>(*length));
    }
  }
  const std::string& partial() const { return partial_; }

 private:
  static constexpr std::size_t kLongestHead = 16, kPiece = std::size_t{1} << 20;
  static constexpr std::uint64_t kLongest = std::uint64_t{64} << 20, kPacketTag = 0x0A;

  bool fill() {
    if (ended_) return false;
    buffer_.erase(0, at_);
    at_ = 0;
    const std::size_t have = buffer_.size();
    buffer_.resize(have + kPiece);
    buffer_.resize(have + source_.read(buffer_.data() + have, kPiece));
    ended_ = buffer_.size() == have;
    return !ended_;
  }
  std::nullopt_t stop(const std::string& why) {
    partial_ = source_.damage().empty() ? std::string(why) : source_.damage();
    return std::nullopt;
  }

  ByteSource& source_;
  std::string buffer_, partial_;
  std::size_t at_ = 0;
  bool ended_ = false;
};

}  // namespace

std::shared_ptr<const Trace> importPerfettoTrace(const std::string& path,
                                                 const TraceProgress& progress) {
  constexpr std::uint64_t kPacketsPerStep = 1 << 12;
  constexpr double kReadingShare = 0.8;
  // Perfetto's own packed packets grow tenfold.
  constexpr std::uint64_t kLeastUnpacked = std::uint64_t{4} << 20, kMostRatio = 32;
  ByteSource source(path);
  PacketFile file(source);
  TraceBuilder builder(std::filesystem::path(path).filename().string());
  PerfettoPackets packets(builder, kLeastUnpacked + kMostRatio * source.size());
  std::uint64_t count = 0;
  while (const auto packet = file.next()) {
    packets.add(*packet);
    if (++count % kPacketsPerStep == 0 && progress && !progress(kReadingShare * source.share()))
      throw Canceled();
  }
  packets.end();
  std::string partial = file.partial();
  if (packets.ranOut())
    partial +=
        (partial.empty() ? "" : "; ") +
        saying("compressed packets expand to more than {} times the size of the file", kMostRatio);
  if (builder.size() == 0)
    throw InputError(
        saying("{}: nothing in this Perfetto trace can be shown: it has no track events with a "
               "begin and an end, and no GPU stages{}",
               path, partial.empty() ? "" : "; " + partial));
  if (!partial.empty()) builder.setPartial(partial);
  return builder.finish([&](double share) {
    return !progress || progress(kReadingShare + (1 - kReadingShare) * share);
  });
}

}  // namespace fusebench
