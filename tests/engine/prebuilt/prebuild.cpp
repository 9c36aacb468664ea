// SPDX-License-Identifier: GPL-3.0-or-later
// Rebuilds resources/interpreter and resources/eager: fusebench-prebuild [FOLDER]. Needs NVRTC but
// not a GPU; takes minutes.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/cuda/instant/interpreter_source.h"
#include "engine/cuda/instant/prebuilt_interpreter.h"
#include "engine/cuda/shipped/shipped_kernels.h"
#include "tests/support/built_paths.h"

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
  const std::filesystem::path part = path.string() + ".part";
  std::ofstream file(part, std::ios::binary);
  if (!(file << text).flush()) throw std::runtime_error("cannot write " + part.string());
  file.close();
  std::filesystem::rename(part, path);
  std::printf("%s: %zu bytes\n", path.c_str(), text.size());
}

}  // namespace

int main(int argc, char** argv) {
  using namespace fusebench::cuda;
  const std::filesystem::path folder =
      argc > 1 ? std::string(argv[1]) : fusebench::test::sourcePath("/resources");
  if (argc > 2 || !std::filesystem::is_directory(folder / "interpreter") ||
      !std::filesystem::is_directory(folder / "eager")) {
    std::fprintf(
        stderr,
        "fusebench-prebuild: '%s' is no folder of resources (it has no 'interpreter' and 'eager'); "
        "usage: fusebench-prebuild [RESOURCES]\n",
        folder.c_str());
    return 2;
  }
  try {
    const auto nvrtc = Nvrtc::open(SearchPlaces::system());
    for (const bool reduces : {false, true}) {
      const std::string source = interpreterSource(reduces).text;
      const std::string name = reduces ? "reducing" : "pointwise";
      write(folder / "interpreter" / (name + ".ptx"), prebuildInterpreter(source, *nvrtc));
      for (const int architecture : kPrebuiltArchitectures)
        write(folder / "interpreter" / (name + ".sm_" + std::to_string(architecture) + ".z"),
              prebuildMachineCode(source, *nvrtc, architecture));
    }
    std::vector<CodeTarget> targets{{true, kShippedPtx}};
    for (const int architecture : kShippedArchitectures) targets.push_back({false, architecture});
    for (const CodeTarget& target : targets)
      write(folder / "eager" / (target.text() + ".kernels"), prebuildKernels(*nvrtc, target));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fusebench-prebuild: %s\n", error.what());
    return 1;
  }
  return 0;
}
