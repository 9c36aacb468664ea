// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace fusebench::test {

/// A Python with PyTorch, or nothing.
inline std::string pythonWithTorch() {
  for (const char* python : {"/usr/bin/python3", "python3"})
    if (std::system((std::string(python) + " -c 'import torch' >/dev/null 2>&1").c_str()) == 0)
      return python;
  return {};
}

/// The one that FUSEBENCH_PYTHON names, if it has PyTorch; else the other.
inline std::string newestPythonWithTorch() {
  const char* const named = std::getenv("FUSEBENCH_PYTHON");
  if (named &&
      std::system((std::string("'") + named + "' -c 'import torch' >/dev/null 2>&1").c_str()) == 0)
    return named;
  return pythonWithTorch();
}

inline constexpr const char* kNoTorch =
    "no Python with PyTorch here; apt-get install python3-torch runs this test";

/// Runs a script and returns its output, errors included.
inline std::string runPython(const std::string& python, const std::string& script) {
  static int count = 0;
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() /
      ("fusebench_torch_" + std::to_string(::getpid()) + "_" + std::to_string(++count) + ".py");
  std::ofstream(path) << script;
  std::string output;
  FILE* pipe = ::popen((python + " '" + path.string() + "' 2>&1").c_str(), "r");
  char buffer[4096];
  while (pipe && std::fgets(buffer, sizeof buffer, pipe)) output += buffer;
  if (pipe) ::pclose(pipe);
  std::filesystem::remove(path);
  return output;
}

}  // namespace fusebench::test
