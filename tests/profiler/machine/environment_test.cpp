// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/machine/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "profiler/machine/build.h"

namespace fusebench {
namespace {

using testing::HasSubstr;
using testing::Not;

class Environment : public testing::Test {
 protected:
  ~Environment() override { noteBuild(before_); }

 private:
  Build before_ = build();
};

TEST_F(Environment, NamesTheCommitThatAProgramWasBuiltFrom) {
  noteBuild({"1234567890ab+", "fedcba987654"});
  const nlohmann::json ours = collectEnvironment("a device");
  EXPECT_EQ(ours.value("commit", ""), "1234567890ab+");
  EXPECT_EQ(ours.value("engine", ""), "fedcba987654");
  EXPECT_THAT(environmentLine(ours), HasSubstr("built from 1234567890ab+"));
  EXPECT_EQ(engineNote(ours), "");
  noteBuild({});
  EXPECT_FALSE(collectEnvironment("a device").contains("commit"));
}

TEST_F(Environment, SaysWhereTheEngineHasChangedSinceSomethingWasRecorded) {
  noteBuild({"1234567890ab", "fedcba987654"});
  nlohmann::json theirs = {{"backend", "a device"}, {"engine", "d2e1bd619fb0"}};
  EXPECT_EQ(environmentLine(theirs), "a device; the engine has changed since");
  theirs["engine"] = "fedcba987654";
  EXPECT_EQ(environmentLine(theirs), "a device");
  // If one of the two is not known, the line does not mention it.
  theirs.erase("engine");
  EXPECT_THAT(environmentLine(theirs), Not(HasSubstr("changed")));
  theirs["engine"] = 7;
  EXPECT_THAT(environmentLine(theirs), Not(HasSubstr("changed")));
  noteBuild({});
  theirs["engine"] = "d2e1bd619fb0";
  EXPECT_THAT(environmentLine(theirs), Not(HasSubstr("changed")));
}

TEST(NarrowUnits, AreReadOffTheProcessorsFlags) {
  const auto there = [](std::string_view flags) {
    std::string names;
    for (const NarrowUnit& unit : narrowUnits(flags)) names += unit.there ? unit.name + " " : "";
    return names;
  };
  EXPECT_EQ(there(" avx2 avx512_vnni avx512_bf16 "), "VNNI AVX512-BF16 ");
  EXPECT_EQ(there(" avx2 avx_vnni "), "VNNI ");
  EXPECT_EQ(there(" avx2 amx_tile amx_int8 avx512_fp16 "), "AVX512-FP16 AMX ");
  EXPECT_EQ(there(" avx2 fma "), "");
  EXPECT_EQ(narrowUnits(" avx2 ").size(), 4u);
  EXPECT_TRUE(narrowUnits("").empty());  // a processor of another kind
}

}  // namespace
}  // namespace fusebench
