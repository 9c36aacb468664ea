// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/export/table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/saying.h"

namespace fusebench {
namespace {

std::string replaced(const std::string& text,
                     std::span<const std::pair<std::string_view, std::string_view>> pairs) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto found = std::find_if(pairs.begin(), pairs.end(), [&](const auto& pair) {
      return std::string_view(text).substr(i).starts_with(pair.first);
    });
    if (found == pairs.end()) {
      result += text[i++];
    } else {
      result += found->second;
      i += found->first.size();
    }
  }
  return result;
}

}  // namespace

std::string markdown(const std::string& text) {
  static constexpr std::pair<std::string_view, std::string_view> kPairs[] = {
      {"\\", "\\\\"}, {"|", "\\|"},  {"*", "\\*"}, {"_", "\\_"}, {"`", "\\`"},
      {"[", "\\["},   {"<", "&lt;"}, {"~", "\\~"}, {"\n", " "}};
  return replaced(text, kPairs);
}

std::string latex(const std::string& text) {
  static constexpr std::pair<std::string_view, std::string_view> kPairs[] = {
      {"\\", "\\textbackslash{}"},
      {"~", "\\textasciitilde{}"},
      {"^", "\\textasciicircum{}"},
      {"&", "\\&"},
      {"%", "\\%"},
      {"$", "\\$"},
      {"#", "\\#"},
      {"_", "\\_"},
      {"{", "\\{"},
      {"}", "\\}"},
      {"<", "\\textless{}"},
      {">", "\\textgreater{}"},
      {"µ", "$\\mu$"},
      {"×", "$\\times$"},
      {"≈", "$\\approx$"},
      {" – ", "--"},
      {"–", "--"},
      {"\u202f", "\\,"},
      {"\u2009", "\\,"},
      {"\n", " "}};
  return replaced(text, kPairs);
}

std::string markdownTable(const ExportTable& table) {
  const auto row = [](const std::vector<std::string>& cells) {
    std::string line = "|";
    for (const std::string& cell : cells) line += fmt::format(" {} |", markdown(cell));
    return line + "\n";
  };
  std::string text = row(table.header) + "|";
  for (const bool numeric : table.numeric) text += numeric ? " ---: |" : " :--- |";
  text += "\n";
  for (const auto& cells : table.rows) text += row(cells);
  return text;
}

std::string latexTable(const ExportTable& table) {
  const auto row = [](const std::vector<std::string>& cells) {
    // The end of the row above would take a bracket or a star as its own argument.
    std::string line = !cells.empty() && cells[0].find_first_of("[*") == 0 ? "{}" : "";
    for (std::size_t i = 0; i < cells.size(); ++i)
      line += fmt::format("{}{}", i == 0 ? "" : " & ", latex(cells[i]));
    return fmt::format("    {} \\\\\n", line);
  };
  std::string text = "  \\begin{tabular}{";
  for (const bool numeric : table.numeric) text += numeric ? 'r' : 'l';
  text += "}\n    \\toprule\n" + row(table.header) + "    \\midrule\n";
  for (const auto& cells : table.rows) text += row(cells);
  return text + "    \\bottomrule\n  \\end{tabular}\n";
}

}  // namespace fusebench
