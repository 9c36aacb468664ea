// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/names_apart.h"

#include <gtest/gtest.h>

#include <QSet>

namespace fusebench {
namespace {

std::function<bool(const QString&)> ofLength(qsizetype most) {
  return [most](const QString& text) { return text.size() <= most; };
}

const QString kLong = QStringLiteral(
    "void at::native::vectorized_elementwise_kernel<4, at::native::%1<float>, "
    "std::array<char*, 2ul> >(int, at::native::%1<float>, std::array<char*, 2ul>)");

TEST(NamesApart, WhatFitsStaysAsItIsAndWhatDoesNotKeepsBothEnds) {
  EXPECT_EQ(namesApart({"sin", "mul"}, ofLength(10)), QStringList({"sin", "mul"}));
  EXPECT_EQ(namesApart({"abcdefghij"}, ofLength(5)), QStringList({"ab…ij"}));
}

TEST(NamesApart, KernelsThatBeginAndEndAlikeAreToldApart) {
  const QStringList names = {kLong.arg("AddFunctor"), kLong.arg("MulFunctor"),
                             kLong.arg("MulFunctorScalar"), kLong.arg("MaxFunctor"), "sin"};
  for (const qsizetype most : {24, 32, 60, 120}) {
    const QStringList shown = namesApart(names, ofLength(most));
    EXPECT_EQ(QSet<QString>(shown.begin(), shown.end()).size(), names.size())
        << most << ": " << shown.join("\n").toStdString();
    for (const QString& text : shown) EXPECT_LE(text.size(), most) << text.toStdString();
  }
  EXPECT_EQ(namesApart(names, ofLength(1000)), names);
  const QStringList at32 = namesApart(names, ofLength(32));
  EXPECT_TRUE(at32[0].contains("AddF")) << at32[0].toStdString();
  EXPECT_TRUE(at32[0].startsWith("void")) << "where it begins is seen, too";
}

TEST(NamesApart, OneNameOfTwoTracesIsToldApartByItsTrace) {
  const QStringList names = {kLong.arg("Add") + " · eager", kLong.arg("Mul") + " · eager",
                             kLong.arg("Add") + " · replay", kLong.arg("Mul") + " · replay"};
  const QStringList shown = namesApart(names, ofLength(40));
  EXPECT_EQ(QSet<QString>(shown.begin(), shown.end()).size(), 4) << shown.join("\n").toStdString();
}

TEST(NamesApart, WithoutRoomForWhatDiffersTheyAreLeftAlike) {
  EXPECT_EQ(namesApart({"abcdefgh", "abcdxfgh"}, ofLength(1)), QStringList({"…", "…"}));
  EXPECT_EQ(namesApart({"same", "same"}, ofLength(3)), QStringList({"s…e", "s…e"}));
}

TEST(PartsApart, AreTheWordsThatTitlesDoNotShare) {
  EXPECT_EQ(partsApart({"torch_h100_eager.json.gz", "torch_h100_replay.json.gz"}),
            QStringList({"eager", "replay"}));
  EXPECT_EQ(partsApart({"run.json"}), QStringList({"run.json"}));
  EXPECT_EQ(partsApart({"a.json", "a.json"}), QStringList({"a.json", "a.json"}));
  EXPECT_EQ(partsApart({"trace", "trace-2"}), QStringList({"trace", "trace-2"}));
  EXPECT_EQ(partsApart({"abc", "abd"}), QStringList({"abc", "abd"}));
}

}  // namespace
}  // namespace fusebench
