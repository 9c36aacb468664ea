// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <set>
#include <vector>

#include "engine/language/program.h"
#include "profiler/experiment/experiment.h"
#include "profiler/experiment/module_origins.h"

namespace fusebench {

struct CanvasGraph;

/// Where the ops of a sketch come from in the user's model.
struct CanvasOrigins {
  bool captured = false;          ///< frames are by module path, not by calls
  std::vector<ModuleOrigin> ops;  ///< by op of the sketch; empty: unknown
  std::set<QString> weights;      ///< parameters and buffers
};

/// For the experiment's first program, whose sketch is `program`.
CanvasOrigins canvasOrigins(const Experiment& experiment, const Program& program);

/// Frames of a program, and which op is in which.
struct ModuleFrames {
  std::vector<Frame> frames;
  std::vector<QString> modules;  ///< by frame its path; empty: not a module
  std::vector<int> ofOp;         ///< innermost; -1: none
};
/// A captured program has a frame for each sequence of ops of one module, within that of the parent
/// module, and for long sequences of a module's own ops. Its other frames are within these; other
/// programs only have such frames.
ModuleFrames moduleFrames(const Program& program, const CanvasOrigins& origins);

/// The number of boxes as which a large program opens, if its modules allow it.
inline constexpr int kLeastBoxes = 10, kMostBoxes = 40;

/// The keys of the frames to fold so that a program opens as kLeastBoxes to kMostBoxes boxes: the
/// first level of its frames that gives enough. Where the next level would give too many, only its
/// largest frames are open. `open`: with nothing folded.
std::set<QString> overviewFolds(const CanvasGraph& open);

/// Nodes that match all words of a search, in the program's order: by op, code, module path, source
/// line, or an input's name. Includes hidden nodes.
std::vector<int> nodesFound(const CanvasGraph& graph, const QString& search);

/// The keys of all frames around a node of the graph.
std::vector<QString> framesAround(const CanvasGraph& graph, int node);

/// Gives each node and frame of a folded graph its share of the time of a recorded call.
/// `statements`: the time of each statement, the return last; ops of a statement share it equally.
/// If their number is not that of the graph's program, no share is set.
void setShares(CanvasGraph& graph, const std::vector<double>& statements);

/// "12 %", "0.3 %".
QString shareText(double share);

}  // namespace fusebench
