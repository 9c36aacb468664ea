// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/ops/promotion.h"

#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

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
  std::ifstream file(FUSEBENCH_SOURCE_DIR "/tests/engine/values/promotion.txt");
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
