// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/catalogue/catalogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "profiler/files/input_error.h"

namespace fusebench {
namespace {

class Catalogue : public testing::Test {
 protected:
  void TearDown() override { setLanguage("en"); }
};

TEST_F(Catalogue, SaysInTheChosenLanguageAndInEnglishWhatItLacks) {
  EXPECT_EQ(said("Predict"), "Predict");
  setLanguage("zh_CN");
  EXPECT_EQ(said("Predict"), "先预测");
  EXPECT_EQ(said("no such message"), "no such message");
  EXPECT_EQ(saying("Predicted: {}", 3), "预测：3");
}

TEST_F(Catalogue, RefusesALanguageThatThereIsNone) {
  EXPECT_THROW(setLanguage("tlh"), InputError);
  EXPECT_EQ(language(), "en");
}

TEST_F(Catalogue, TakesTheSystemsLanguage) {
  const auto asked = [](const char* locale) {
    ::setenv("LC_ALL", locale, 1);
    const std::string language = systemLanguage();
    ::unsetenv("LC_ALL");
    return language;
  };
  EXPECT_EQ(asked("zh_CN.UTF-8"), "zh_CN");
  EXPECT_EQ(asked("zh_SG.UTF-8"), "zh_CN");
  EXPECT_EQ(asked("zh_TW.UTF-8"), "en");
  EXPECT_EQ(asked("de_DE.UTF-8"), "en");
}

}  // namespace
}  // namespace fusebench
