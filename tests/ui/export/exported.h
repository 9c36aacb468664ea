// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "profiler/run/run.h"
#include "tests/ui/synthetic.h"
#include "ui/export/report/report.h"

namespace fusebench::test {

/// A synthetic run as it is read from a file: with its program.
inline Run measuredRun(int samples = 31) {
  return parseRun(runText(syntheticRun(samples)), "run");
}

/// The run, which must outlive this, as exports take it.
inline ExportedRun exportedOf(const Run& run, const std::string& name = "one") {
  return {name, &run, findCrossings(run)};
}

}  // namespace fusebench::test
