// SPDX-License-Identifier: GPL-3.0-or-later
// Programs nobody thought of: random graphs over random shapes and layouts, fused against eager.
#include <cmath>

#include <fmt/format.h>

#include "tests/engine/engine_fixture.h"

namespace fusebench {
namespace {

class RandomProgram {
 public:
  explicit RandomProgram(unsigned seed) : random_(seed) {}

  std::string text() {
    std::vector<std::string> names{"x", "w", "b"};
    std::string result;
    const int statements = 1 + pick(20);
    for (int i = 0; i < statements; ++i) {
      // Late names are likelier, so that chains arise.
      const auto operand = [&] {
        const int back = std::min(pick(static_cast<int>(names.size())), pick(6));
        return names[names.size() - 1 - static_cast<std::size_t>(back)];
      };
      const std::string name = fmt::format("v{}", i);
      const std::string a = operand();
      switch (pick(10)) {
        case 0:
          result += fmt::format("{} = torch.sin({})\n", name, a);
          break;
        case 1:
          result += fmt::format("{} = torch.tanh({} * 0.7)\n", name, a);
          break;
        case 2:
          result += fmt::format("{} = torch.exp(-torch.abs({}))\n", name, a);
          break;
        case 3:
          result += fmt::format("{} = {} + {}\n", name, a, operand());
          break;
        case 4:
          result += fmt::format("{} = {} * {}\n", name, a, operand());
          break;
        case 5:
          result += fmt::format("{} = torch.where({} > {}, {}, 0.5)\n", name, a, operand(), a);
          break;
        case 6:
          result += fmt::format("{} = torch.relu({} - 0.25)\n", name, a);
          break;
        case 7:
          result += fmt::format("{} = torch.maximum({}, {})\n", name, a, operand());
          break;
        case 8:
          result += fmt::format("{} = torch.sqrt({} * {} + 1)\n", name, a, a);
          break;
        default:
          result += fmt::format("{} = torch.sigmoid({})\n", name, a);
          break;
      }
      names.push_back(name);
    }
    result += fmt::format("return {} + x * 0 + w * 0 + b * 0, {}\n", names.back(),
                          names[names.size() / 2]);
    return result;
  }

  std::vector<Tensor> inputs(EngineFixture& fixture) {
    const std::int64_t rows = 1 + pick(9), columns = 1 + pick(70);
    const auto make = [&]() -> Tensor {
      const auto seed = static_cast<unsigned>(random_());
      switch (pick(6)) {
        case 0:
          return EngineFixture::transposed(fixture.random({columns, rows}, seed));
        case 1:
          return EngineFixture::everySecond(fixture.random({rows, 2 * columns}, seed));
        case 2:
          return fixture.random({columns}, seed);
        case 3:
          return fixture.random({rows, 1}, seed);
        default:
          return fixture.random({rows, columns}, seed);
      }
    };
    return {fixture.random({rows, columns}, 5), make(), make()};
  }

 private:
  int pick(int below) { return static_cast<int>(random_() % static_cast<unsigned>(below)); }
  std::mt19937 random_;
};

/// Where NaN stands, any NaN will do: which operand's payload survives is not defined.
void expectSameBits(const Tensor& a, const Tensor& b, const std::string& text) {
  ASSERT_EQ(a.shape, b.shape);
  const auto x = EngineFixture::values(a), y = EngineFixture::values(b);
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_TRUE(x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i])))
        << "element " << i << ": " << x[i] << " and " << y[i] << " in\n"
        << text;
}

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
