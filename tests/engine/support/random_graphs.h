// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "tests/engine/support/engine_fixture.h"

namespace fusebench {

/// Random graphs of pointwise ops over random shapes and layouts of three inputs.
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

/// Any NaN equals any other, because it is undefined which operand's payload survives.
inline void expectSameBits(const Tensor& a, const Tensor& b, const std::string& text) {
  ASSERT_EQ(a.shape, b.shape);
  const auto x = EngineFixture::values(a), y = EngineFixture::values(b);
  for (std::size_t i = 0; i < x.size(); ++i)
    ASSERT_TRUE(x[i] == y[i] || (std::isnan(x[i]) && std::isnan(y[i])))
        << "element " << i << ": " << x[i] << " and " << y[i] << " in\n"
        << text;
}

}  // namespace fusebench
