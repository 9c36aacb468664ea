// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/shown_text.h"

#include <gtest/gtest.h>

namespace fusebench {
namespace {

TEST(ShownText, SpellsOutWhatATerminalWouldObey) {
  EXPECT_EQ(shownText("a\x1b]0;title\x07 b\x7f"), "a\\x1b]0;title\\x07 b\\x7f");
  EXPECT_EQ(shownText("\xc2\x9b"
                      "31m \xe2\x80\xae"
                      "x"),
            "\\u009b31m \\u202ex");
  EXPECT_EQ(shownText("a\tb\nc\r"), "a\tb\nc\\r");
}

TEST(ShownText, SpellsOutBytesThatAreNoUtf8) {
  EXPECT_EQ(shownText("\xff\xc3\xa9\xc3 \xc0\xaf \xed\xa0\x80 \xf0\x9f\x98\x80 \xe2\x82"),
            "\\xff\xc3\xa9\\xc3 \\xc0\\xaf \\xed\\xa0\\x80 \xf0\x9f\x98\x80 \\xe2\\x82");
}

TEST(ShownText, NamesAreShortAndOnOneLine) {
  EXPECT_EQ(shownName("a\nb"), "a\\nb");
  std::string longest(60, 'x');
  EXPECT_EQ(shownName(longest), longest);
  longest.push_back('x');
  EXPECT_EQ(shownName(longest), longest.substr(0, 60) + "...");
  std::string accents;
  for (int i = 0; i < 61; ++i) accents += "\xc3\xa9";
  EXPECT_EQ(shownName(accents), accents.substr(0, 120) + "...");
}

TEST(ShownText, MessagesKeepTheirWordsAndShortenNames) {
  EXPECT_EQ(shownMessage("there is no 'abc' here; is  it?"), "there is no 'abc' here; is  it?");
  std::string given = "no '", shown = given;
  given.append(100, 'x').append("'; why");
  shown.append(59, 'x').append("...'; why");
  EXPECT_EQ(shownMessage(given), shown);
}

TEST(ShownText, JsonSaysTheSameInEscapes) {
  EXPECT_EQ(shownJson("{\"a\": \"\xc2\x9b\x7f\xc3\xa9\"}\n"),
            "{\"a\": \"\\u009b\\u007f\xc3\xa9\"}\n");
}

}  // namespace
}  // namespace fusebench
