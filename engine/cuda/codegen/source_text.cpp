// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/codegen/source_text.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace fusebench::cuda {
namespace {

std::string withPoint(std::string text) {
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace

void SourceText::line(std::string_view text, int op) {
  if (!text.empty()) text_.append(indent_, ' ');
  text_.append(text);
  text_ += '\n';
  ops_.push_back(op);
}

void SourceText::block(std::string_view lines) {
  while (!lines.empty()) {
    const std::size_t end = std::min(lines.find('\n'), lines.size());
    line(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
  line("");
}

void SourceText::open(std::string_view text, int op) {
  line(fmt::format("{} {{", text), op);
  indent_ += 2;
}

void SourceText::close(std::string_view text) {
  indent_ -= 2;
  line(text);
}

std::string Names::make(std::string_view wanted) {
  const std::string base = identifier(wanted);
  std::string name = base;
  for (int i = 2; taken_.contains(name); ++i) name = fmt::format("{}_{}", base, i);
  taken_.insert(name);
  return name;
}

std::string identifier(std::string_view text) {
  std::string made;
  for (const char c : text) {
    const bool keeps = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (keeps)
      made += c;
    else if (made.empty() || made.back() != '_')
      made += '_';
  }
  while (made.size() > 1 && made.back() == '_') made.pop_back();
  return made;
}

std::string floatText(float value) {
  if (std::isnan(value)) return "__int_as_float(0x7fc00000)";
  if (std::isinf(value))
    return value > 0 ? "__int_as_float(0x7f800000)" : "-__int_as_float(0x7f800000)";
  const std::string decimal = withPoint(fmt::format("{}", value));
  // A compiler may read it as a double first: both ways must end at this float.
  const bool exact = static_cast<float>(std::strtod(decimal.c_str(), nullptr)) == value;
  return (exact ? decimal : fmt::format("{:a}", value)) + "f";
}

std::string doubleText(double value) {
  if (std::isnan(value)) return "__longlong_as_double(0x7ff8000000000000ll)";
  if (std::isinf(value))
    return value > 0 ? "__longlong_as_double(0x7ff0000000000000ll)"
                     : "-__longlong_as_double(0x7ff0000000000000ll)";
  return withPoint(fmt::format("{}", value));
}

}  // namespace fusebench::cuda
