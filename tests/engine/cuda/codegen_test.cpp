// SPDX-License-Identifier: GPL-3.0-or-later
// The CUDA source of kernels, read as text; no compiler is needed.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/cuda/codegen/codegen.h"
#include "engine/cuda/codegen/source_text.h"
#include "engine/language/parser.h"
#include "tests/engine/cuda/kernels.h"

namespace fusebench::cuda {
namespace {

using test::CudaKernels;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

struct Line {
  std::string text;
  int op;
};

std::vector<Line> linesOf(const Source& source) {
  std::vector<Line> lines;
  std::istringstream in(source.text);
  for (std::string text; std::getline(in, text);)
    lines.push_back({text.substr(std::min(text.find_first_not_of(' '), text.size())),
                     source.lineOps.at(lines.size())});
  return lines;
}

/// The lines that stand for some op.
std::vector<Line> opLines(const Source& source) {
  std::vector<Line> lines;
  for (Line& line : linesOf(source))
    if (line.op >= 0) lines.push_back(std::move(line));
  return lines;
}

Source sourceOf(const char* executor, const std::string& text,
                const std::vector<CudaKernels::Input>& inputs) {
  const Program program = parseProgram(text);
  const std::vector<Kernel> kernels = CudaKernels::of(executor, program, inputs);
  EXPECT_EQ(kernels.size(), 1u);
  return generate(kernels.front(), {&program});
}

int count(const std::string& text, const std::string& what) {
  int found = 0;
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) ++found;
  return found;
}

TEST(CudaSource, ReadsAsTheProgramDoes) {
  const Source source = sourceOf(
      "static", "x = torch.exp(x * 0.5)\ny = x + b\nreturn torch.relu(y)", {{{1000}}, {{1000}}});
  std::vector<std::string> text;
  std::vector<int> ops;
  for (const Line& line : opLines(source)) {
    text.push_back(line.text);
    ops.push_back(line.op);
  }
  EXPECT_THAT(text, ElementsAre("// 1: x = torch.exp(x * 0.5)", "const float x_1_mul = x_0 * 0.5f;",
                                "const float x_1 = expf(x_1_mul);", "// 2: y = x + b",
                                "const float y_2 = x_1 + b_0;", "// return torch.relu(y)",
                                "const float result_relu = y_2 < 0.0f ? 0.0f : y_2;",
                                "result0 = result_relu;", "to_result_relu[i0] = result0;"));
  EXPECT_THAT(ops, ElementsAre(0, 0, 1, 2, 2, 3, 3, 3, 3));
}

TEST(CudaSource, NamesInputsByTheirValuesInWhateverOrderTheyAreRead) {
  const std::string program =
      "def program(x, y):\n    a = torch.sin(y)\n    return a + torch.exp(x)\n";
  const std::string fused = sourceOf("static", program, {{{64}}, {{64}}}).text;
  EXPECT_THAT(fused, HasSubstr("sinf(y_0)"));
  EXPECT_THAT(fused, HasSubstr("expf(x_0)"));
  EXPECT_LT(fused.find("from_x_0"), fused.find("from_y_0"));
  // With one op, eager's kernel reads operands in their order, a fused one in that of the values.
  const std::string quotient = "def program(x, y):\n    return y / x\n";
  const std::string eager = sourceOf("eager", quotient, {{{64}}, {{64}}}).text;
  const std::string alone = sourceOf("static", quotient, {{{64}}, {{64}}}).text;
  for (const std::string& text : {eager, alone}) EXPECT_THAT(text, HasSubstr("y_0 / x_0")) << text;
  EXPECT_LT(eager.find("from_y_0"), eager.find("from_x_0"));
  EXPECT_LT(alone.find("from_x_0"), alone.find("from_y_0"));
}

TEST(CudaSource, EveryLineHasItsOpOrNone) {
  for (const char* text : {"return x.var(dim=1)", "y = x * 2\nreturn y, y.argmax(dim=0)"}) {
    const Source source = sourceOf("dynamic", text, {{{8, 16}}});
    EXPECT_EQ(source.lineOps.size(), static_cast<std::size_t>(count(source.text, "\n")));
    EXPECT_FALSE(opLines(source).empty());
  }
}

TEST(CudaSource, WithoutAProgramKernelsThatAreAlikeHaveOneText) {
  const auto text = [](const char* program) {
    return generate(CudaKernels::one("static", program, {{{64}}})).text;
  };
  EXPECT_EQ(text("return torch.sin(x)"), text("y = torch.sin(z)\nreturn y"));
  EXPECT_THAT(text("return torch.sin(x)"), HasSubstr("sinf(in0)"));
}

TEST(CudaSource, NamesOfTheProgramCannotClashWithAnything) {
  // Keywords, functions and variables of CUDA C++, our own helpers, and each other's versions.
  const Source source =
      sourceOf("static",
               "int = long + expf\nelement = int * threadIdx\ncount = element + i\nx_1 = count + "
               "x\nx = x_1\n"
               "x = x + x_1\nreturn x + done",
               {{{70000}}, {{70000}}, {{70000}}, {{70000}}, {{70000}}, {{70000}}});
  std::set<std::string> defined;
  const std::regex definition("const (?:float|bool) ([A-Za-z_0-9]+) =");
  const std::string element = source.text.substr(0, source.text.find("extern \"C\""));
  for (std::sregex_iterator it(element.begin(), element.end(), definition), end; it != end; ++it)
    EXPECT_TRUE(defined.insert((*it)[1]).second) << (*it)[1];
  for (const char* name : {"int_1", "element_2", "count_3", "x_1_4", "x_6"})
    EXPECT_TRUE(defined.contains(name)) << name;
}

TEST(CudaSource, AStatementsTextCannotEndItsComment) {
  Program program = parseProgram("y = x + 1\nreturn y");
  program.statements[0].text = "y = x \\\n  + 1 \\";
  const Kernel kernel = CudaKernels::of("static", program, {{{64}}}).front();
  EXPECT_THAT(generate(kernel, {&program}).text, HasSubstr("// 1: y = x \\   + 1\n"));
}

TEST(CudaSource, FourAtATimeWhereEverythingIsContiguous) {
  const Source source = sourceOf("dynamic", "return x + y", {{{40, 50}}, {{40, 50}}});
  EXPECT_EQ(source.entries[0].vectorWidth, 4);
  EXPECT_THAT(source.text, HasSubstr("if (count > threads && aligned(from_x_0) && "
                                     "aligned(from_y_0) && aligned(to_result_add))"));
  EXPECT_THAT(source.text, HasSubstr("load4(x_0, from_x_0 + i0);"));
  EXPECT_THAT(source.text, HasSubstr("store4(to_result_add + i0, result0);"));
  // Broadcast along rows: the row's length must be a multiple of four, and its stride.
  const Source broadcast = sourceOf("dynamic", "return x + y", {{{40, 50}}, {{50}}});
  EXPECT_EQ(broadcast.entries[0].vectorWidth, 4);
  EXPECT_THAT(broadcast.text, HasSubstr("n1 % 4 == 0"));
  EXPECT_THAT(broadcast.text, HasSubstr("from_x_0_step0 % 4 == 0"));
}

TEST(CudaSource, AnInstructionMovesSixteenBytesOfTheWidestTensor) {
  const auto widthOf = [](const char* text, DType dtype) {
    const Source source = sourceOf("dynamic", text, {{{400, 500}, dtype}});
    EXPECT_THAT(source.text, HasSubstr("aligned(")) << text;
    return source.entries[0].vectorWidth;
  };
  for (const auto& [dtype, width] :
       {std::pair(DType::float64, 2), std::pair(DType::int64, 2), std::pair(DType::int32, 4),
        std::pair(DType::float32, 4), std::pair(DType::float16, 8), std::pair(DType::bfloat16, 8)})
    EXPECT_EQ(widthOf("return x * 2", dtype), width) << info(dtype).name;
  EXPECT_EQ(widthOf("return x.float()", DType::float16), 4);
  EXPECT_EQ(widthOf("return x.half()", DType::float32), 4);
  EXPECT_EQ(widthOf("return x.double()", DType::bfloat16), 2);
  EXPECT_EQ(widthOf("return x > 0", DType::float16), 8);
  EXPECT_EQ(widthOf("return x.sum()", DType::float64), 2);
  EXPECT_EQ(widthOf("return x.sum()", DType::float16), 8);
  // Rows that no eight fit, but fours.
  const Source fours =
      sourceOf("static", "return x + y", {{{400, 500}, DType::float16}, {{500}, DType::float16}});
  EXPECT_EQ(fours.entries[0].vectorWidth, 4);
}

TEST(CudaSource, OneAtATimeWhereItIsNot) {
  const Source transposed =
      sourceOf("static", "return x + y", {{{400, 500}}, {{400, 500}, DType::float32, true}});
  EXPECT_EQ(transposed.entries[0].vectorWidth, 1);
  EXPECT_THAT(transposed.text, Not(HasSubstr("load4")));
  const Source odd = sourceOf("static", "return x + y", {{{400, 501}}, {{501}}});
  EXPECT_EQ(odd.entries[0].vectorWidth, 1);
}

TEST(CudaSource, ASmallKnownKernelHasNoLoop) {
  const Source source = sourceOf("static", "return torch.sin(x)", {{{8, 16}}});
  EXPECT_TRUE(source.loops.oneElementAThread);
  EXPECT_THAT(source.text, HasSubstr("if (i < 128) {"));
  EXPECT_THAT(source.text, Not(HasSubstr("for (")));
  const Source large = sourceOf("static", "return torch.sin(x)", {{{800, 1600}}});
  EXPECT_FALSE(large.loops.oneElementAThread);
  EXPECT_THAT(large.text, HasSubstr("i += threads"));
}

TEST(CudaSource, IndicesAreAsWideAsNeeded) {
  const auto source = [](const char* executor, const Shape& shape) {
    return sourceOf(executor, "return torch.sin(x)", {{shape}}).text;
  };
  EXPECT_THAT(source("static", {800, 1600}), HasSubstr("const int count = 1280000;"));
  const std::string dynamic = source("dynamic", {8, 16});
  EXPECT_THAT(dynamic, HasSubstr(", const int n0)"));
  EXPECT_THAT(dynamic, HasSubstr("const int count = n0;"));
  // A known size past what int holds, without the memory for it.
  Kernel kernel = CudaKernels::one("static", "return torch.sin(x)", {{{64}}});
  kernel.extents[0] = std::int64_t{3} << 30;
  EXPECT_THAT(generate(kernel).text, HasSubstr("const long long count = 3221225472ll;"));
  // A small space with a stride that reaches far.
  kernel.extents = Dims{4, 5};
  kernel.inputs[0].strides = Strides{std::int64_t{1} << 31, 1};
  kernel.outputs[0].tensor.strides = Strides{5, 1};
  EXPECT_THAT(generate(kernel).text, HasSubstr("const long long i = "));
  // Asked for: the form for launches that are larger than 32 bits serve.
  const std::string wide =
      generate(CudaKernels::one("dynamic", "return torch.sin(x)", {{{64}}}), {.wide = true}).text;
  EXPECT_THAT(wide, HasSubstr(", const long long n0)"));
  EXPECT_THAT(wide, HasSubstr("const long long count = n0;"));
}

TEST(CudaSource, ReductionsGoAlongWhatLiesSideBySide) {
  const auto role = [](const std::string& text, const CudaKernels::Input& input) {
    return sourceOf("dynamic", text, {input}).loops.role;
  };
  EXPECT_EQ(role("return x.sum()", {{8, 16}}), Role::rows);
  EXPECT_EQ(role("return x.sum(dim=1)", {{8, 16}}), Role::rows);
  EXPECT_EQ(role("return x.sum(dim=0)", {{8, 16}}), Role::columns);
  EXPECT_EQ(role("return x.sum(dim=0)", {{8, 16}, DType::float32, true}), Role::rows);
  EXPECT_EQ(role("return x.sum(dim=1)", {{8, 16}, DType::float32, true}), Role::columns);
  EXPECT_EQ(role("return x.sum(dim=(0, 2))", {{4, 8, 16}}), Role::rows);
}

TEST(CudaSource, RoundsOfReductionsKeepWhatTheNextReadsAndBecomeRoutines) {
  const auto rounds = [](int count) {
    std::string text;
    for (int round = 0; round < count; ++round)
      text += "x = torch.sin(x) * 0.9\nx = x - x.mean()\n";
    return sourceOf("static", text + "return x.sum()", {{{4096}}}).text;
  };
  const auto times = [](const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++found;
    return found;
  };
  // A round's sine is kept for the next alone, so that eight find room.
  const std::string eight = rounds(8);
  const std::string kept = eight.substr(eight.find("void keptPhase1("));
  EXPECT_EQ(times(kept, "sinf("), 8);
  EXPECT_THAT(eight, HasSubstr("float made7["));
  EXPECT_GT(times(eight, "__noinline__ void keptPhase"), 0);
  EXPECT_EQ(times(rounds(2), "__noinline__"), 0);
}

TEST(CudaSource, AFusedReductionStoresItsPointwiseResultsToo) {
  const Source source =
      sourceOf("dynamic", "y = torch.exp(x)\nreturn y, y.sum(dim=1), y.amax(dim=1)", {{{8, 16}}});
  EXPECT_THAT(source.text, HasSubstr("store4(to_y_1"));
  EXPECT_THAT(source.text, HasSubstr("state1 = acrossRow(state1);"));
  EXPECT_THAT(source.text, HasSubstr("state2 = acrossRow(state2);"));
  EXPECT_EQ(source.loops.partialBytes, 16u);
}

TEST(CudaSource, AKernelTakesItsArgumentsInTheDocumentedOrder) {
  const Kernel kernel = CudaKernels::one("eager", "return torch.nn.functional.leaky_relu(x, 0.1)",
                                         {{{4, 6}, DType::float32, false, 2}});
  EXPECT_THAT(generate(kernel).text,
              HasSubstr("(const float* __restrict__ from_in0, float* __restrict__ to_out0, "
                        "const int n0, const int from_in0_step0, "
                        "const float number0)"));
  const Kernel sum = CudaKernels::one("eager", "return x.sum()", {{{4, 6}}});
  EXPECT_THAT(generate(sum).text, HasSubstr("const int n0, void* scratch, unsigned* arrived, "
                                            "const int parts)"));
}

TEST(CudaSource, LiteralsAreExactHoweverTheyAreRead) {
  EXPECT_EQ(floatText(0.1f), "0.1f");
  EXPECT_EQ(floatText(3), "3.0f");
  EXPECT_EQ(floatText(-0.0f), "-0.0f");
  EXPECT_EQ(floatText(1e30f), "1e+30f");
  EXPECT_EQ(floatText(INFINITY), "__int_as_float(0x7f800000)");
  EXPECT_EQ(floatText(-INFINITY), "-__int_as_float(0x7f800000)");
  std::uint32_t bits = 1;
  for (int i = 0; i < 20000; ++i) {
    bits = bits * 1664525u + 1013904223u;
    const float value = std::abs(std::bit_cast<float>(bits));
    if (!std::isfinite(value)) continue;
    const std::string text = floatText(value);
    ASSERT_EQ(std::strtof(text.c_str(), nullptr), value) << text;
    ASSERT_EQ(static_cast<float>(std::strtod(text.c_str(), nullptr)), value) << text;
  }
}

TEST(CudaSource, IdentifiersHoldWhatIdentifiersMay) {
  EXPECT_EQ(identifier("add_sin_..._sum (34 ops)"), "add_sin_sum_34_ops");
  Names names;
  names.reserve("x");
  EXPECT_EQ(names.make("x"), "x_2");
  EXPECT_EQ(names.make("x_2"), "x_2_2");
  EXPECT_EQ(names.make("y"), "y");
}

}  // namespace
}  // namespace fusebench::cuda
