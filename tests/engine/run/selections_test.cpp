// SPDX-License-Identifier: GPL-3.0-or-later
// What a mask selects: computed at every element, and chosen by the mask where it is written back
// or reduced.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/engine/support/expect_reference.h"

namespace fusebench {
namespace {

using ::testing::HasSubstr;

/// A program of x, y and m gives in every executor what one that is written without selections
/// gives.
void expectAs(const std::string& lines, const std::string& written) {
  EngineFixture fixture;
  const std::string header = "def f(x, y, w):\n    m = x > 0.25\n    ";
  const std::vector<Tensor> inputs{fixture.random({4, 6}, 1, 2), fixture.random({4, 6}, 2, 2),
                                   fixture.random({6}, 3, 2)};
  const std::string own = header + lines + "\n";
  expectAsReference(fixture, own, inputs, hintsOf(header, inputs));
  std::vector<ReferenceTensor> plain;
  for (const Tensor& input : inputs) plain.push_back(EngineFixture::reference(input));
  const auto got = evaluateReference(parseProgram(own, hintsOf(header, inputs)), plain);
  const auto want =
      evaluateReference(parseProgram(header + written + "\n", hintsOf(header, inputs)), plain);
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t o = 0; o < got.size(); ++o) {
    ASSERT_EQ(got[o].value.values.size(), want[o].value.values.size()) << own;
    for (std::size_t i = 0; i < want[o].value.values.size(); ++i) {
      const double one = got[o].value.values[i], other = want[o].value.values[i];
      // Elements that are written in between are rounded to float32.
      EXPECT_TRUE(std::isnan(one) ? std::isnan(other)
                                  : std::abs(one - other) <= 1e-6 * (1 + std::abs(other)))
          << own << "result " << o << ", element " << i << ": " << one << ", not " << other;
    }
  }
}

std::string refusal(const std::string& lines) {
  const std::string header = "def f(x, y, w):\n    m = x > 0.25\n    ";
  const ProgramHints hints{{"x", {{4, 6}, DType::float32}},
                           {"y", {{4, 6}, DType::float32}},
                           {"w", {{6}, DType::float32}}};
  try {
    parseProgram(header + lines + "\n", hints);
  } catch (const ProgramError& error) {
    return error.what();
  }
  return "it was accepted";
}

TEST(Selections, AreWrittenBackWhereTheSameMaskSelects) {
  const std::string where = "return torch.where(m, ";
  expectAs("z = x.clone(); z[m] = torch.exp(x[m]) * 2; return z", where + "torch.exp(x) * 2, x)");
  expectAs("z = x.clone(); z[x > 0.25] = z[x > 0.25] - 1; return z", where + "x - 1, x)");
  expectAs("z = x.clone(); z[m] += y[m]; return z", where + "x + y, x)");
  expectAs("z = x.clone(); z[m] /= y[m].abs() + 1; return z", where + "x / (y.abs() + 1), x)");
  expectAs("z = x.clone(); s = z[m]; s *= 3; z[m] = F.relu(1 - s); return z",
           where + "F.relu(1 - x * 3), x)");
  expectAs("z = torch.zeros_like(x); z[m] = torch.where(y[m] > 0, x[m], -y[m]); return z",
           where + "torch.where(y > 0, x, -y), 0.0)");
}

TEST(Selections, OfRowsKeepTheirOwnDimensions) {
  const std::string rows = "k = w[:4] > 0; ";
  const std::string where = rows + "c = k.unsqueeze(1); return torch.where(c, ";
  expectAs(rows + "z = x.clone(); z[k] = torch.softmax(x[k], dim=1); return z",
           where + "torch.softmax(x, 1), x)");
  expectAs(rows + "z = x.clone(); z[k] = x[k] / x[k].norm(dim=-1, keepdim=True); return z",
           where + "x / x.norm(dim=-1, keepdim=True), x)");
  expectAs(rows + "z = x.clone(); z[k] = F.linear(x[k], y.repeat(2, 1)[:6], w); return z",
           where + "F.linear(x, y.repeat(2, 1)[:6], w), x)");
  expectAs(rows + "z = x.clone(); z[k] += x[k][:, 1].unsqueeze(-1) * w; return z",
           where + "x + x[:, 1].unsqueeze(-1) * w, x)");
  expectAs(rows + "return x[k].sum(0), x[k].mean(dim=0), x[k].std(0)",
           rows +
               "c = k.unsqueeze(1).float(); n = k.sum(); a = (x * c).sum(0) / n\n"
               "    return a * n, a, (((x - a) ** 2 * c).sum(0) / (n - 1)).sqrt()");
}

TEST(Selections, AreReducedOverTheElementsThatTheMaskSelects) {
  const std::string chosen = "c = m.float(); n = c.sum(); a = (x * c).sum() / n; return ";
  expectAs("return x[m].sum(), x[m].mean(), x[m].var(), x[m].norm()",
           chosen + "a * n, a, ((x - a) ** 2 * c).sum() / (n - 1), (x * x * c).sum().sqrt()");
  expectAs("return torch.sum(x[m] * y[m]), (x[m] > 1).sum(), x[m].max(), x[m].min(), x[m].prod()",
           "c = m.float(); return (x * y * c).sum(), ((x > 1) & m).sum(), torch.where(m, x, "
           "-1e9).max(), torch.where(m, x, 1e9).min(), torch.where(m, x, 1.0).prod()");
  expectAs("return (x[m] > y[m]).any(), (x[m] > y[m]).all(), (x[m] > y[m]).float().mean()",
           "g = x > y; return (g & m).any(), (g | ~m).all(), (g & m).sum() / m.sum()");
  expectAs("return x[m].sum() / x[m].numel()", "return (x * m.float()).sum() / m.sum()");
  expectAs("return F.mse_loss(x[m], y[m]), nn.L1Loss(reduction='sum')(x[m], y[m])",
           "c = m.float(); return ((x - y) ** 2 * c).sum() / c.sum(), ((x - y).abs() * c).sum()");
}

TEST(Selections, ClassesOfSelectedRowsGiveTheirLoss) {
  expectAs("k = w[:4] > 0; t = y[:, 0].abs().long(); return F.cross_entropy(x[k], t[k])",
           "k = w[:4] > 0; t = y[:, 0].abs().long()\n"
           "    return (F.cross_entropy(x, t, reduction='none') * k.float()).sum() / k.sum()");
}

TEST(Selections, HaveGradientsOfTheSelectedElementsAlone) {
  expectAs("x.requires_grad_(); torch.log(x[m]).sum().backward(); return x.grad",
           "return torch.where(m, 1 / x, 0.0)");
  expectAs(
      "x.requires_grad_(); torch.sqrt(1 - x[x < 0.9] ** 2 * 0.1).mean().backward()\n"
      "    return x.grad",
      "k = x < 0.9; return torch.where(k, -0.1 * x / torch.sqrt(1 - x ** 2 * 0.1), 0.0) / "
      "k.sum()");
}

TEST(Selections, ThatAProgramCannotChooseByTheMaskAreRefused) {
  const std::string size = "the size of what a mask selects depends on data";
  for (const char* line :
       {"return x[m]", "return torch.cat([x[m], w])", "return torch.sort(x[m])[0]",
        "return x[m] + y", "return (x[m] + y[y > 0]).sum()", "return torch.softmax(x[m], 0).sum()",
        "return x[m].T", "return x[m].cumsum(0).sum()"})
    EXPECT_THAT(refusal(line), HasSubstr(size)) << line;
  EXPECT_THAT(refusal("z = x.clone(); z[m] = y[y > 0]; return z"),
              HasSubstr("what one mask selects is written where another one selects"));
  // The mask holds other elements when it is used again.
  EXPECT_THAT(refusal("z = x.clone(); s = z[z > 0]; z.neg_(); z[z > 0] = s; return z"),
              HasSubstr("what one mask selects is written where another one selects"));
}

}  // namespace
}  // namespace fusebench
