// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/cuda/backend_fixture.h"

#include <filesystem>
#include <stdexcept>

#include "engine/base/shared_library.h"
#include "tests/engine/support/rank_programs.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace test {

DoubleControl& cudaDouble() {
  static DoubleControl& control = []() -> DoubleControl& {
    std::string error;
    SharedLibrary library = SharedLibrary::open(fusebench::test::cudaDoublePath(), error);
    DoubleControl* (*function)() = nullptr;
    if (!library.find("fusebenchDoubleControl", function)) throw std::runtime_error(error);
    library.keep();
    return *function();
  }();
  return control;
}

std::string unopenedDouble() {
  static int serial = 0;
  ++serial;
  const std::filesystem::path file = fusebench::test::cudaDoublePath();
  std::string name = file.parent_path().string();
  for (int i = 0; i < serial; ++i) name += "/.";
  return name + "/" + file.filename().string();
}

CudaOptions onDouble(const std::string& device) {
  CudaOptions options;
  options.device = device;
  options.driver = options.nvrtc = options.cublasLt = options.cudnn = options.nccl =
      fusebench::test::cudaDoublePath();
  options.cacheDirectory =
      (std::filesystem::path(::testing::TempDir()) / "fusebench-no-cache").string();
  options.diskCache = false;
  return options;
}

std::unique_ptr<Backend> backendWithNvrtc(std::string_view version) {
  const std::string text(version);
  const int number = std::atoi(text.c_str()) * 1000 + std::atoi(&text[text.find('.') + 1]) * 10;
  CudaOptions options = onDouble();
  options.nvrtc = unopenedDouble();
  setenv("FUSEBENCH_DOUBLE_NVRTC", std::to_string(number).c_str(), 1);
  auto made = makeCudaBackend(options);
  unsetenv("FUSEBENCH_DOUBLE_NVRTC");
  return made;
}

}  // namespace test

std::unique_ptr<Backend> makeTestBackend() {
  return makeCudaBackend(test::onDouble());
}
/// The double has two devices, so two of three ranks share one.
std::unique_ptr<Backend> makeRankBackend(int rank) {
  return makeCudaBackend(test::onDouble(std::to_string(rank % 2)));
}

}  // namespace fusebench
