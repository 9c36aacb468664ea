// SPDX-License-Identifier: GPL-3.0-or-later
// Programs nobody thought of, at every width of vectors: the bits must not tell which it was.
#include "tests/engine/support/random_graphs.h"

namespace fusebench {
namespace {

TEST(RandomPrograms, AgreeAtEveryWidthAndInterleave) {
  EngineFixture host;
  for (const auto& [width, interleave] : {std::pair{4, 3}, {8, 1}, {8, 6}, {16, 2}}) {
    EngineFixture other(EngineFixture::withoutDisk(width, interleave, 1));
    for (unsigned seed = 100; seed < 112; ++seed) {
      RandomProgram a(seed), b(seed);
      const std::string text = a.text();
      b.text();
      const auto expected = host.run("static", text, a.inputs(host));
      const std::vector<Tensor> inputs = b.inputs(other);
      for (const char* name : {"static", "instant"}) {
        const auto got = other.run(name, text, inputs);
        for (std::size_t o = 0; o < got.size(); ++o) expectSameBits(got[o], expected[o], text);
      }
    }
  }
}

}  // namespace
}  // namespace fusebench
