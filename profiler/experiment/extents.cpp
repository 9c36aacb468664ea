// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <cctype>
#include <optional>
#include <span>

#include "engine/base/saying.h"
#include "engine/base/shown_text.h"
#include "profiler/experiment/experiment.h"

namespace fusebench {
namespace {

/// Recursive descent over + - * // % ( ) and unary minus, with Python's meaning of // and %.
class ExtentParser {
 public:
  ExtentParser(std::string_view text, std::span<const Binding> bindings)
      : text_(text), bindings_(bindings) {}

  std::int64_t value() {
    const std::int64_t result = sum();
    skipSpace();
    if (at_ < text_.size()) fail(saying("unexpected \"{}\"", shownName(text_.substr(at_, 1))));
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(saying("extent \"{}\", column {}: {}", shownName(text_), at_ + 1, what));
  }
  void skipSpace() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(std::string_view token) {
    skipSpace();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  std::int64_t sum() {
    std::int64_t left = product();
    while (true) {
      if (take("+")) {
        left = checked(left, product(), '+');
      } else if (take("-")) {
        left = checked(left, product(), '-');
      } else {
        return left;
      }
    }
  }

  std::int64_t product() {
    std::int64_t left = factor();
    while (true) {
      if (take("//")) {
        left = floorDivide(left, factor());
      } else if (take("*")) {
        left = checked(left, factor(), '*');
      } else if (take("%")) {
        const std::int64_t right = factor();
        left = left - floorDivide(left, right) * right;
      } else {
        return left;
      }
    }
  }

  std::int64_t factor() {
    if (++depth_ > 50) fail(saying("too deeply nested"));
    const std::int64_t value = plainFactor();
    --depth_;
    return value;
  }

  std::int64_t plainFactor() {
    if (take("-")) return checked(0, factor(), '-');
    if (take("(")) {
      const std::int64_t inner = sum();
      if (!take(")")) fail(saying("a \")\" is missing"));
      return inner;
    }
    skipSpace();
    if (at_ >= text_.size()) fail(saying("a number or a name is missing at the end"));
    const auto first = static_cast<unsigned char>(text_[at_]);
    if (std::isdigit(first)) return integer();
    if (std::isalpha(first) || first == '_') return named();
    fail(saying(
        "found \"{}\" where a number or a name is needed (known: + - * // % and parentheses)",
        shownName(text_.substr(at_, 1))));
  }

  std::int64_t integer() {
    std::int64_t value = 0;
    while (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])))
      value = checked(checked(value, 10, '*'), text_[at_++] - '0', '+');
    return value;
  }

  std::int64_t named() {
    const std::size_t start = at_;
    while (at_ < text_.size() &&
           (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      ++at_;
    const std::string_view name = text_.substr(start, at_ - start);
    for (const Binding& binding : bindings_)
      if (binding.name == name) return binding.value;
    at_ = start;
    std::string known;
    for (const Binding& binding : bindings_) known += fmt::format(" {}", binding.name);
    fail(saying("the name \"{}\" is unknown (known:{})", shownName(name), known));
  }

  std::int64_t checked(std::int64_t a, std::int64_t b, char operation) {
    std::int64_t result = 0;
    const bool overflow = operation == '+'   ? __builtin_add_overflow(a, b, &result)
                          : operation == '-' ? __builtin_sub_overflow(a, b, &result)
                                             : __builtin_mul_overflow(a, b, &result);
    if (overflow) fail(saying("the number is too large"));
    return result;
  }

  std::int64_t floorDivide(std::int64_t a, std::int64_t b) {
    if (b == 0) fail(saying("division by zero"));
    if (b == -1) return checked(0, a, '-');
    const std::int64_t quotient = a / b;
    return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
  }

  std::string_view text_;
  std::span<const Binding> bindings_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::int64_t evaluateExtent(std::string_view expression, std::span<const Binding> bindings) {
  return ExtentParser(expression, bindings).value();
}

}  // namespace fusebench
