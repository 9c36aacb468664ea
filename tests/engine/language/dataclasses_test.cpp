// SPDX-License-Identifier: GPL-3.0-or-later
// Dataclasses that Python refuses are refused for its reasons. PyTorch runs
// tests/corpus/config_dataclasses.py.
#include <gmock/gmock.h>

#include "engine/language/parser.h"
#include "engine/language/program_source.h"

namespace fusebench {
namespace {

using ::testing::HasSubstr;

/// The complaint about a program that makes an object of a class with these fields.
std::string complaintOfClass(const std::string& fields, const std::string& made,
                             const std::string& decorator = "@dataclass") {
  try {
    parseProgram("from dataclasses import dataclass, field, replace\n" + decorator +
                 "\nclass Config:\n" + fields + "def f(x):\n    return x * " + made + ".width\n");
  } catch (const ProgramError& error) {
    return std::to_string(error.place().line) + ": " + error.what();
  }
  return "nothing";
}

TEST(Dataclasses, TakeArgumentsByPlaceAndName) {
  const std::string fields = "    width: int\n    depth: int = 2\n";
  for (const char* made : {"Config(3)", "Config(3, 4)", "Config(width=3)", "Config(3, depth=4)",
                           "replace(Config(3), width=5)"})
    EXPECT_EQ(complaintOfClass(fields, made), "nothing") << made;
  EXPECT_THAT(complaintOfClass(fields, "Config()"),
              HasSubstr("Config(...) is missing its argument 'width'"));
  EXPECT_THAT(complaintOfClass(fields, "Config(1, 2, 3)"),
              HasSubstr("Config(...) takes at most 2 arguments"));
  EXPECT_THAT(complaintOfClass(fields, "Config(1, height=3)"),
              HasSubstr("Config(...) has no argument 'height'"));
  EXPECT_THAT(complaintOfClass(fields, "Config(1, width=3)"),
              HasSubstr("Config(...) got 'width' twice"));
  EXPECT_THAT(complaintOfClass("    width: int = 1\n", "Config(2)", "@dataclass(kw_only=True)"),
              HasSubstr("Config(...) takes at most 0 arguments"));
}

TEST(Dataclasses, AreRefusedAsInPython) {
  EXPECT_THAT(complaintOfClass("    width: int = 1\n    depth: int\n", "Config(1, 2)"),
              HasSubstr("the field 'depth' of Config has no default but follows 'width'"));
  EXPECT_THAT(
      complaintOfClass("    width: int\n    sizes: list = []\n", "Config(1)"),
      HasSubstr("the default of the field 'sizes' is a list, which all objects would share"));
  EXPECT_THAT(complaintOfClass("    width: int\n    def __post_init__(self):\n"
                               "        self.width = 2\n",
                               "Config(1)", "@dataclass(frozen=True)"),
              HasSubstr(".width of Config cannot be set, because the dataclass is frozen"));
}

TEST(Dataclasses, AreWhatPyTorchIsGiven) {
  const std::string text = torchText(parseProgram(
      "from dataclasses import dataclass, field\nfrom typing import ClassVar\n"
      "@dataclass(frozen=True)\nclass Config:\n    width: int\n    kind: ClassVar[str] = 'a'\n"
      "    sizes: list = field(default_factory=lambda: [1, 2])\nc = Config(3)\n"
      "def f(x):\n    return x * c.width + c.sizes[1]\n"));
  EXPECT_THAT(text, HasSubstr("from dataclasses import dataclass\n"));
  EXPECT_THAT(text, HasSubstr("@dataclass(frozen=True)\nclass Config:\n    width: object\n"
                              "    kind = 'a'\n"
                              "    sizes: object = field(default_factory=lambda: [1, 2])\n"));
}

}  // namespace
}  // namespace fusebench
