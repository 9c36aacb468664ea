// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

/// Paths of this checkout and of what its build made. One small file is compiled with them, so that
/// all other tests compile to the same objects in every checkout and come from the compiler's
/// cache.
namespace fusebench::test {

/// A path below the source folder; `below` begins with "/" or is empty.
std::string sourcePath(std::string_view below = {});

/// A path below the build folder; `below` begins with "/" or is empty.
std::string buildPath(std::string_view below = {});

const char* cliPath();  ///< fusebench-cli
const char*
cudaDoublePath();  ///< the library that stands in for the CUDA driver and its companions
const char* cudaBrokenPath();  ///< a library that is not a driver
const char* mpiRanksPath();    ///< the program that mpirun starts as each rank
const char*
markingLibraryPath();  ///< a library that leaves a mark in the current folder when it is loaded
const char* lateRankPath();  ///< a rank that arrives late, in place of fusebench-cli's

}  // namespace fusebench::test
