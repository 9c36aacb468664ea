// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace fusebench::test {

struct HostCompiled {
  std::vector<char> library;  ///< a shared library's bytes; empty if it did not compile
  std::string log;
  bool compilerRan = false;  ///< else it came from the cache
};

/// Compiles a CUDA C++ source with the compiler that built the tests, behind kernel_shim.h, to a
/// shared library in which each kernel can be run and asked for its parameters. Results are kept in
/// a folder of temporary files by a hash of all that matters. Safe to call from several threads.
HostCompiled compileForHost(const std::string& source);

}  // namespace fusebench::test
