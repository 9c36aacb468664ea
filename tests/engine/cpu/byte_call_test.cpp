// SPDX-License-Identifier: GPL-3.0-or-later
// Products and convolutions of bytes by the kernel for processors without VNNI: the same bits as
// the plain loops, whatever the shape, the layout and the signs.
#include "engine/cpu/library/byte_call.h"

#include <algorithm>
#include <array>
#include <random>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/cpu/library/byte_dots.h"
#include "engine/cpu/library/plain_loops.h"
#include "engine/cpu/library/transpose.h"

namespace fusebench {
namespace {

using ByteDims = std::vector<std::int64_t>;

/// Dimensions in some order, outermost first.
std::vector<std::size_t> someOrder(std::size_t dims, std::mt19937& random) {
  std::vector<std::size_t> order(dims);
  for (std::size_t d = 0; d < dims; ++d) order[d] = d;
  if (random() % 2) std::ranges::shuffle(order, random);
  return order;
}

/// A tensor of bytes with its dimensions in some order in memory, sometimes with gaps.
struct RandomBytes {
  ByteDims extents, strides;
  std::vector<std::uint8_t> data;

  RandomBytes(ByteDims of, std::mt19937& random) : extents(std::move(of)), strides(extents.size()) {
    const auto order = someOrder(extents.size(), random);
    std::int64_t step = 1;
    for (std::size_t o = order.size(); o-- > 0;) {
      strides[order[o]] = step;
      step = step * extents[order[o]] + (random() % 4 == 0 ? 3 : 0);
    }
    data.resize(static_cast<std::size_t>(step));
    // Extremes are frequent: pairs of them saturate in 16 bits.
    for (std::uint8_t& byte : data) {
      const auto kind = random() % 4;
      byte = static_cast<std::uint8_t>(kind == 0 ? 255 : kind == 1 ? 128 : random());
    }
  }
};

struct RandomCall {
  LibraryCall call;
  std::vector<RandomBytes> operands;
  ByteDims result;

  /// Both ways; true: the same sums.
  testing::AssertionResult agrees(bool inParts, std::mt19937& random) {
    std::vector<std::int64_t> integers;
    std::int64_t elements = 1;
    ByteDims strides(result.size());
    const auto order = someOrder(result.size(), random);
    for (std::size_t o = order.size(); o-- > 0;) {
      strides[order[o]] = elements;
      elements *= result[order[o]];
    }
    const auto add = [&](const ByteDims& each) {
      integers.insert(integers.end(), each.begin(), each.end());
    };
    for (const RandomBytes& operand : operands) {
      add(operand.extents);
      add(operand.strides);
    }
    add(result);
    add(strides);
    const CallSizes sizes = sizesOf(call, integers.data());
    const auto made = cpu::ByteCall::make(call, sizes, integers.data());
    if (!made) return testing::AssertionFailure() << "it is refused";
    std::vector<std::int32_t> plain(static_cast<std::size_t>(elements), -1), fast(plain);
    std::array<void*, 3> pointers{operands[0].data.data(), operands[1].data.data(), plain.data()};
    cpu::runPlainLoops(call, sizes, pointers.data(), 0, sizes.kept(call.form));
    pointers[2] = fast.data();
    const std::int64_t parts = made->parts();
    const std::int64_t each = inParts ? 1 + static_cast<std::int64_t>(random() % 3) : parts;
    for (std::int64_t part = 0; part < parts; part += each)
      made->run(pointers.data(), part, std::min(parts, part + each));
    if (plain == fast) return testing::AssertionSuccess();
    const auto [at, other] = std::ranges::mismatch(plain, fast);
    return testing::AssertionFailure()
           << *other << " instead of " << *at << " at " << at - plain.begin() << " of " << elements;
  }
};

LibraryCall callOfBytes(const std::string& equation, const ContractSettings& settings,
                        const std::vector<RandomBytes>& operands, std::mt19937& random) {
  Op op;
  op.row = &integerProductRow();
  op.equation = equation;
  op.settings = std::make_shared<const ContractSettings>(settings);
  std::vector<Form> forms;
  for (const RandomBytes& operand : operands) {
    Form form;
    for (const std::int64_t extent : operand.extents) form.shape.push(extent);
    form.dtype = random() % 2 ? DType::int8 : DType::uint8;
    forms.push_back(form);
  }
  return callOf(op, forms);
}

class ByteCalls : public testing::Test {
 protected:
  void SetUp() override {
    if (!cpu::hasByteDots()) GTEST_SKIP() << "this processor has no AVX2";
  }
  std::int64_t pick(std::int64_t most) {
    return 1 + static_cast<std::int64_t>(random_() % static_cast<unsigned>(most));
  }

  std::mt19937 random_{7};
};

TEST_F(ByteCalls, MultiplyToTheBitsOfPlainLoops) {
  for (int i = 0; i < 300; ++i) {
    // Now and then deeper than one pass, and more rows and columns than one part.
    const std::int64_t depth = i % 20 == 0 ? 2030 + pick(60) : pick(70);
    const std::int64_t rows = i % 7 == 0 ? pick(260) : pick(20);
    const std::int64_t columns = i % 11 == 0 ? pick(90) : pick(20);
    const bool batches = i % 3 == 0;
    const std::int64_t batch = batches ? pick(3) : 1;
    const ByteDims first = batches ? ByteDims{batch, rows, depth} : ByteDims{rows, depth};
    const ByteDims second = batches ? ByteDims{batch, depth, columns} : ByteDims{depth, columns};
    const std::vector<RandomBytes> operands{{first, random_}, {second, random_}};
    RandomCall one{callOfBytes(batches ? "bmk,bkn->bmn" : "mk,kn->mn", {}, operands, random_),
                   operands, batches ? ByteDims{batch, rows, columns} : ByteDims{rows, columns}};
    ASSERT_TRUE(one.agrees(i % 2 == 0, random_))
        << fmt::format("{} x {} x {} x {}", batch, rows, depth, columns);
  }
}

TEST_F(ByteCalls, ConvolveToTheBitsOfPlainLoops) {
  for (int i = 0; i < 300; ++i) {
    const bool flat = i % 4 == 0, batches = i % 5 != 0;
    const std::int64_t groups = i % 3 == 0 ? pick(3) : 1, channels = pick(i % 6 == 0 ? 40 : 9);
    const std::int64_t made = pick(9), images = batches ? pick(3) : 1;
    ContractSettings settings;
    settings.groups = groups;
    ByteDims image, weights{groups * made, channels}, result;
    if (batches) {
      image.push_back(images);
      result.push_back(images);
    }
    image.push_back(groups * channels);
    result.push_back(groups * made);
    for (int w = 0; w < (flat ? 1 : 2); ++w) {
      const std::int64_t kernel = pick(4), step = pick(3), dilation = pick(2);
      const std::int64_t padding = pick(3) - 1;
      const std::int64_t reach = dilation * (kernel - 1) + 1;
      const std::int64_t extent = std::max<std::int64_t>(1, reach - 2 * padding) + pick(12) - 1;
      settings.stride.push_back(step);
      settings.padding.push_back(padding);
      settings.dilation.push_back(dilation);
      image.push_back(extent);
      weights.push_back(kernel);
      result.push_back((extent + 2 * padding - reach) / step + 1);
    }
    const std::string batch = batches ? "n" : "";
    const std::string equation = flat ? batch + "[gc](xl),[go]cl->" + batch + "[go]x"
                                      : batch + "[gc](yk)(xl),[go]ckl->" + batch + "[go]yx";
    const std::vector<RandomBytes> operands{{image, random_}, {weights, random_}};
    RandomCall one{callOfBytes(equation, settings, operands, random_), operands, result};
    ASSERT_TRUE(one.agrees(i % 2 == 0, random_)) << equation << ", case " << i;
  }
}

TEST_F(ByteCalls, WrapAsSumsOfInt32Do) {
  // 70,000 products of 255 and 255 are more than 2^32.
  const std::int64_t depth = 70000;
  const std::vector<std::uint8_t> ones(static_cast<std::size_t>(depth), 255);
  std::int32_t sum = 0;
  cpu::multiplyBytes({ones.data(), 1, depth, depth, false}, {ones.data(), 1, depth, depth, false},
                     {&sum, 1, 1});
  EXPECT_EQ(sum, static_cast<std::int32_t>(static_cast<std::uint32_t>(depth * 255 * 255)));
}

TEST_F(ByteCalls, LeaveProductsOfFloatsAlone) {
  const std::vector<RandomBytes> operands{{{3, 4}, random_}, {{4, 2}, random_}};
  LibraryCall call = callOfBytes("mk,kn->mn", {}, operands, random_);
  call.operands = {DType::float32, DType::float32};
  call.result = DType::float32;
  const std::vector<std::int64_t> integers{3, 4, 4, 1, 4, 2, 2, 1, 3, 2, 2, 1};
  EXPECT_EQ(cpu::ByteCall::make(call, sizesOf(call, integers.data()), integers.data()), nullptr);
}

template <class Element>
void expectTransposed() {
  for (const std::int64_t rows : {1, 3, 4, 7, 8, 19, 70})
    for (const std::int64_t columns : {1, 3, 4, 8, 9, 33, 130}) {
      std::vector<Element> from(static_cast<std::size_t>(rows * (columns + 2))),
          to(static_cast<std::size_t>(columns * (rows + 1)), 0);
      for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<Element>(i * 7919 + 1);
      cpu::transposeElements(sizeof(Element), from.data(), columns + 2, to.data(), rows + 1, rows,
                             columns);
      for (std::int64_t c = 0; c < columns; ++c)
        for (std::int64_t r = 0; r <= rows; ++r)
          ASSERT_EQ(to[static_cast<std::size_t>(c * (rows + 1) + r)],
                    r == rows ? Element{0} : from[static_cast<std::size_t>(r * (columns + 2) + c)])
              << rows << " by " << columns << ": " << r << ", " << c;
    }
}

TEST(TransposedElements, AreAtTheirPlaces) {
  expectTransposed<std::uint8_t>();
  expectTransposed<std::uint16_t>();
  expectTransposed<std::uint32_t>();
  expectTransposed<std::uint64_t>();
}

}  // namespace
}  // namespace fusebench
