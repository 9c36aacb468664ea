// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/support/rank_programs.h"

namespace fusebench {

std::unique_ptr<Backend> makeTestBackend() {
  return makeCpuBackend(EngineFixture::withoutDisk(0, 0, 1));
}
std::unique_ptr<Backend> makeRankBackend(int /*rank*/) {
  return makeTestBackend();
}

}  // namespace fusebench
