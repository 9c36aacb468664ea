// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/trace/row_meaning.h"

#include <algorithm>
#include <string>

namespace fusebench {
namespace {

std::string loweredText(std::string_view text) {
  std::string made(text);
  for (char& c : made)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + 32);
  return made;
}

bool hasText(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// `word`, perhaps a space, and a number: "gpu0", "device 1".
bool isNumbered(std::string_view text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  if (text.starts_with(' ')) text.remove_prefix(1);
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool isStreamRow(std::string_view thread) {
  return loweredText(thread).starts_with("stream");
}

RowMeaning meaningOfRow(std::string_view process, std::string_view thread,
                        const RowsAround& around) {
  using Kind = RowMeaning::Kind;
  const std::string p = loweredText(process), t = loweredText(thread);
  // nvprof: a device and a context, or a process of the system, in brackets.
  if (p.starts_with('[')) {
    if (p.ends_with("] overview")) return {Kind::work};
    if (p.ends_with("] compute")) return {Kind::repeats};
    if (hasText(t, "runtime api") || hasText(t, "driver api")) return {Kind::runtime};
    return {};
  }
  if (p == "markers and ranges") return {Kind::annotation};
  if (p == "cpu hip api" || p == "cpu hsa api" || p == "cpu kfd api") return {Kind::runtime};
  if (p == "copy" || isNumbered(p, "gpu")) return {Kind::work};
  if (isNumbered(p, "device")) {
    if (t.starts_with("stream")) return {Kind::work};
    if (hasText(t, "api")) return {Kind::runtime};
    return hasText(t, "nvtx") ? RowMeaning{Kind::annotation} : RowMeaning{};
  }
  const bool device = hasText(p, "/device:gpu") || hasText(p, "/device:tpu") || hasText(p, "/gpu:");
  if (!device) return {};
  // TensorFlow's timeline says "Compute" behind each name, and tensors by their own rows.
  if (p.ends_with(" tensors")) return {Kind::annotation};
  if (hasText(p, "/stream:all")) return {around.eachStream ? Kind::repeats : Kind::work};
  if (hasText(p, "/stream")) return {Kind::work};
  if (hasText(p, "/memcpy")) return {around.allStreams ? Kind::repeats : Kind::work};
  if (p.ends_with(" compute")) return {Kind::op};
  // JAX and XLA: what runs on a stream, and once more by op, module, step.
  if (t.starts_with("stream")) return {Kind::work};
  if (t == "xla ops" && !around.streams) return {Kind::work};
  return {Kind::repeats};
}

SpanKind kindOfWork(std::string_view process, std::string_view event) {
  const std::string name = loweredText(event);
  if (hasText(name, "memset") || hasText(name, "fillbuffer")) return SpanKind::set;
  // XLA on ROCm: "CopyDeviceToDevice", "CopyHostToDevice".
  const bool copies = name.starts_with("copydeviceto") || name.starts_with("copyhostto");
  if (copies || hasText(name, "memcpy") || hasText(name, "copybuffer") ||
      loweredText(process) == "copy")
    return SpanKind::copy;
  return SpanKind::kernel;
}

}  // namespace fusebench
