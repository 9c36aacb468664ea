// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/edit/sketch.h"
#include "profiler/experiment/experiment.h"
#include "ui/models/setup/document_problems.h"
#include "ui/models/setup/document_tensors.h"

namespace fusebench {

/// A state of the document that is to be read.
struct ReadingRequest {
  Experiment experiment;
  std::vector<ParkedTensor> parked;
  std::shared_ptr<const Sketch> before;  ///< the text that was read last
  bool follow = false;                   ///< whether the inputs have to be adapted to the text
  /// Number of statements before the edit, if an axis has to follow the program's length.
  std::optional<std::size_t> lengthBefore;
  std::optional<std::vector<int>> opsNow;  ///< if they are known
  bool anew = false;                       ///< a different document, even if its text is the same

  bool textChanged() const { return anew || before->text != experiment.programText; }
  /// Whether reading it may take a moment only.
  bool isSmall() const;
};

/// Everything derived from the text and the settings of a document. Reading takes as long as
/// reading and planning the program, which for hostile text is the whole limit.
struct DocumentReading {
  std::shared_ptr<const Sketch> sketch;
  std::vector<int> opsNow;  ///< for each op of the sketch before its index now; -1: gone
  Experiment experiment;    ///< with inputs and axes that follow the text
  std::vector<ParkedTensor> parked;
  std::vector<Problem> problems;
  /// By the name of an input set: see sketchTypes() and sketchLayouts().
  std::map<std::string, std::vector<std::optional<ValueType>>> types;
  std::map<std::string, std::vector<std::optional<TensorLayout>>> layouts;
};

/// Reads a state. It ends soon after a stop is requested, with a result that must not be used.
DocumentReading readDocument(ReadingRequest request, const std::stop_token& stop = {});

}  // namespace fusebench
