// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "engine/edit/sketch.h"
#include "profiler/experiment/experiment.h"

namespace fusebench {

/// A reason why the experiment cannot be run.
struct Problem {
  enum class Where { program, inputs, variants, axes, measure, header };
  Where where = Where::program;
  int index = -1;     ///< program: statement; else position in its list
  int op = -1;        ///< program: the op that causes it, if there is one
  SourcePlace place;  ///< program: in the text
  QString field;      ///< otherwise: the setting, as named in the experiment file
  QString text;       ///< in words, with a remedy
};

/// The layout of a tensor in memory, in elements.
struct TensorLayout {
  std::vector<std::int64_t> extents, strides;
  std::int64_t offset = 0;  ///< distance of its first element from that of the viewed tensor
  ValueId of = -1;          ///< value whose memory it uses; -1: it has its own

  friend bool operator==(const TensorLayout&, const TensorLayout&) = default;
};
/// Layouts of the sketch's values at the axes' first values, as far as they are known. For an
/// invalid program, or one with gradients, only the layouts of the inputs.
std::vector<std::optional<TensorLayout>> sketchLayouts(const Experiment& experiment,
                                                       const Sketch& sketch, const InputSet& set);

/// Types of the sketch's values for entry 0 of an input set, at the axes' first values; nothing for
/// unknown ones. Shapes that do not fit are added to `mismatches`.
std::vector<std::optional<ValueType>> sketchTypes(const Experiment& experiment,
                                                  const Sketch& sketch, const InputSet& set,
                                                  std::vector<SketchProblem>& mismatches);

/// All problems of an experiment whose text is read as `sketch`, each once, in the most specific
/// place: mismatched shapes are listed at the op instead of the variant.
std::vector<Problem> documentProblems(const Experiment& experiment, const Sketch& sketch);

}  // namespace fusebench
