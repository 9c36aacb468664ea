// SPDX-License-Identifier: GPL-3.0-or-later
// Chains of views and ops that nobody thought of.
#include "tests/engine/support/expect_reference.h"
#include "tests/engine/support/random_views.h"

namespace fusebench {
namespace {

/// Chains of views and ops over one input.
std::string randomText(unsigned seed) {
  test::RandomViews views(seed);
  Shape shape{4, 6, 5};
  std::string text, last = "x";
  std::vector<std::string> results;
  const int lines = 2 + views.pick(7);
  for (int i = 0; i < lines; ++i) {
    const std::string name = fmt::format("v{}", i);
    std::string value;
    switch (views.pick(6)) {
      case 0:
        value = fmt::format("torch.sin({})", last);
        break;
      case 1:
        value = fmt::format("{} * 1.5 + {}", last, last);
        break;
      case 2:
        if (shape.rank() > 0) {
          value = fmt::format("{} - {}.mean(dim=-1, keepdim=True)", last, last);
          break;
        }
        [[fallthrough]];
      default:
        value = views.call(last, shape);
    }
    text += fmt::format("{} = {}\n", name, value);
    if (views.pick(4) == 0) results.push_back(name);
    last = name;
    if (elementCount(shape) > 4000) break;
  }
  text += "return " + last;
  for (const std::string& name : results)
    if (name != last) text += ", " + name;
  return text;
}

TEST(RandomViews, MatchTheReferenceInEveryExecutor) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({4, 6, 5})};
  Tensor turned = EngineFixture::transposed(fixture.random({4, 5, 6}, 3));
  const std::vector<Tensor> strided{turned};
  for (unsigned seed = 1; seed <= 60; ++seed) {
    const std::string text = randomText(seed);
    expectAsReference(fixture, text, inputs);
    if (text.find(".view(") == std::string::npos) expectAsReference(fixture, text, strided);
    if (testing::Test::HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace fusebench
