// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/ops/accumulators.h"

namespace fusebench::cuda {

/// How one way to accumulate looks in CUDA C++; where positions count, add() takes the element's,
/// too. The state that threads hand each other is a struct
/// of 8-byte words, `State`, with functions merged(State, State) and fromLane(State, lanes); what a
/// thread gathers first, `Gathering`, may be another one, with gathered(Gathering).
struct AccumulatorText {
  std::string_view state;      ///< "Sum"
  std::string_view gathering;  ///< "Sum", "Shifted"
  std::string_view nothing;    ///< initializer of the gathering: "{0.0}"
  std::string_view none;       ///< initializer of the state
  std::string_view result;     ///< member that the result is computed from
  std::string_view count{};    ///< member that counts the elements; empty: all of them count
  bool addsFour = false;       ///< there is an add() of four values
  std::size_t bytes = 8;       ///< size of the state
  std::string_view definition;
  std::string_view words;  ///< for the interpreter: words(state) and take(state, words)
};
const AccumulatorText& accumulatorText(Accumulate kind);

/// acrossRow() or acrossColumn(): merges the states of threads that work on one result.
std::string_view acrossRowText();
std::string_view acrossColumnText();
/// isLastBlock().
std::string_view lastBlockText();

}  // namespace fusebench::cuda
