// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/codegen/stencil.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

namespace fusebench::cpu {

std::size_t Stencil::wordOf(std::size_t operand) const {
  std::size_t words = 0;
  for (std::size_t o = 0; o < operand; ++o)
    if (forms[o] == Form::number)
      words += wordsOfNumber();
    else if (forms[o] != Form::working && forms[o] != Form::none)
      ++words;
  return words;
}

std::size_t Stencil::words() const {
  if (kind != Kind::op) return kind == Kind::next || kind == Kind::round ? 0 : 1;
  return wordOf(forms.size()) +
         wordsOfNumber() * static_cast<std::size_t>(std::ranges::count(
                               row->parameters, Parameter::Kind::number, &Parameter::kind));
}

std::string Stencil::text() const {
  static constexpr const char* kNames[] = {"op",    "load", "keep",  "store", "round", "accumulate",
                                           "total", "next", "enter", "reset", "flush", "finish"};
  std::string text = fmt::format("stencil {}", kNames[static_cast<std::size_t>(kind)]);
  if (row) text += fmt::format(" {}", row->name);
  text += fmt::format(" {} ", static_cast<int>(dtype));
  for (std::size_t o = 0; o < 3; ++o)
    text += fmt::format("{}{}", static_cast<char>(forms[o]), truths[o] ? "?" : "");
  for (const double value : structural) text += fmt::format(" {}", value);
  for (const RangeClass each : known)
    if (const Range range = rangeOf(each); each != 0)
      text += fmt::format(" [{}, {}]", range.low, range.high);
    else if (kind == Kind::op)
      text += " [any]";
  if (kind >= Kind::reset || kind == Kind::accumulate || kind == Kind::total)
    text += fmt::format(" acc{}{}{}", static_cast<int>(accumulate), masked ? " masked" : "",
                        lanes ? " lanes" : "");
  if (computed != TypeClass::float32) text += fmt::format(" in {}", info(storageOf(computed)).name);
  return text;
}

std::uint64_t Stencil::key() const {
  if (!structural.empty()) return 0;
  const auto at = [](auto value, unsigned bit) { return static_cast<std::uint64_t>(value) << bit; };
  std::uint64_t key =
      1 | at(kind, 1) | at(dtype, 5) | at(accumulate, 9) | at(masked, 13) | at(lanes, 14) |
      at(row ? opIndex(*row) + 1 : 0, kKeyRow) |
      // None of float32, whose keys are put together piece by piece.
      at(static_cast<unsigned>(computed) ^ static_cast<unsigned>(TypeClass::float32), kKeyComputed);
  for (unsigned o = 0; o < forms.size(); ++o)
    key |= keyOfOperand(o, forms[o], known[o]) | at(truths[o], kKeyOperands + kKeyOperand * o + 7);
  return key;
}

std::uint64_t Stencil::keyOfOp(const OpRow& row, DType dtype, unsigned truths) {
  Stencil stencil{.kind = Kind::op, .row = &row, .dtype = dtype};
  for (unsigned o = 0; o < static_cast<unsigned>(row.arity); ++o) {
    stencil.forms[o] = Form{};  // no bits of it yet
    stencil.truths[o] = (truths >> o) & 1u;
  }
  return stencil.key();
}

}  // namespace fusebench::cpu
