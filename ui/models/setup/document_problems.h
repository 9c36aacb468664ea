// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "engine/edit/sketch.h"
#include "profiler/experiment/experiment.h"

namespace fusebench {

/// What keeps the experiment from being run.
struct Problem {
  enum class Where { program, inputs, variants, axes, measure, header };
  Where where = Where::program;
  int index = -1;     ///< program: statement; else position in its list
  int op = -1;        ///< program: op to blame, if one is
  SourcePlace place;  ///< program: in the text
  QString field;      ///< else: which setting, as the experiment file calls it
  QString text;       ///< in words, with a remedy
};

/// How a tensor lies in memory, in elements.
struct TensorLayout {
  std::vector<std::int64_t> extents, strides;
  std::int64_t offset = 0;  ///< of its first element from the first of what it is a view of
  ValueId of = -1;          ///< in whose memory it lies; -1: its own

  friend bool operator==(const TensorLayout&, const TensorLayout&) = default;
};
/// How the sketch's values lie where the axes begin, as far as it is known: of a program that is
/// not valid, or is differentiated, the inputs alone.
std::vector<std::optional<TensorLayout>> sketchLayouts(const Experiment& experiment,
                                                       const Sketch& sketch, const InputSet& set);

/// Types of the sketch's values for entry 0 of an input set, at the axes' first values; nothing
/// where they cannot be told. Shapes that do not fit are added to `mismatches`.
std::vector<std::optional<ValueType>> sketchTypes(const Experiment& experiment,
                                                  const Sketch& sketch, const InputSet& set,
                                                  std::vector<SketchProblem>& mismatches);

/// All problems of an experiment whose text is read as `sketch`, each once, at the most telling
/// place: shapes that do not fit stand at the op rather than at the variant.
std::vector<Problem> documentProblems(const Experiment& experiment, const Sketch& sketch);

}  // namespace fusebench
