// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fusebench::cuda {

/// Lines of a source, each with the op that it belongs to.
class SourceText {
 public:
  /// One line at the current indentation; an empty line stays empty.
  void line(std::string_view text, int op = -1);
  /// Several lines unchanged, followed by a blank line.
  void block(std::string_view lines);
  /// Writes "text {", and indents what follows.
  void open(std::string_view text, int op = -1);
  void close(std::string_view text = "}");
  /// Indents the lines that follow, until the next close().
  void indent() { indent_ += 2; }

  std::string takeText() { return std::move(text_); }
  std::vector<int> takeOps() { return std::move(ops_); }

 private:
  std::string text_;
  std::vector<int> ops_;
  std::size_t indent_ = 0;
};

/// Identifiers of one source, all different.
class Names {
 public:
  void reserve(std::string_view name) { taken_.insert(std::string(name)); }
  /// `wanted` with invalid characters replaced, and with a number appended if it is taken.
  std::string make(std::string_view wanted);

 private:
  std::set<std::string, std::less<>> taken_;
};

/// Letters, digits and single underscores of a text; other characters become underscores.
std::string identifier(std::string_view text);

/// A float literal: decimal if that is exact however it is read, otherwise hexadecimal; infinities
/// and NaN by their bits. Negative ones begin with a minus sign.
std::string floatText(float value);
/// The same for a double.
std::string doubleText(double value);

}  // namespace fusebench::cuda
