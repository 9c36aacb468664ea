// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/edit/sketch_model.h"

namespace fusebench {

/// The model as text. Each line stays as written if it still has the meaning of the model;
/// otherwise the names, the one number that changed, or the whole statement are rewritten. Throws
/// EditRefused if there is no such text.
SketchEdit writeSketch(SketchModel model);

/// Names the statements that have no name yet, and those whose value would lose its name too soon.
void nameValues(SketchModel& model);

}  // namespace fusebench
