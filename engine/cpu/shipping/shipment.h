// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fusebench::cpu {

struct Target;

/// Processors that code ships for.
struct ShippedLevel {
  std::string_view name;      ///< "x86-64-v4", as LLVM calls them
  std::string_view features;  ///< additional features, in LLVM's notation
};
/// Those of the architecture that this was built for; the most demanding one comes first.
std::vector<ShippedLevel> shippedLevels();
/// The target that its code is generated for.
Target targetOf(const ShippedLevel& level);

/// Statistics of what was shipped.
struct Shipped {
  int kernels = 0, stencils = 0;
  int fromCache = 0;  ///< number of these that were found in the cache instead of being compiled
  std::size_t bytes = 0;  ///< size of all their object files
};

/// Generates and compiles everything that ships for a level: an object file for each in `folder`,
/// and the list of them there, "objects"; and writes `table`, a C++ source from which ShippedCode
/// finds them. `cache`: a folder that keeps what was compiled from the same LLVM IR before; it may
/// be empty. Throws std::runtime_error.
Shipped ship(const ShippedLevel& level, const std::filesystem::path& folder,
             const std::filesystem::path& table, const std::filesystem::path& cache);

}  // namespace fusebench::cpu
