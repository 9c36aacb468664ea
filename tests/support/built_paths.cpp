// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/built_paths.h"

namespace fusebench::test {

std::string sourcePath(std::string_view below) {
  return FUSEBENCH_SOURCE_DIR + std::string(below);
}
std::string buildPath(std::string_view below) {
  return FUSEBENCH_BINARY_DIR + std::string(below);
}
const char* cliPath() {
  return FUSEBENCH_CLI;
}
const char* cudaDoublePath() {
  return FUSEBENCH_CUDA_DOUBLE;
}
const char* cudaBrokenPath() {
  return FUSEBENCH_CUDA_BROKEN;
}
const char* mpiRanksPath() {
  return FUSEBENCH_MPI_RANKS;
}
const char* markingLibraryPath() {
  return FUSEBENCH_MARKING_LIBRARY;
}
const char* lateRankPath() {
  return FUSEBENCH_LATE_RANK;
}

}  // namespace fusebench::test
