// SPDX-License-Identifier: GPL-3.0-or-later
// Derivatives of every row of the op table against central differences.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "engine/language/parser.h"
#include "engine/language/program_gradients.h"
#include "engine/run/reference.h"
#include "tests/engine/support/row_programs.h"

namespace fusebench {
namespace {

using Elements = std::vector<double>;

ReferenceTensor doubles(const Shape& shape, Elements values) {
  return {{shape, DType::float64}, std::move(values), {}};
}

/// The last op's result times fixed weights, summed: a loss that every element has its own part in.
Program lossOf(Program program) {
  const ValueId result = program.outputs.front();
  program.inputs.push_back("weights");
  for (Op& op : program.ops)
    for (Operand& operand : op.operands)
      if (operand.value >= static_cast<int>(program.inputs.size()) - 1) ++operand.value;
  const auto append = [&](const char* row, std::vector<ValueId> operands) {
    Op op;
    op.row = findOp(row);
    for (const ValueId value : operands) op.operands.emplace_back().value = value;
    op.parameters.resize(op.row->parameters.size());
    program.ops.push_back(std::move(op));
    return program.valueCount() - 1;
  };
  const ValueId weighed =
      append("mul", {result + 1, static_cast<ValueId>(program.inputs.size()) - 1});
  program.outputs = {append("sum", {weighed})};
  return program;
}

double lossAt(const Program& loss, const std::vector<ReferenceTensor>& inputs) {
  return evaluateReference(loss, inputs)[0].value.values[0];
}

/// The slope along one element, by central differences of two widths, from which the greater part
/// of their error is taken out (Richardson).
double slope(const Program& loss, std::vector<ReferenceTensor> inputs, std::size_t input,
             std::size_t element) {
  double& x = inputs[input].values[element];
  const double at = x;
  const double width = 1e-3 * std::max(0.1, std::fabs(at));
  const auto difference = [&](double h) {
    x = at + h;
    const double above = lossAt(loss, inputs);
    x = at - h;
    const double below = lossAt(loss, inputs);
    return (above - below) / (2 * h);
  };
  return (4 * difference(width / 2) - difference(width)) / 3;
}

/// Elements for which the loss is smooth around: drawn until all differences are finite and two
/// widths agree.
void expectSlopes(const Program& program, const std::vector<Shape>& shapes, unsigned seed,
                  const std::string& what) {
  SCOPED_TRACE(what);
  Program loss = lossOf(program);
  std::mt19937 random(seed);
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  const std::pair<double, double> ranges[] = {{-3, 3}, {0.05, 0.95}, {1.1, 4}};
  int checked = 0;
  for (const auto& [low, high] : ranges) {
    std::vector<ReferenceTensor> inputs;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      Elements values;
      for (std::int64_t e = 0; e < elementCount(shapes[i]); ++e) values.push_back(draw(low, high));
      inputs.push_back(doubles(shapes[i], values));
      for (const Op& op : program.ops)
        for (std::size_t o = 0; o < op.operands.size(); ++o)
          if (op.operands[o].value == static_cast<int>(i) && ((op.row->truthOperands >> o) & 1u)) {
            inputs.back().type.dtype = DType::boolean;
            for (double& value : inputs.back().values) value = value > (low + high) / 2;
          }
    }
    std::vector<ValueType> types;
    for (const ReferenceTensor& input : inputs) types.push_back(input.type);
    const Shape shape = inferTypes(program, types).back().shape;
    Elements weights;
    for (std::int64_t e = 0; e < elementCount(shape); ++e) weights.push_back(draw(0.5, 2));
    inputs.push_back(doubles(shape, weights));
    if (!std::isfinite(lossAt(loss, inputs))) continue;
    std::vector<ValueId> by;
    for (std::size_t i = 0; i < shapes.size(); ++i)
      if (isFloat(inputs[i].type.dtype)) by.push_back(static_cast<ValueId>(i));
    const auto results = evaluateReference(withGradients(loss, by), inputs);
    ASSERT_EQ(results.size(), by.size() + 1);
    for (std::size_t b = 0; b < by.size(); ++b) {
      const auto& gradient = results[b + 1].value;
      const auto input = static_cast<std::size_t>(by[b]);
      ASSERT_EQ(gradient.type.shape, shapes[input]);
      ASSERT_EQ(gradient.type.dtype, DType::float64);
      for (std::size_t e = 0; e < gradient.values.size(); ++e) {
        const double expected = slope(loss, inputs, input, e);
        if (!std::isfinite(expected)) continue;
        ++checked;
        EXPECT_NEAR(gradient.values[e], expected, 2e-6 * (1 + std::fabs(expected)))
            << "by operand " << input << ", element " << e << " = " << inputs[input].values[e];
      }
    }
  }
  EXPECT_GT(checked, 0);
}

std::vector<double> someParameters(const OpRow& row) {
  std::vector<double> parameters;
  for (const Parameter& parameter : row.parameters)
    parameters.push_back(std::isfinite(parameter.fallback) ? parameter.fallback
                         : std::isinf(parameter.fallback)  ? parameter.fallback
                                                           : 0.7);
  return parameters;
}

TEST(Derivatives, OfEveryPointwiseRowAreItsSlopes) {
  int rows = 0;
  for (const OpRow& row : opRows()) {
    if (row.kind != OpKind::pointwise || !isDifferentiable(row) || row.places != IndexInputs::none)
      continue;
    if (row.result == ResultType::cast && row.castTo != DType::float64) continue;
    ++rows;
    expectSlopes(test::programOf(row, someParameters(row)),
                 std::vector<Shape>(static_cast<std::size_t>(row.arity), Shape{5}), 7,
                 std::string(row.name));
  }
  EXPECT_GT(rows, 60);
}

TEST(Derivatives, OfEveryReductionAreItsSlopes) {
  int rows = 0;
  for (const OpRow& row : opRows()) {
    if (row.kind != OpKind::reduce || !isDifferentiable(row)) continue;
    ++rows;
    for (const std::vector<int>& dims : {std::vector<int>{}, {0}, {1}, {-1}, {0, 2}})
      for (const bool keep : {false, true}) {
        std::vector<double> parameters = someParameters(row);
        std::size_t p = 0;
        std::size_t most = 8;
        for (const Parameter& parameter : row.parameters) {
          if (parameter.kind == Parameter::Kind::flag) parameters[p] = keep;
          if (parameter.kind == Parameter::Kind::dims)
            most = static_cast<std::size_t>(parameter.high < 8 ? parameter.high : 8);
          if (parameter.kind == Parameter::Kind::number && row.name == "norm_p") parameters[p] = 3;
          ++p;
        }
        if (dims.size() > most) continue;
        Program program = test::programOf(row, parameters);
        if (!dims.empty()) program.ops[0].dims = dims;
        program.ops[0].keepDims = keep;
        expectSlopes(program, {Shape{2, 3, 2}}, 11,
                     std::string(row.name) + " over " + std::to_string(dims.size()) + " dims" +
                         (keep ? ", kept" : ""));
      }
  }
  EXPECT_GT(rows, 10);
}

struct DerivedCase {
  const char* text;
  std::vector<Shape> shapes;
};

TEST(Derivatives, OfBroadcastOperandsAreSummedBackToTheirShapes) {
  for (const DerivedCase& each : {
           DerivedCase{"def f(x, y):\n    return x * y", {{3, 4}, {4}}},
           DerivedCase{"def f(x, y):\n    return x * y", {{3, 4}, {3, 1}}},
           DerivedCase{"def f(x, y):\n    return x / y", {{2, 3, 4}, {1, 3, 1}}},
           DerivedCase{"def f(x, y):\n    return x * y + y", {{2, 3, 4}, {3, 1}}},
           DerivedCase{"def f(x, y):\n    return x - y", {{3, 4}, {}}},
           DerivedCase{"def f(x, y):\n    return (x * x).sum(dim=1) * y", {{3, 4}, {3}}},
           DerivedCase{"def f(x):\n    return (x - x.mean(dim=1, keepdim=True)) / x.std(dim=1, "
                       "keepdim=True)",
                       {{3, 4}}},
           DerivedCase{"def f(x):\n    return x.sum(dim=0).sum(dim=0) * x", {{3, 4}}},
           DerivedCase{"def f(x, y):\n    return x.sum() * y.sum(dim=1)", {{3, 4}, {2, 2}}},
           DerivedCase{"def f(x):\n    return torch.softmax(x, dim=1)", {{3, 4}}},
           DerivedCase{"def f(x):\n    return F.log_softmax(x, dim=-1)", {{3, 4}}},
       })
    expectSlopes(parseProgram(each.text), each.shapes, 3, each.text);
}

TEST(Derivatives, OfViewsComeBackAsTheirOperandLay) {
  for (const DerivedCase& each : {
           DerivedCase{"def f(x):\n    return x.view(2, 6) * x.sum()", {{3, 4}}},
           DerivedCase{"def f(x):\n    return x.t() * x.t()", {{3, 4}}},
           DerivedCase{"def f(x):\n    return x.permute(2, 0, 1) * x.permute(2, 0, 1)",
                       {{2, 3, 4}}},
           DerivedCase{"def f(x):\n    return x.permute(2, 0, 1).reshape(4, 6) * x.reshape(4, 6)",
                       {{2, 3, 4}}},
           DerivedCase{"def f(x):\n    return x.unsqueeze(1) * x.unsqueeze(0)", {{4}}},
           DerivedCase{"def f(x):\n    return (x * x).sum(dim=1, keepdim=True).squeeze(1)",
                       {{3, 1}}},
           DerivedCase{"def f(x):\n    return x.expand(3, 4) * x", {{3, 1}}},
           DerivedCase{"def f(x):\n    return x.sum(dim=0).t().flatten()", {{2, 3, 4}}},
           DerivedCase{"def f(x):\n    return x.transpose(0, 2).sum(dim=1)", {{2, 3, 4}}},
           DerivedCase{"def f(x):\n    return x.T.contiguous() * 2", {{3, 4}}},
       })
    expectSlopes(parseProgram(each.text), each.shapes, 5, each.text);
}

TEST(Derivatives, OfWhatTakesSomeElementsAreZerosBetweenThem) {
  for (const DerivedCase& each : {
           DerivedCase{"def f(x):\n    return x[1:3] * x[0:2]", {{4}}},
           DerivedCase{"def f(x):\n    return x[::2] * x[1::2]", {{6}}},
           DerivedCase{"def f(x):\n    return x[1:6:3] * x[-1]", {{7}}},
           DerivedCase{"def f(x):\n    return x[:, 1] * x[0, :3] * x[2, 3]", {{3, 4}}},
           DerivedCase{"def f(x):\n    return x[..., 1:3, None] * x[1, :, 2]", {{2, 3, 4}}},
           DerivedCase{"def f(x):\n    return x.narrow(1, 1, 2) * x.select(0, 1)[:2]", {{3, 4}}},
           DerivedCase{"def f(x):\n    a, b, c = x.chunk(3, dim=1)\n    return a * b[:, :1] + c",
                       {{2, 6}}},
           DerivedCase{"def f(x):\n    a, b = torch.split(x, [1, 3], dim=0)\n    return a * b",
                       {{4, 2}}},
           DerivedCase{"def f(x):\n    a, b = x.unbind(1)\n    return a * a * b", {{3, 2}}},
           DerivedCase{"def f(x):\n    return x.t()[1:, ::2].t() * x.sum()", {{4, 3}}},
           DerivedCase{"def f(x):\n    return x[:, :1].expand(3, 4)[1:] * x[1:]", {{3, 4}}},
           DerivedCase{"def f(x):\n    return x.flip(0) * x[:, :1] + x.flip(0, 1)", {{3, 2}}},
           DerivedCase{"def f(x):\n    return x.diagonal() * x[0, :3]", {{3, 4}}},
           DerivedCase{"def f(x):\n    return x.diagonal(1, 2, 0) * x.diagonal(-1, 2, 0)[:, :2]",
                       {{3, 2, 4}}},
           DerivedCase{"def f(x):\n    return torch.roll(x, 1, 0) * x", {{3, 2}}},
           DerivedCase{"def f(x):\n    return x[2:2].sum() + (x * x).sum()", {{3}}},
       })
    expectSlopes(parseProgram(each.text, {{"x", {each.shapes[0], DType::float64}}}), each.shapes,
                 13, each.text);
}

TEST(Derivatives, OfGradientsOfSlicesAreSlices) {
  for (const char* taken : {"x[1::2]", "x[1:4]", "x.diagonal()"})
    expectSlopes(parseProgram("def f(x):\n    y = " + std::string(taken) +
                              "\n    return torch.autograd.grad((y * y * y).sum(), x, "
                              "create_graph=True)[0]"),
                 {{5, 4}}, 17, taken);
}

TEST(Derivatives, OfContractionsAreTheirSlopes) {
  for (const DerivedCase& each : {
           DerivedCase{"def f(x, y):\n    return x @ y", {{2, 3, 4}, {4, 2}}},
           DerivedCase{"def f(c, x, y):\n    return torch.addmm(c, x, y, beta=0.5, alpha=-2.0)",
                       {{3}, {2, 4}, {4, 3}}},
           DerivedCase{"def f(x, y):\n    return torch.einsum('ij,ij->', x, y)", {{2, 3}, {2, 3}}},
           DerivedCase{"def f(x, w, b):\n    return F.linear(x, w, b)", {{2, 4}, {3, 4}, {3}}},
       })
    expectSlopes(parseProgram(each.text), each.shapes, 7, each.text);
}

TEST(Derivatives, OfWindowsAreTheirSlopes) {
  for (const DerivedCase& each : {
           DerivedCase{"def f(x, w, b):\n    return F.conv1d(x, w, b, 2, 1, 2)",
                       {{2, 2, 7}, {3, 2, 2}, {3}}},
           DerivedCase{"def f(x, w):\n    return F.conv2d(x, w)", {{2, 4, 4}, {3, 2, 2, 3}}},
           DerivedCase{"def f(x, w, b):\n    return F.conv2d(x, w, b, (2, 1), (1, 0), (1, 2), 2)",
                       {{1, 4, 5, 5}, {2, 2, 3, 2}, {2}}},
           DerivedCase{"def f(x):\n    return F.max_pool2d(x, 3, 2, 1)", {{1, 2, 4, 5}}},
           DerivedCase{"def f(x):\n    return F.max_pool2d(x, 2, 1, 0, 2)", {{1, 4, 5}}},
           DerivedCase{"def f(x):\n    return F.avg_pool2d(x, 3, 2, 1, ceil_mode=True)",
                       {{1, 2, 4, 5}}},
           DerivedCase{"def f(x):\n    return F.avg_pool2d(x, 2, 1, 1, count_include_pad=False)",
                       {{1, 1, 3, 4}}},
       })
    expectSlopes(parseProgram(each.text), each.shapes, 9, each.text);
}

}  // namespace
}  // namespace fusebench
