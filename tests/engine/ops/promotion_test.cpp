// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/ops/promotion.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "tests/engine/support/torch_python.h"
#include "tests/support/built_paths.h"

namespace fusebench {
namespace {

OperandType operandOf(const std::string& text) {
  using Weight = OperandType::Weight;
  const Weight weight = text[0] == 'd'   ? Weight::dimensioned
                        : text[0] == 's' ? Weight::scalar
                                         : Weight::number;
  const DType* const dtype = findDType(text.substr(2));
  EXPECT_NE(dtype, nullptr) << text;
  return {dtype ? *dtype : DType::float32, weight};
}

TEST(Promotion, IsPyTorchsForEveryPairOfOperands) {
  std::ifstream file(fusebench::test::sourcePath("/tests/engine/values/promotion.txt"));
  std::string line;
  int pairs = 0;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::string a, b, arrow, result;
    words >> a >> b >> arrow >> result;
    const OperandType operands[] = {operandOf(a), operandOf(b)};
    EXPECT_EQ(info(resultType(operands)).name, result) << line;
    ++pairs;
  }
  EXPECT_GE(pairs, 380);
}

// The table was written with one release of PyTorch; an installed one must agree with it.
TEST(Promotion, IsThatOfThePyTorchThatIsInstalled) {
  const std::string python = test::pythonWithTorch();
  if (python.empty()) GTEST_SKIP() << test::kNoTorch;
  const std::string output = test::runPython(python, std::string("import torch\npath = '") +
                                                         fusebench::test::sourcePath() +
                                                         R"(/tests/engine/values/promotion.txt'
def operand(text):
    weight, name = text.split(":")
    if weight == "n":
        return 1 if name == "int64" else 1.0
    return torch.zeros([2] if weight == "d" else [], dtype=getattr(torch, name))
lines = [line.split() for line in open(path) if not line.startswith("#")]
for a, b, _, result in lines:
    made = str(torch.result_type(operand(a), operand(b)))
    if made != "torch." + result:
        print(a, b, "->", made, "not", result)
print(len(lines), "pairs")
)");
  EXPECT_EQ(output, "392 pairs\n");
}

TEST(Promotion, IsWrittenDownForEveryPairThatHasATypeHere) {
  std::ifstream file(fusebench::test::sourcePath("/tests/engine/values/promotion.txt"));
  std::set<std::string> pairs;
  for (std::string line; std::getline(file, line);) pairs.insert(line.substr(0, line.find(" -> ")));
  for (std::size_t a = 0; a < kDTypes; ++a)
    for (std::size_t b = 0; b < kDTypes; ++b) {
      const std::string first(info(static_cast<DType>(a)).name),
          second(info(static_cast<DType>(b)).name);
      for (const char* weights : {"dd", "ds", "sd", "ss"}) {
        const std::string pair = weights[0] + (":" + first) + " " + weights[1] + ":" + second;
        // Bytes with and without a sign make int16, which is not there.
        const bool sixteen =
            (first == "int8" && second == "uint8") || (first == "uint8" && second == "int8");
        EXPECT_EQ(pairs.contains(pair), !(sixteen && weights[0] == weights[1])) << pair;
      }
    }
}

TEST(Promotion, IsTheSameEitherWayRound) {
  for (std::size_t a = 0; a < kDTypes; ++a)
    for (std::size_t b = 0; b < kDTypes; ++b)
      EXPECT_EQ(promoted(static_cast<DType>(a), static_cast<DType>(b)),
                promoted(static_cast<DType>(b), static_cast<DType>(a)));
}

TEST(Promotion, OfThreeWeighsEachBeforeItMixesThem) {
  using Weight = OperandType::Weight;
  const OperandType operands[] = {{DType::int32, Weight::dimensioned},
                                  {DType::float64, Weight::scalar},
                                  {DType::float32, Weight::number}};
  EXPECT_EQ(resultType(operands), DType::float64);
}

TEST(DTypes, AreFoundByPyTorchsNames) {
  EXPECT_EQ(*findDType("torch.half"), DType::float16);
  EXPECT_EQ(*findDType("double"), DType::float64);
  EXPECT_EQ(*findDType("torch.long"), DType::int64);
  EXPECT_EQ(findDType("torch.complex64"), nullptr);
  for (std::size_t d = 0; d < kDTypes; ++d)
    EXPECT_EQ(*findDType(info(static_cast<DType>(d)).name), static_cast<DType>(d));
}

}  // namespace
}  // namespace fusebench
