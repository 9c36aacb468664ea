// SPDX-License-Identifier: GPL-3.0-or-later
// Products of an int64 and a float32 tensor: what PyTorch 2.15 promotes, and what it refuses.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/language/program.h"
#include "tests/engine/support/expect_reference.h"

namespace fusebench {
namespace {

class MixedDtypes : public testing::Test {
 protected:
  std::vector<Tensor> inputs(const Shape& shape) {
    const auto count = static_cast<std::size_t>(elementCount(shape));
    std::vector<double> whole, parts;
    for (std::size_t i = 0; i < count; ++i) {
      whole.push_back(static_cast<double>(i) - 1);
      parts.push_back(static_cast<double>(i) * 0.75 - 0.5);
    }
    return {fixture_.typed(DType::int64, shape, whole),
            fixture_.typed(DType::float32, shape, parts)};
  }
  static std::string textOf(const char* body) {
    return "def f(a, b):\n    return " + std::string(body);
  }
  EngineFixture fixture_;
};

TEST_F(MixedDtypes, OfOuterProductsArePromoted) {
  for (const char* body :
       {"torch.outer(a, b)", "torch.outer(b, a)", "a.outer(b)", "torch.ger(a, b)",
        "torch.einsum('i,j->ij', a, b)", "torch.kron(a, b)",
        "torch.addr(b.view(-1, 1).expand(3, 3), a, b)", "torch.addr(torch.outer(b, b), a, a)"}) {
    SCOPED_TRACE(body);
    const std::vector<Tensor> given = inputs({3});
    const ProgramHints hints = hintsOf(textOf(body), given);
    for (const ExecutorInfo& info : executorsOn(fixture_.backend())) {
      const auto executor =
          makeExecutor(info.name, fixture_.backend(), parseProgram(textOf(body), hints));
      EXPECT_EQ(executor->call(given)[0].dtype, DType::float32) << info.name;
    }
    expectAsReference(fixture_, textOf(body), given, hints);
  }
  const std::vector<Tensor> given = inputs({3});
  const auto executor = makeExecutor(
      "static", fixture_.backend(),
      parseProgram(textOf("torch.outer(a, b)"), hintsOf(textOf("torch.outer(a, b)"), given)));
  EXPECT_EQ(EngineFixture::values(executor->call(given)[0]),
            (std::vector<double>{0.5, -0.25, -1, 0, 0, 0, -0.5, 0.25, 1}));
}

TEST_F(MixedDtypes, OfOtherProductsAreRefused) {
  const auto refused = [&](const char* body, const Shape& shape) {
    try {
      const std::vector<Tensor> given = inputs(shape);
      makeExecutor("eager", fixture_.backend(),
                   parseProgram(textOf(body), hintsOf(textOf(body), given)))
          ->call(given);
    } catch (const ProgramError&) {
      return true;
    }
    return false;
  };
  for (const char* body : {"torch.dot(a, b)", "torch.vdot(a, b)", "torch.inner(a, b)", "a @ b",
                           "torch.einsum('i,i->', a, b)", "torch.cross(a, b, dim=0)"})
    EXPECT_TRUE(refused(body, {3})) << body;
  for (const char* body :
       {"torch.mv(a, b[0])", "torch.mm(a, b)", "torch.matmul(b, a)", "F.linear(a, b)",
        "torch.addmm(a, b, b)", "torch.addmm(b, a, b)", "torch.addmv(a[0], b, b[0])",
        "torch.addbmm(a, b[None], b[None])", "torch.tensordot(a, b, 1)",
        "torch.einsum('ij,jk->ik', a, b)", "torch.bmm(a[None], b[None])",
        "torch.baddbmm(a[None], b[None], b[None])", "F.conv1d(a[None], b[None])"})
    EXPECT_TRUE(refused(body, {2, 2})) << body;
}

}  // namespace
}  // namespace fusebench
