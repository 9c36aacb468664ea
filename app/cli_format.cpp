// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/base/saying.h"
#include "profiler/analysis/wording.h"

namespace fusebench::cli {
namespace {

std::string withEnds(const Estimate& estimate, std::string value, const std::string& ends) {
  const bool known = estimate.kind == Estimate::Kind::interval && !ends.empty();
  return known ? fmt::format("{} [{}]", value, ends) : std::move(value);
}

/// One character of UTF-8, or one byte of text that is not UTF-8.
std::string_view firstCharacter(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t bytes = lead < 0xc0 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return text.substr(0, bytes);
}

/// Ideographs, their punctuation and full-width forms, each of three bytes.
bool isWide(std::string_view character) {
  if (character.size() != 3) return false;
  const auto lead = static_cast<unsigned char>(character[0]);
  const auto next = static_cast<unsigned char>(character[1]);
  return (lead >= 0xe4 && lead <= 0xe9) || (lead == 0xe3 && next >= 0x80) ||
         (lead == 0xef && next >= 0xbc);
}

/// Marks that belong to the text before them, so that no line begins with one.
bool closes(std::string_view character) {
  constexpr std::string_view kMarks = "，。；：、！？）”’》」";
  return character.size() == 3 && kMarks.find(character) != std::string_view::npos;
}

/// Marks that belong to what comes after them, and so end no line.
bool opens(std::string_view character) {
  constexpr std::string_view kMarks = "（“‘《「";
  return character.size() == 3 && kMarks.find(character) != std::string_view::npos;
}

/// The pieces of a word: it may be divided at Chinese characters, but not from their marks.
std::vector<std::string_view> piecesOf(std::string_view word) {
  std::vector<std::string_view> pieces;
  std::size_t start = 0;
  std::string_view last;
  for (std::size_t at = 0; at < word.size(); at += last.size()) {
    const std::string_view next = firstCharacter(word.substr(at));
    const bool divides = (isWide(last) || isWide(next)) && !opens(last) && !closes(next);
    if (at > start && divides) {
      pieces.push_back(word.substr(start, at - start));
      start = at;
    }
    last = next;
  }
  pieces.push_back(word.substr(start));
  return pieces;
}

}  // namespace

std::string leftText(double seconds) {
  const auto whole = static_cast<long>(std::ceil(std::max(seconds, 0.0)));
  if (whole < 60) return fmt::format("{} s", whole);
  return saying("{} min {} s", whole / 60, whole % 60);
}

std::size_t columnsOf(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const std::string_view character = firstCharacter(text);
    columns += isWide(character) ? 2 : 1;
    text.remove_prefix(character.size());
  }
  return columns;
}

std::string orDash(std::string text) {
  if (text.empty()) text = "-";
  return text;
}

std::string estimateText(const Estimate& estimate, double times) {
  if (estimate.kind == Estimate::Kind::none) return "-";
  return withEnds(estimate, digits(times * estimate.value),
                  endsText(times * estimate.value, times * estimate.low, times * estimate.high));
}

std::string timeEstimateText(const Estimate& estimate) {
  return withEnds(estimate, timeText(estimate.value),
                  timeEndsText(estimate.value, estimate.low, estimate.high));
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths(rows_.front().size());
  for (const auto& row : rows_)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], columnsOf(row[c]));
  return widths;
}

std::size_t Table::width() const {
  std::size_t total = 0;
  for (const std::size_t column : widths()) total += column + 2;
  return total - 2;
}

std::string Table::text() const {
  const auto columns = widths();
  std::string text;
  for (const auto& row : rows_) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (c > 0) line += "  ";
      const std::string room(columns[c] - columnsOf(row[c]), ' ');
      line += c >= leftFrom_ ? row[c] + room : room + row[c];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string wrapped(std::string_view given, std::string_view indent, std::size_t width) {
  const std::string text = wording::closedUp(given);
  std::string out, line(indent);
  std::size_t taken = columnsOf(indent);
  bool empty = true;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find(' ', start), text.size());
    std::string_view before = " ";
    for (const std::string_view piece :
         piecesOf(std::string_view(text).substr(start, end - start))) {
      const std::size_t columns = columnsOf(piece);
      if (!empty && taken + before.size() + columns > width) {
        out += line + "\n";
        line = indent;
        taken = columnsOf(indent);
        empty = true;
      }
      if (!empty) {
        line += before;
        taken += before.size();
      }
      line += piece;
      taken += columns;
      empty = false;
      before = "";
    }
    start = end + 1;
  }
  return out + line + "\n";
}

}  // namespace fusebench::cli
