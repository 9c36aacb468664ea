// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/compile_times.h"

namespace fusebench {

CompileTimes& CompileTimes::operator+=(const CompileTimes& other) {
  specialize += other.specialize;
  fusion += other.fusion;
  codegen += other.codegen;
  compiler += other.compiler;
  load += other.load;
  firstLaunch += other.firstLaunch;
  capture += other.capture;
  preparation += other.preparation;
  kernels += other.kernels;
  fromDisk += other.fromDisk;
  fromMemory += other.fromMemory;
  shipped += other.shipped;
  return *this;
}

}  // namespace fusebench
