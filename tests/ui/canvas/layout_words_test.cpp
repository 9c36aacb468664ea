// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/canvas/layout_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ui/models/setup/document_model.h"

namespace fusebench {
namespace {

using ::testing::ElementsAre;

TEST(TensorLayouts, AreCalledAsPeopleCallThem) {
  EXPECT_EQ(layoutWord({{3, 4}, {4, 1}}), QStringLiteral("row-major"));
  EXPECT_EQ(layoutWord({{3, 4}, {1, 3}}), QStringLiteral("column-major"));
  EXPECT_EQ(layoutWord({{2, 3, 4, 5}, {60, 1, 15, 3}}), QStringLiteral("channels last"));
  EXPECT_EQ(layoutWord({{2, 3, 4}, {12, 1, 3}}),
            QStringLiteral("no gaps, dimensions in another order"));
  EXPECT_EQ(layoutWord({{3, 4}, {8, 2}}), QStringLiteral("with gaps"));
  EXPECT_EQ(layoutWord({{3, 4}, {0, 1}}), QStringLiteral("the same elements read several times"));
  EXPECT_EQ(layoutText({{3, 4}, {1, 3}, 0, 0}, QStringLiteral("x")),
            QStringLiteral("strides (1, 3): column-major, a view of x"));
}

TEST(TensorLayouts, AreGridsOfPlacesInMemory) {
  const LayoutGrid turned = layoutGrid({{3, 2}, {1, 3}}, 6, 8);
  EXPECT_THAT(turned.rows, ElementsAre(ElementsAre(0, 3), ElementsAre(1, 4), ElementsAre(2, 5)));
  EXPECT_FALSE(turned.moreRows);
  EXPECT_TRUE(turned.part.isEmpty());
  const LayoutGrid part = layoutGrid({{2, 9, 9}, {200, 20, 2}, 5}, 2, 3);
  EXPECT_THAT(part.rows, ElementsAre(ElementsAre(5, 7, 9), ElementsAre(25, 27, 29)));
  EXPECT_TRUE(part.moreRows && part.moreColumns);
  EXPECT_EQ(part.part, QStringLiteral("[0, :, :]"));
  EXPECT_EQ(part.last, 29);
  EXPECT_THAT(layoutGrid({{3}, {2}}, 6, 8).rows, ElementsAre(ElementsAre(0, 2, 4)));
}

TEST(TensorLayouts, AreThoseOfTheInputsAndOfWhatTheProgramMakesOfThem) {
  Experiment experiment = DocumentModel::blank();
  experiment.inputSets[0].inputs[0].extents = {"4", "6"};
  experiment.inputSets[0].inputs[0].layout = "transposed";
  DocumentModel document;
  document.load(std::move(experiment), {});
  document.setText(QStringLiteral("typed"), {},
                   "def f(x):\n    y = torch.exp(x)\n    z = y.t()\n    w = x[:, ::2]\n"
                   "    return z, w\n");
  ASSERT_TRUE(document.sketch().valid()) << document.sketch().problems.front().message;
  const auto layouts = document.layouts(0);
  ASSERT_EQ(layouts.size(), static_cast<std::size_t>(document.sketch().program.valueCount()));
  ASSERT_TRUE(layouts[0]);
  EXPECT_EQ(*layouts[0], (TensorLayout{{4, 6}, {1, 4}}));
  const auto& outputs = document.sketch().program.outputs;
  const auto& turned = layouts[static_cast<std::size_t>(outputs[0])];
  ASSERT_TRUE(turned);
  EXPECT_THAT(turned->extents, ElementsAre(6, 4));
  EXPECT_THAT(turned->strides, ElementsAre(4, 1)) << "what is made of it lies as it does";
  EXPECT_GT(turned->of, 0) << "a view of the exponential";
  const auto& part = layouts[static_cast<std::size_t>(outputs[1])];
  ASSERT_TRUE(part);
  EXPECT_EQ(*part, (TensorLayout{{4, 3}, {1, 8}, 0, 0})) << "a view of the input";
}

}  // namespace
}  // namespace fusebench
