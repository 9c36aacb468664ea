// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/runtime/cubin_cache.h"

#include <charconv>

#include <fmt/format.h>

namespace fusebench::cuda {

// An entry is "ptx|cubin ARCHITECTURE LOGSIZE\n", the log, the code.

std::string CubinCache::key(const std::string& source, const std::vector<std::string>& options,
                            const CodeTarget& target, const std::string& nvrtcVersion) {
  return fmt::format("cuda 1\nnvrtc {}\n{}\n{}\n{}", nvrtcVersion, target.text(),
                     fmt::join(options, " "), source);
}

std::optional<CompiledCode> CubinCache::find(const std::string& key) {
  std::optional<std::string> text;
  {
    const std::lock_guard lock(mutex_);
    text = objects_.find(key);
  }
  if (!text) return std::nullopt;
  const std::size_t headEnd = text->find('\n');
  if (headEnd == std::string::npos) return std::nullopt;
  const char *at = text->data(), *end = at + headEnd;
  CompiledCode code;
  code.target.ptx = text->starts_with("ptx ");
  at += code.target.ptx ? 4 : 6;
  if (at >= end) return std::nullopt;
  std::size_t logSize = 0;
  const auto architecture = std::from_chars(at, end, code.target.architecture);
  if (architecture.ec != std::errc() || architecture.ptr == end) return std::nullopt;
  const auto size = std::from_chars(architecture.ptr + 1, end, logSize);
  if (size.ec != std::errc() || logSize > text->size() - headEnd - 1) return std::nullopt;
  code.log = text->substr(headEnd + 1, logSize);
  code.bytes = text->substr(headEnd + 1 + logSize);
  if (code.bytes.empty()) return std::nullopt;
  code.resources = resourcesIn(code.log);
  return code;
}

void CubinCache::store(const std::string& key, const CompiledCode& code) {
  std::string text = fmt::format("{} {} {}\n", code.target.ptx ? "ptx" : "cubin",
                                 code.target.architecture, code.log.size());
  text += code.log;
  text += code.bytes;
  const std::lock_guard lock(mutex_);
  objects_.store(key, text);
}

}  // namespace fusebench::cuda
