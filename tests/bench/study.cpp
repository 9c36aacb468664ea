// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/study.h"

#include "profiler/experiment/experiment.h"
#include "profiler/files/resources.h"

namespace fusebench {

const Program& studyProgram() {
  static const char* const kFile = "experiments/fusion_study.json";
  static const Program program = parseExperiment(resourceText(kFile), kFile).program;
  return program;
}

}  // namespace fusebench
