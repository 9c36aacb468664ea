// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fusebench::cuda {

/// Lines of a source, each with the op that it stands for.
class SourceText {
 public:
  /// One line at the current indentation; an empty one stays empty.
  void line(std::string_view text, int op = -1);
  /// Several lines as they are, with a blank one behind them.
  void block(std::string_view lines);
  /// "text {", and what follows is indented.
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

/// Identifiers of one source, no two alike.
class Names {
 public:
  void reserve(std::string_view name) { taken_.insert(std::string(name)); }
  /// `wanted` with what no identifier may hold replaced, and a number where it is taken.
  std::string make(std::string_view wanted);

 private:
  std::set<std::string, std::less<>> taken_;
};

/// Letters, digits and single underscores of a text, the rest turned into underscores.
std::string identifier(std::string_view text);

/// A float literal: decimal where that is exact however it is read, else hexadecimal; infinities
/// and NaN by their bits. Negative ones begin with a minus sign.
std::string floatText(float value);
/// The same for a double.
std::string doubleText(double value);

}  // namespace fusebench::cuda
