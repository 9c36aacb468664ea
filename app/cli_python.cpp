// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_python.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "app/cli_commands.h"
#include "engine/base/saying.h"
#include "profiler/files/input_error.h"
#include "profiler/protocol/captured_command.h"
#include "profiler/study/torch_worker.h"

namespace fusebench::cli {
namespace {

// Nothing is imported from the current folder, which -c would search first.
constexpr double kImportSeconds = 60;
constexpr const char* kImport =
    "import sys; sys.path = [p for p in sys.path if p]; from fusebench.__main__ import main";
constexpr const char* kRun =
    "import sys; sys.path = [p for p in sys.path if p]; from fusebench.__main__ import main; "
    "sys.exit(main(sys.argv[1:]))";

}  // namespace

bool namesBenchmarks(int argc, char** argv) {
  if (argc < 3 || std::string_view(argv[1]) != "run" || !std::string_view(argv[2]).ends_with(".py"))
    return false;
  std::ifstream file(argv[2]);
  for (std::string line; std::getline(file, line);) {
    const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
    const std::string_view words = std::string_view(line).substr(begin);
    if (words.starts_with("import fusebench") || words.starts_with("from fusebench")) return true;
  }
  return false;
}

int runPythonFile(int argc, char** argv) {
  const std::string python = chosenPython("");
  if (runCaptured({python, "-c", kImport}, -1, kImportSeconds).exitCode != 0)
    throw InputError(
        saying("{}: Python files need the Python package fusebench in {}; install the "
               "wheel there with pip, or name another Python with FUSEBENCH_PYTHON",
               argv[2], python));
  ::setenv("FUSEBENCH_CLI", ownPath().c_str(), /*overwrite=*/1);
  std::vector<const char*> arguments = {python.c_str(), "-c", kRun};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  arguments.push_back(nullptr);
  ::execvp(python.c_str(), const_cast<char* const*>(arguments.data()));
  throw InputError(
      saying("{} could not be started; name another Python with FUSEBENCH_PYTHON", python));
}

}  // namespace fusebench::cli
