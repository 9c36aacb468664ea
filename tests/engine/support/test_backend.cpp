// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/support/engine_fixture.h"

namespace fusebench {

std::unique_ptr<Backend> makeTestBackend() {
  return makeCpuBackend(EngineFixture::withoutDisk(0, 0, 1));
}

}  // namespace fusebench
