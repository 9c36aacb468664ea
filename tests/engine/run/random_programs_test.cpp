// SPDX-License-Identifier: GPL-3.0-or-later
// Programs nobody thought of: random graphs over random shapes and layouts, fused against eager.
#include "tests/engine/support/random_graphs.h"

namespace fusebench {
namespace {

TEST(RandomPrograms, FusedAgreesWithEagerBitForBit) {
  EngineFixture fixture;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    RandomProgram random(seed);
    const std::string text = random.text();
    const std::vector<Tensor> inputs = random.inputs(fixture);
    const auto eager = fixture.run("eager", text, inputs);
    for (const char* name : {"static", "dynamic", "instant"}) {
      const auto fused = fixture.run(name, text, inputs);
      ASSERT_EQ(fused.size(), eager.size());
      for (std::size_t o = 0; o < fused.size(); ++o) expectSameBits(fused[o], eager[o], text);
    }
  }
}

}  // namespace
}  // namespace fusebench
