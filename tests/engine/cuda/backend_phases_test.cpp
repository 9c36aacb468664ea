// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels with phases on the double of a GPU: the source that a GPU gets.
#include "tests/engine/cuda/backend_fixture.h"
#include "tests/engine/support/row_checks.h"

namespace fusebench::test {
namespace {

class CudaPhases : public CudaBackendTest {
 protected:
  void TearDown() override {
    fixture_.reset();  // before the double is asked what is left
    CudaBackendTest::TearDown();
  }
  std::unique_ptr<EngineFixture> fixture_ = std::make_unique<EngineFixture>();
};

TEST_F(CudaPhases, ComputeWhatTheReferenceSays) {
  expectRowCases(*fixture_, {5, 70}, {"static"});
}

TEST_F(CudaPhases, ServeLongAndShortRowsOfAnyNumber) {
  for (const RowCase& row : rowCases())
    for (const Shape& shape : {Shape{2, 1500}, Shape{9, 3}})
      expectRows(*fixture_, "dynamic", rowProgram(row, shape[1]), rowInputs(*fixture_, shape));
}

TEST_F(CudaPhases, AreOneLaunch) {
  for (const char* text : {"return torch.softmax(x, -1)", "return x.sum() / 3 + 1"}) {
    const auto executor = fixture_->executor("static", text);
    const std::vector<Tensor> inputs{fixture_->random({4, 300})};
    executor->call(inputs);
    const std::uint64_t before = fixture_->backend().launches();
    executor->call(inputs);
    EXPECT_EQ(fixture_->backend().launches() - before, 1u) << text;
  }
}

TEST_F(CudaPhases, WithArithmeticAfterASumAreDealtOutToBlocksAsSumsAre) {
  const char* text = "def f(x, w, b):\n  return x.sum() / 3 + w.sum()\n";
  const Tensor x = fixture_->random({70'000}, 2, 0.5f), w = fixture_->random({70'000}, 3);
  expectRows(*fixture_, "static", text, {x, w, w});
}

}  // namespace
}  // namespace fusebench::test
