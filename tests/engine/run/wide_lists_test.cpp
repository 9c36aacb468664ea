// SPDX-License-Identifier: GPL-3.0-or-later
// Op lists of float64 and of integers: pieces of their own, of bytes int32's, with eager's bits.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/cpu/shipping/shipped_stencils.h"
#include "engine/ops/op_types.h"
#include "engine/plan/shipped_kernels.h"
#include "tests/engine/support/engine_fixture.h"
#include "tests/engine/support/one_op.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

Tensor drawnWide(EngineFixture& fixture, DType dtype, const Shape& shape, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal(0, dtype == DType::float64 ? 2 : 9);
  std::vector<double> values(static_cast<std::size_t>(elementCount(shape)));
  for (double& value : values) {
    value = dtype == DType::float64 ? normal(random) : std::round(normal(random));
    if (dtype == DType::uint8) value = std::fabs(value);
  }
  return fixture.typed(dtype, shape, values);
}

/// Statements on x, y and what was made of them before, which each type has.
std::string randomStatements(DType dtype, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::string> names = {"x", "y"};
  std::vector<std::string> forms = {"A + B",
                                    "A - B * 3",
                                    "A * 7",
                                    "-A",
                                    "torch.abs(A)",
                                    "torch.where(A > B, A, B)",
                                    "torch.maximum(A, B)",
                                    "torch.minimum(A, 5)",
                                    "torch.where(A == 2, B, A - 1)",
                                    "5 - A"};
  if (dtype == DType::float64)
    for (const char* form : {"torch.sin(A)", "A / 3.1", "torch.exp(B * 0.01)", "A * 0.1 + B",
                             "torch.sqrt(torch.abs(A))", "torch.relu(A)", "torch.tanh(A * B)"})
      forms.emplace_back(form);
  else
    for (const char* form : {"A // 3", "A % 5", "A // B", "torch.relu(A)"})
      forms.emplace_back(form);
  const auto pick = [&](const auto& from) { return from[random() % from.size()]; };
  std::string text;
  for (int i = 0; i < 12; ++i) {
    std::string made;
    for (const char letter : pick(forms))
      made += letter == 'A' || letter == 'B' ? pick(names) : std::string(1, letter);
    names.push_back("v" + std::to_string(i));
    text += names.back() + " = " + made + "\n";
  }
  return text + "return x + y, v11, v11 > v10, " + pick(names);
}

class WideLists : public testing::TestWithParam<DType> {};
INSTANTIATE_TEST_SUITE_P(Each, WideLists,
                         testing::Values(DType::float64, DType::int64, DType::int32, DType::int8,
                                         DType::uint8));

TEST_P(WideLists, GiveEagersBits) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  for (unsigned seed = 0; seed < 12; ++seed) {
    const std::string program = randomStatements(GetParam(), seed);
    for (const Shape& shape :
         {Shape{8, 16}, Shape{3, 37}, Shape{1}, Shape{0}, Shape{63}, Shape{70, 130}}) {
      Tensor x = drawnWide(fixture, GetParam(), shape, 1);
      Tensor y = drawnWide(fixture, GetParam(), shape, 2);
      for (int layout = 0; layout < (shape.rank() == 2 ? 4 : 1); ++layout) {
        if (layout == 1)
          y = EngineFixture::transposed(drawnWide(fixture, GetParam(), {shape[1], shape[0]}, 3));
        if (layout == 2) y = drawnWide(fixture, GetParam(), {shape[1]}, 4);
        if (layout == 3) y = drawnWide(fixture, GetParam(), {1}, 5);
        const auto expected = fixture.run("eager", program, {x, y});
        const auto got = fixture.run("instant", program, {x, y});
        ASSERT_EQ(got.size(), expected.size());
        for (std::size_t o = 0; o < got.size(); ++o) {
          EXPECT_EQ(got[o].dtype, expected[o].dtype);
          EXPECT_EQ(EngineFixture::bytes(got[o]), EngineFixture::bytes(expected[o]))
              << program << ", result " << o << ", layout " << layout << ", " << toString(shape);
        }
      }
    }
  }
}

TEST_P(WideLists, FollowTheReference) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  const Tensor x = drawnWide(fixture, GetParam(), {9, 31}, 1);
  const Tensor y = drawnWide(fixture, GetParam(), {9, 31}, 2);
  const std::string program =
      "z = torch.abs(x * 3 - y) + 1\nw = torch.where(z > y, z * z, -y)\nreturn w, z, w == z";
  const auto expected = evaluateReference(
      parseProgram(program), {{EngineFixture::reference(x), EngineFixture::reference(y)}});
  const auto got = fixture.run("instant", program, {x, y});
  for (std::size_t o = 0; o < got.size(); ++o)
    EXPECT_LE(relativeError(expected[o], EngineFixture::values(got[o])), 1e-15) << o;
}

TEST_P(WideLists, AreOneLaunchOfPiecesThatShip) {
  CpuOptions options = EngineFixture::withoutDisk(0, 0, 1);
  options.compiler = false;
  EngineFixture fixture(options);
  if (!fixture.backend().traits().shipsOps) GTEST_SKIP() << "no pieces ship for this processor";
  const auto executor = fixture.executor(
      "instant",
      "z = torch.relu(x * 3 - y) + 1\nw = torch.where(z > y, z * z, -y)\nreturn w, z, w == z");
  const std::vector<Tensor> inputs{drawnWide(fixture, GetParam(), {8, 16}, 1),
                                   drawnWide(fixture, GetParam(), {8, 16}, 2)};
  executor->call(inputs);
  EXPECT_EQ(executor->statistics().compiles.at(0).times.compiled(), 0);
  const std::uint64_t before = fixture.backend().launches();
  executor->call(inputs);
  EXPECT_EQ(fixture.backend().launches() - before, 1u);
}

TEST(WideListsOfDoubles, KeepTheDigitsOfTheirNumbers) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  const Tensor x = fixture.typed(DType::float64, Shape{3}, {1, 2, 3});
  const auto got = fixture.run("instant", "y = x * 0.1\nreturn y + 1e-13", {x});
  EXPECT_EQ(EngineFixture::values(got[0])[0], 1 * 0.1 + 1e-13);
}

/// Operands that meet in all ways that two bytes can, the third one's in some.
std::vector<Tensor> everyByte(EngineFixture& fixture, const OpRow& row, DType dtype) {
  std::vector<Tensor> inputs;
  for (int o = 0; o < row.arity; ++o) {
    std::vector<double> values;
    for (int i = 0; i < 0x10000; ++i) {
      const int byte = (o == 0 ? i : o == 1 ? i >> 8 : i * 7 + (i >> 5)) & 0xff;
      values.push_back(dtype == DType::int8 && byte > 127 ? byte - 256 : byte);
    }
    const bool truth = ((row.truthOperands >> o) & 1u) != 0;
    inputs.push_back(fixture.typed(truth ? DType::boolean : dtype, {0x10000}, values));
  }
  return inputs;
}

TEST(ByteLists, MakeOfEveryPairOfBytesWhatEagerMakes) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  int rows = 0;
  for (const OpRow& row : opRows())
    for (const DType dtype : {DType::int8, DType::uint8}) {
      std::vector<OperandType> operands(static_cast<std::size_t>(row.arity), {dtype});
      for (unsigned o = 0; o < operands.size(); ++o)
        if ((row.truthOperands >> o) & 1u) operands[o] = {DType::boolean};
      if (row.kind != OpKind::pointwise) continue;
      const OpTypes types = opTypes(row, operands);
      if (!types.problem.empty() || types.computed != dtype || !hasPiecesIn(row, types)) continue;
      ++rows;
      std::vector<double> parameters;
      for (const Parameter& parameter : row.parameters)
        parameters.push_back(std::isnan(parameter.fallback) ? 3 : parameter.fallback);
      // What comes of the op is compared with something, too: by then it is a byte.
      Program program = test::programOf(row, parameters);
      const ValueId made = program.outputs[0];
      for (const char* then : {"gt", "floor_divide"}) {
        Op op;
        op.row = findOp(then);
        Operand two = Operand::ofNumber(2);
        two.integer = true;
        op.operands = {Operand::ofValue(made), two};
        program.ops.push_back(op);
        program.outputs.push_back(made + static_cast<ValueId>(program.ops.size()) - 1);
      }
      const std::vector<Tensor> inputs = everyByte(fixture, row, dtype);
      std::vector<std::vector<std::byte>> bytes;
      for (const char* name : {"eager", "instant"}) {
        const auto executor = makeExecutor(name, fixture.backend(), program);
        for (const Tensor& result : executor->call(inputs))
          bytes.push_back(EngineFixture::bytes(result));
      }
      for (std::size_t o = 0; o < 3; ++o)
        EXPECT_EQ(bytes[o], bytes[o + 3]) << row.name << " of " << info(dtype).name << ", " << o;
    }
  EXPECT_GT(rows, 40);
}

TEST(ByteLists, SayWhereTheyWrap) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  const auto executor = fixture.executor("instant", "z = x * 3\nreturn z > 100, z + 1");
  const std::vector<Tensor> inputs{drawnWide(fixture, DType::int8, {8, 16}, 1)};
  const auto lists = executor->opLists(inputs);
  ASSERT_EQ(lists.size(), 1u);
  const std::string text = fixture.backend().code(lists[0])[0].text;
  EXPECT_THAT(text, testing::HasSubstr("load input 0 as int8"));
  EXPECT_THAT(text, testing::HasSubstr("round to int8"));
  EXPECT_THAT(text, testing::HasSubstr("store to tensor 2 as int8"));
}

TEST(WideListsBeside, OtherTypesAreStepsOfTheirOwn) {
  EngineFixture fixture(EngineFixture::withoutDisk(0, 0, 1));
  const std::string program =
      "a = x * 2 + 1\nb = a.float() * 0.5\nc = a.long() + 3\nd = c * 2 - c.int()\n"
      "return a - 1, torch.sin(b), d, (a > 0) & (c > 0), a.sum(), c.amax(dim=0), x * (x > 1)";
  const Tensor x = drawnWide(fixture, DType::float64, {8, 17}, 1);
  const auto expected = fixture.run("eager", program, {x});
  const auto got = fixture.run("instant", program, {x});
  for (std::size_t o = 0; o < got.size(); ++o)
    if (o != 4) {
      EXPECT_EQ(EngineFixture::bytes(got[o]), EngineFixture::bytes(expected[o])) << o;
    }
}

/// 1504 as "1,504".
std::string grouped(std::size_t number) {
  return number < 1000 ? fmt::format("{}", number)
                       : fmt::format("{},{:03}", number / 1000, number % 1000);
}

// Which types ship, and how much of each, is written down where one looks for it.
TEST(WhatShips, IsWhatTheReadmeOfTheCpuSays) {
  std::map<std::string, std::size_t> pieces;
  for (const cpu::Stencil& stencil : cpu::shippedStencils()) {
    const bool bytes = stencil.dtype == DType::int8 || stencil.dtype == DType::uint8;
    const bool narrow = isRounded(stencil.dtype);
    ++pieces[bytes    ? "bytes"
             : narrow ? "16-bit floats"
                      : std::string(info(storageOf(stencil.computed)).name)];
  }
  std::string said = fmt::format("{} kernels and {} pieces",
                                 grouped(shippedKernels(/*comparedIndices=*/true).size()),
                                 grouped(cpu::shippedStencils().size()));
  for (const char* type : {"float32", "float64", "int64", "int32", "16-bit floats", "bytes"})
    said += fmt::format("{}{} of {}", type == std::string("float32") ? ": " : ", ",
                        grouped(pieces[type]), type);
  std::ifstream file(fusebench::test::sourcePath("/engine/cpu/README.md"));
  std::string text((std::istreambuf_iterator<char>(file)), {});
  std::ranges::replace(text, '\n', ' ');
  EXPECT_NE(text.find(said), std::string::npos) << "there ship " << said;
}

TEST(WideListsShip, ThePiecesOfEachRowThatHasThemInEachTypeAndNoOthers) {
  std::map<std::pair<const OpRow*, TypeClass>, int> shipped;
  for (const cpu::Stencil& stencil : cpu::shippedStencils())
    if (stencil.kind == cpu::Stencil::Kind::op && stencil.computed != TypeClass::float32)
      ++shipped[{stencil.row, stencil.computed}];
  int rows = 0;
  for (const OpRow& row : opRows())
    for (const DType type : {DType::float64, DType::int64, DType::int32}) {
      std::vector<OperandType> operands;
      for (unsigned o = 0; o < static_cast<unsigned>(row.arity); ++o)
        operands.push_back({(row.truthOperands >> o) & 1u ? DType::boolean : type});
      const bool made = row.kind == OpKind::pointwise;
      const OpTypes types = made ? opTypes(row, operands) : OpTypes();
      const bool has =
          made && types.problem.empty() && types.computed == type && hasPiecesIn(row, types);
      EXPECT_EQ(shipped.contains({&row, classOf(type)}), has) << row.name;
      rows += has ? 1 : 0;
    }
  // Those of bytes are int32's.
  for (const OpRow& row : opRows())
    for (const DType type : {DType::int8, DType::uint8}) {
      const std::vector<OperandType> operands(static_cast<std::size_t>(row.arity), {type});
      if (row.kind != OpKind::pointwise || row.truthOperands != 0) continue;
      const OpTypes types = opTypes(row, operands);
      if (types.problem.empty() && types.computed == type && hasPiecesIn(row, types)) {
        EXPECT_TRUE(shipped.contains({&row, TypeClass::int32})) << row.name;
      }
    }
  EXPECT_GT(rows, 60);
  EXPECT_FALSE(shipped.contains({findOp("sin"), TypeClass::float64}));
  EXPECT_TRUE(shipped.contains({findOp("add"), TypeClass::float64}));
}

}  // namespace
}  // namespace fusebench
