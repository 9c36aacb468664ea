// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "engine/ops/ops.h"

namespace fusebench {

/// The choice of a row where PyTorch has several ops under one name: by the value of a keyword
/// argument that is not a run-time number, or by the value of an exponent. It is data, like the
/// rows, so that parsing and printing use the same list and no pass names an op.
struct OpChoice {
  enum class By : std::uint8_t {
    text,       ///< the keyword's value is the string `text`
    given,      ///< the keyword is given and is a number
    dtype,      ///< the keyword's value is the dtype `text`; it is always written
    exponent,   ///< the second operand is the Python number `number`
    parameter,  ///< the row's parameter `keyword` is `number`; NaN: has any value but its usual
                ///< one. Both rows have the same parameters
  };
  std::string_view from;  ///< row that the spelling alone selects
  By by;
  std::string_view keyword;  ///< not for exponents
  std::string_view text;
  double number;
  std::string_view to;  ///< row that is meant
};
std::span<const OpChoice> opChoices();

/// The row that a choice by parameter selects; null if there is none.
const OpRow* chosenByParameter(const OpRow& row, std::span<const double> parameters);

/// The choice by parameter that selects this row; null if there is none.
const OpChoice* parameterChoiceOf(const OpRow& row);

/// Other names of keywords: unbiased=True is correction=1, axis is dim.
struct KeywordAlias {
  std::string_view alias;
  std::string_view keyword;
  bool flag;  ///< the alias takes True or False, the keyword an int
};
std::span<const KeywordAlias> keywordAliases();

/// PyTorch names that are intentionally not in the table, with what to write instead.
struct Remedy {
  std::string_view name;  ///< last part of the dotted name
  std::string_view remedy;
};
std::span<const Remedy> remedies();
/// What to write instead of a name; null if there is nothing.
const Remedy* findRemedy(std::string_view name);

}  // namespace fusebench
