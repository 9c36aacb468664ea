// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "engine/base/embedded_file.h"
#include "engine/cuda/driver/nvrtc.h"

namespace fusebench::cuda {

/// The interpreter as it ships: machine code for the architectures below, and PTX for the oldest,
/// which the driver of any newer device compiles by itself in a second or two; no NVRTC is needed.
/// Both are in resources/interpreter, are part of the program, and are generated again by
/// `fusebench-prebuild` for each release.

/// 10 * major + minor. Machine code serves devices of its major version and the same or a later
/// minor version.
inline constexpr std::array kPrebuiltArchitectures = {75, 80, 86, 89, 90, 100, 120};

struct PrebuiltInterpreter {
  std::string_view ptx;
  std::string_view nvrtc;  ///< version of the NVRTC that made it: "13.0"
};

/// The PTX of this source (see interpreterSource()); empty if the shipped code was made from a
/// different source.
PrebuiltInterpreter prebuiltInterpreter(bool reduces, const std::string& source);

/// The machine code of this source that suits a device best; empty if none does, or if the shipped
/// code was made from a different source.
std::string prebuiltMachineCode(bool reduces, const std::string& source, int architecture);

/// The hash that identifies the source of shipped code. Comments do not count: they describe ops.
std::string prebuiltHash(const std::string& source);

/// What should ship for a source: PTX, or machine code, compressed. Throws std::runtime_error.
std::string prebuildInterpreter(const std::string& source, const Nvrtc& nvrtc);
std::string prebuildMachineCode(const std::string& source, const Nvrtc& nvrtc, int architecture);

/// The files of resources/interpreter.
std::span<const EmbeddedFile> interpreterTexts();
std::span<const EmbeddedFile> interpreterCodes();

/// The shipped code, whatever source it was made from; empty for machine code that does not ship.
std::string_view shippedInterpreter(bool reduces);
std::string_view shippedMachineCode(bool reduces, int architecture);

}  // namespace fusebench::cuda
