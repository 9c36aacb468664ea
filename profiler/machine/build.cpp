// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/machine/build.h"

#include <utility>

namespace fusebench {
namespace {

Build& notedBuild() {
  static Build noted;
  return noted;
}

}  // namespace

const Build& build() {
  return notedBuild();
}

void noteBuild(Build build) {
  notedBuild() = std::move(build);
}

}  // namespace fusebench
