// SPDX-License-Identifier: GPL-3.0-or-later
// docs/pytorch-support.md has lists that are made from the tables that decide what is read. With
// FUSEBENCH_WRITE_DOCS=1 in the environment, the test writes them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "engine/language/aten_table.h"
#include "engine/language/library.h"
#include "engine/language/program_builder.h"
#include "engine/language/torch_names.h"
#include "engine/ops/op_choices.h"
#include "engine/ops/ops.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

/// Words in lines of at most 120 letters, with commas between them; lines after the first begin
/// with `indent`.
std::string wrappedList(const std::vector<std::string>& words, const std::string& indent = {}) {
  constexpr std::size_t kWidth = 120;
  std::string text, line;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i] + (i + 1 < words.size() ? "," : "");
    if (!line.empty() && line.size() + 1 + word.size() > kWidth) {
      text += line + "\n";
      line = indent + word;
      continue;
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return text + line + "\n";
}

std::string coded(std::string_view word) {
  return "`" + std::string(word) + "`";
}

/// The name by which a row is called, then its operator.
std::string spellingOf(const OpRow& row) {
  std::string name, symbol;
  for (const std::string_view each : row.spellings) {
    const bool called = each.find('.') != std::string_view::npos;
    std::string& into = called ? name : symbol;
    if (into.empty()) into = each;
  }
  if (name.empty()) return symbol.empty() ? std::string() : coded(symbol);
  return coded(name) + (symbol.empty() ? "" : " (" + coded(symbol) + ")");
}

std::string opsText() {
  std::vector<Category> order;
  std::map<Category, std::vector<std::string>> byCategory;
  for (const OpRow& row : opRows()) {
    const std::string spelling = spellingOf(row);
    if (spelling.empty()) continue;
    std::vector<std::string>& names = byCategory[row.category];
    if (names.empty()) order.push_back(row.category);
    if (std::ranges::find(names, spelling) == names.end()) names.push_back(spelling);
  }
  std::string text;
  for (const Category category : order) {
    std::vector<std::string> words = byCategory[category];
    words.front() = "- " + std::string(title(category)) + ": " + words.front();
    text += wrappedList(words, "  ");
  }
  return text;
}

std::string functionsText() {
  std::vector<std::string> words;
  for (const std::string& name : libraryFunctions())  // some are the language's own
    if (isTorchName("torch." + name) || isTorchName("torch.nn.functional." + name) ||
        isTorchName("Tensor." + name))
      words.push_back(coded(name));
  return wrappedList(words);
}

std::string classesText() {
  std::vector<std::string> words;
  for (const std::string& name : libraryClasses())
    words.push_back(coded(std::string_view(name).substr(
        name.starts_with("torch.") ? std::string_view("torch.").size() : 0)));
  return wrappedList(words);
}

bool isRead(const std::string& name) {
  const auto has = [&](const std::vector<std::string>& names, const std::string& wanted) {
    return std::ranges::find(names, wanted) != names.end();
  };
  if (has(libraryFunctions(), name) || has(libraryClasses(), "torch.nn." + name)) return true;
  return std::ranges::any_of(
      std::initializer_list<const char*>{"torch.", "F.", "x."},
      [&](const char* module) { return ProgramBuilder::knows(module + name); });
}

/// Names with one remedy share a line.
std::string refusedText() {
  std::vector<std::pair<std::string_view, std::vector<std::string>>> all;
  for (const Remedy& remedy : remedies()) {
    if (isRead(std::string(remedy.name))) continue;
    const auto known = std::ranges::find(all, remedy.remedy, &decltype(all)::value_type::first);
    if (known == all.end())
      all.push_back({remedy.remedy, {coded(remedy.name)}});
    else
      known->second.push_back(coded(remedy.name));
  }
  std::string text;
  for (const auto& [remedy, names] : all) {
    std::vector<std::string> words = names;
    words.front().insert(0, "- ");
    std::string line = wrappedList(words, "  ");
    line.pop_back();
    std::istringstream each{std::string(remedy)};
    std::vector<std::string> rest;
    line += ":";
    std::size_t width =
        line.size() - (line.rfind('\n') == std::string::npos ? 0 : line.rfind('\n'));
    for (std::string word; each >> word;) {
      if (width + 1 + word.size() > 118) {
        line += "\n ";
        width = 1;
      }
      line += " " + word;
      width += 1 + word.size();
    }
    text += line + "\n";
  }
  return text;
}

std::string refusedOverloads() {
  std::vector<std::string> words;
  for (const AtenRow& row : atenRows())
    if (!row.supported())
      words.push_back(coded(row.name + (row.overload == "default" ? "" : "." + row.overload)));
  return wrappedList(words);
}

/// The page with what is between its marks put in.
std::string withLists(std::string page) {
  const std::pair<std::string_view, std::string> lists[] = {
      {"ops", opsText()},
      {"functions", functionsText()},
      {"classes", classesText()},
      {"refused names", refusedText()},
      {"refused overloads", refusedOverloads()}};
  for (const auto& [name, text] : lists) {
    const std::string begin = "<!-- made from tables: " + std::string(name) + " -->\n\n";
    const std::size_t at = page.find(begin);
    const std::size_t end = at == std::string::npos ? at : page.find("\n<!-- end -->", at);
    if (end == std::string::npos) {
      ADD_FAILURE() << "the page has no marks for: " << name;
      continue;
    }
    page.replace(at + begin.size(), end - at - begin.size(), text);
  }
  return page;
}

TEST(SupportedPage, HasTheListsOfTheTables) {
  const std::string path = test::sourcePath("/docs/pytorch-support.md");
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  const std::string wanted = withLists(text.str());
  if (std::getenv("FUSEBENCH_WRITE_DOCS")) {
    std::ofstream(path) << wanted;
    return;
  }
  EXPECT_TRUE(text.str() == wanted) << "write the lists anew: FUSEBENCH_WRITE_DOCS=1 engine-tests "
                                       "--gtest_filter='SupportedPage*'";
}

TEST(SupportedPage, RefusesWhatItListsAsRefused) {
  for (const Remedy& remedy : remedies()) {
    const std::string name(remedy.name);
    if (isRead(name)) continue;
    try {
      parseProgram("import torch\ndef f(x):\n  return torch." + name + "(x)",
                   {{"x", {{4, 4}, DType::float32}}});
      ADD_FAILURE() << name << " is read; take its remedy out";
    } catch (const ProgramError& error) {
      EXPECT_NE(std::string(error.what()), "");
    }
  }
}

}  // namespace
}  // namespace fusebench
