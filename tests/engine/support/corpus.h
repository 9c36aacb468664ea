// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "engine/language/parser.h"
#include "tests/support/built_paths.h"

namespace fusebench {

/// A function or module of tests/corpus, as a person would paste it.
struct CorpusEntry {
  std::string name;
  std::string text;
  std::vector<std::pair<std::string, ValueType>> inputs;  ///< in the header's order
  std::string waitsFor;  ///< what it needs that is not there; empty: it is accepted
  bool uniform = false;  ///< inputs are drawn from [0, 1) instead of normally

  ProgramHints hints() const { return {inputs.begin(), inputs.end()}; }
};

/// "x (4, 8), w (8,)" of a header's line.
inline std::vector<std::pair<std::string, ValueType>> corpusInputs(const std::string& line) {
  std::vector<std::pair<std::string, ValueType>> found;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(" ,", at)) != std::string::npos) {
    const std::size_t open = line.find('(', at), close = line.find(')', at);
    std::pair<std::string, ValueType> input;
    input.first = line.substr(at, line.find(' ', at) - at);
    std::stringstream extents(line.substr(open + 1, close - open - 1));
    for (std::string extent; std::getline(extents, extent, ',');)
      if (extent.find_first_not_of(' ') != std::string::npos)
        input.second.shape.push(std::stoll(extent));
    found.push_back(std::move(input));
    at = close + 1;
  }
  return found;
}

/// All of them, by name.
inline std::vector<CorpusEntry> corpus() {
  std::vector<CorpusEntry> all;
  const std::filesystem::path folder =
      std::filesystem::path(fusebench::test::sourcePath()) / "tests" / "corpus";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() != ".py") continue;
    CorpusEntry entry;
    entry.name = file.path().stem().string();
    std::ifstream in(file.path());
    std::stringstream text;
    text << in.rdbuf();
    entry.text = text.str();
    std::stringstream lines(entry.text);
    for (std::string line; std::getline(lines, line) && line.starts_with("# ");) {
      if (line.starts_with("# inputs: ")) entry.inputs = corpusInputs(line.substr(10));
      if (line.starts_with("# waits for: ")) entry.waitsFor = line.substr(13);
      if (line == "# fill: uniform") entry.uniform = true;
    }
    all.push_back(std::move(entry));
  }
  std::sort(all.begin(), all.end(),
            [](const CorpusEntry& a, const CorpusEntry& b) { return a.name < b.name; });
  return all;
}

}  // namespace fusebench
