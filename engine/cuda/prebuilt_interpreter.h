// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "engine/cuda/nvrtc.h"

namespace fusebench::cuda {

/// The interpreter as it ships: PTX for the oldest architecture, which the driver of any newer
/// device finishes by itself, with no NVRTC. The texts lie in resources/interpreter, are part of
/// the program, and are made anew by `fusebench-prebuild` when the op table changes.

struct PrebuiltInterpreter {
  std::string_view ptx;
  std::string_view nvrtc;  ///< version of the NVRTC that made it: "13.0"
};

/// The PTX of this source (see interpreterSource()); empty where what ships was made of another.
PrebuiltInterpreter prebuiltInterpreter(bool reduces, const std::string& source);

/// The text that is to ship for a source. Throws std::runtime_error.
std::string prebuildInterpreter(const std::string& source, const Nvrtc& nvrtc);

/// What ships, whatever it was made of.
std::string_view shippedInterpreter(bool reduces);

}  // namespace fusebench::cuda
