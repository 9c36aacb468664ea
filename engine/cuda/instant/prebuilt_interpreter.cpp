// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/instant/prebuilt_interpreter.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cstdlib>
#include <stdexcept>

#include "engine/base/sha256.h"
#include "engine/base/text_lines.h"

namespace fusebench::cuda {
namespace {

constexpr int kOldestArchitecture = 75;
/// The PTX version of the oldest driver that is served, CUDA 12.0. The assembler takes the text as
/// such.
constexpr std::string_view kPtxVersion = ".version 8.0";
/// The limit for machine code, a guard against damage: ten times the largest.
constexpr std::size_t kMostBytes = std::size_t{4} << 20;

/// The line by which a text says what it was made of, and the words before the maker's version.
std::string sourceMark(const std::string& source) {
  return "// of source " + prebuiltHash(source) + ", by NVRTC ";
}

/// The first line of machine code says what it was made of and how long it is.
std::string headOf(const std::string& source, const Nvrtc& nvrtc, std::size_t bytes) {
  return fmt::format("{}{}, bytes {}\n", sourceMark(source), nvrtc.versionText(), bytes);
}

const char* interpreterName(bool reduces) {
  return reduces ? "reducing" : "pointwise";
}

}  // namespace

std::string prebuiltHash(const std::string& source) {
  std::string text;
  forEachLine(source.c_str(), [&](std::string_view line) {
    line = line.substr(0, line.find("//"));
    while (line.ends_with(' ')) line.remove_suffix(1);
    if (line.empty()) return;
    text += line;
    text += '\n';
  });
  return sha256(text);
}

std::string_view shippedInterpreter(bool reduces) {
  return embeddedText(interpreterTexts(), fmt::format("{}.ptx", interpreterName(reduces)));
}

std::string_view shippedMachineCode(bool reduces, int architecture) {
  return embeddedText(interpreterCodes(),
                      fmt::format("{}.sm_{}.z", interpreterName(reduces), architecture));
}

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

std::string prebuiltMachineCode(bool reduces, const std::string& source, int architecture) {
  int best = 0;
  for (const int each : kPrebuiltArchitectures)
    if (each / 10 == architecture / 10 && each <= architecture) best = each;
  const std::string_view shipped = shippedMachineCode(reduces, best);
  const std::size_t line = shipped.find('\n');
  if (line == std::string_view::npos || !shipped.starts_with(sourceMark(source))) return {};
  const std::string_view head = shipped.substr(0, line);
  const std::size_t bytes =
      std::strtoull(std::string(head.substr(head.rfind(' '))).c_str(), nullptr, 10);
  if (bytes == 0 || bytes > kMostBytes) return {};
  std::string code(bytes, '\0');
  uLongf got = static_cast<uLongf>(bytes);
  const std::string_view packed = shipped.substr(line + 1);
  const int result =
      uncompress(reinterpret_cast<Bytef*>(code.data()), &got,
                 reinterpret_cast<const Bytef*>(packed.data()), static_cast<uLong>(packed.size()));
  if (result != Z_OK || got != bytes) return {};
  return code;
}

std::string prebuildMachineCode(const std::string& source, const Nvrtc& nvrtc, int architecture) {
  const CompiledCode code =
      nvrtc.compile(source, "instant", {false, architecture}, compileOptions({}));
  std::string made = headOf(source, nvrtc, code.bytes.size());
  const std::size_t head = made.size();
  uLongf bytes = compressBound(static_cast<uLong>(code.bytes.size()));
  made.resize(head + bytes);
  if (compress2(reinterpret_cast<Bytef*>(made.data() + head), &bytes,
                reinterpret_cast<const Bytef*>(code.bytes.data()),
                static_cast<uLong>(code.bytes.size()), Z_BEST_COMPRESSION) != Z_OK)
    throw std::runtime_error("the interpreter's machine code cannot be compressed");
  made.resize(head + bytes);
  return made;
}

}  // namespace fusebench::cuda
