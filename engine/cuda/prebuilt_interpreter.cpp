// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/prebuilt_interpreter.h"

#include <fmt/format.h>

#include <stdexcept>

#include "engine/sha256.h"
#include "engine/text_lines.h"

namespace fusebench::cuda {
namespace {

constexpr int kOldestArchitecture = 75;
/// Of the oldest driver that is served, CUDA 12.0. The assembler takes the text as such.
constexpr std::string_view kPtxVersion = ".version 8.0";

/// The line by which a text says what it was made of, and the words before the maker's version.
std::string sourceMark(const std::string& source) {
  return "// of source " + sha256(source) + ", by NVRTC ";
}

}  // namespace

PrebuiltInterpreter prebuiltInterpreter(bool reduces, const std::string& source) {
  const std::string_view shipped = shippedInterpreter(reduces);
  const std::string mark = sourceMark(source);
  const std::size_t at = shipped.substr(0, 4 * mark.size()).find(mark);
  if (at == std::string_view::npos) return {};
  const std::string_view version = shipped.substr(at + mark.size());
  return {shipped, version.substr(0, version.find('\n'))};
}

std::string prebuildInterpreter(const std::string& source, const Nvrtc& nvrtc) {
  const CompiledCode code =
      nvrtc.compile(source, "instant", {true, kOldestArchitecture}, compileOptions({}));
  std::string text =
      "// SPDX-License-Identifier: GPL-3.0-or-later\n"
      "// Made by fusebench-prebuild; not to be edited\n" +
      sourceMark(source) + nvrtc.versionText() + "\n";
  bool versioned = false;
  forEachLine(code.bytes.c_str(), [&](std::string_view line) {
    if (line.empty() || line == "//") return;
    const bool version = line.starts_with(".version ");
    versioned |= version;
    text.append(version ? kPtxVersion : line);
    text += '\n';
  });
  if (!versioned) throw std::runtime_error("NVRTC's PTX names no version");
  return text;
}

}  // namespace fusebench::cuda
