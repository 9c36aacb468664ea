// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/plan/byte_products.h"
#include "engine/plan/plan_options.h"

namespace fusebench {

/// A backend's identity and abilities, as data that its constructor sets once. A backend states
/// only the abilities that it has.
struct BackendTraits : PlanTraits {
  std::string name;      ///< "cpu"
  std::string deviceId;  ///< distinguishes devices of one kind: a GPU's UUID; may be empty
  /// It can run ops without compiling them together, by assemble().
  bool runsOpLists = false;
  /// It has approximate functions, for Kernel::fastMath; otherwise that has no effect.
  bool hasFastMath = false;
  /// It can choose the pages of memory, by usePages(); otherwise that has no effect.
  bool choosesPages = false;
  /// Launches can be recorded and replayed; otherwise capturing throws std::logic_error.
  bool canCapture = false;
  bool canFlushCaches = false;
  /// Time is also simulated, so that nothing here was measured.
  bool isSimulated = false;
};

/// The library for matmuls. A backend determines it on request, because that may open the library.
struct LibraryTraits {
  std::string name = {};  ///< with its version; empty: there is none
  std::string missing =
      {};  ///< why there is none and how to get it; empty: there is one, or none is needed
  ByteProducts byteProducts = {};  ///< for layers that compute in bytes
};

}  // namespace fusebench
