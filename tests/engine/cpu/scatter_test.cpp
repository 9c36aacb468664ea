// SPDX-License-Identifier: GPL-3.0-or-later
// Adds values at places given by an index, on several threads.
#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

TEST(Scatter, SumsAreTheSameHoweverManyThreadsThereAre) {
  std::vector<std::vector<double>> sums;
  for (const int threads : {1, 3}) {
    EngineFixture fixture(EngineFixture::withoutDisk(0, 0, threads));
    std::vector<double> index;
    for (int i = 0; i < 5000; ++i) index.push_back(i * 37 % 11);
    const std::vector<Tensor> inputs{fixture.random({11, 64}, 1),
                                     fixture.typed(DType::int64, {5000}, index),
                                     fixture.random({5000, 64}, 2)};
    sums.push_back(EngineFixture::values(
        fixture.run("static", "def f(x, i, y): return torch.index_add(x, 0, i, y)", inputs)[0]));
  }
  EXPECT_EQ(sums[0], sums[1]);
}

}  // namespace
}  // namespace fusebench
