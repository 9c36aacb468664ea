// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of pages for a call's memory: all give the same values; where each is allocated.
#include <gmock/gmock.h>

#include <stdexcept>
#include <vector>

#include "engine/cpu/runtime/cpu_backend.h"
#include "engine/sim/sim_backend.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

using testing::HasSubstr;

constexpr const char* kWithPages = "y = torch.sin(x) * 2\nz = y.sum(-1)\nreturn y, z, y.t() + 1";

ExecutorOptions with(Pages pages) {
  ExecutorOptions options;
  options.pages = pages;
  return options;
}

std::string refusalOf(const char* executor, Backend& backend, Pages pages) {
  try {
    makeExecutor(executor, backend, parseProgram(kWithPages), with(pages));
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(PagesOfCalls, DoNotChangeWhatIsComputed) {
  EngineFixture fixture;
  const Program program = parseProgram(kWithPages);
  const std::vector<Tensor> small{fixture.random({3, 5})}, large{fixture.random({700, 900})};
  for (const ExecutorInfo& info : executorsOn(fixture.backend()))
    for (const Pages pages : {Pages::huge, Pages::fresh, Pages::freshHuge}) {
      if (info.captures && isFresh(pages)) continue;
      SCOPED_TRACE(std::string(info.name) + ", " +
                   std::string(kPagesNames[static_cast<std::size_t>(pages)]));
      const auto plain = makeExecutor(info.name, fixture.backend(), program);
      const auto other = makeExecutor(info.name, fixture.backend(), program, with(pages));
      for (const auto* inputs : {&small, &large, &small, &large}) {
        std::vector<std::vector<double>> expected;
        for (const Tensor& result : plain->call(*inputs))
          expected.push_back(EngineFixture::values(result));
        const auto results = other->call(*inputs);
        ASSERT_EQ(results.size(), expected.size());
        for (std::size_t o = 0; o < results.size(); ++o)
          EXPECT_EQ(EngineFixture::values(results[o]), expected[o]) << o;
      }
    }
}

TEST(PagesOfCalls, FreshOnesComeFromTheSystemAtEachCallAndOthersDoNot) {
  EngineFixture fixture;
  const std::vector<Tensor> inputs{fixture.random({100, 100})};
  const auto perCall = [&](Pages pages) {
    const auto executor =
        makeExecutor("eager", fixture.backend(), parseProgram(kWithPages), with(pages));
    for (int call = 0; call < 3; ++call) executor->call(inputs);
    const auto before = fixture.backend().allocator().statistics().systemAllocations;
    for (int call = 0; call < 4; ++call) executor->call(inputs);
    return (fixture.backend().allocator().statistics().systemAllocations - before) / 4;
  };
  EXPECT_EQ(perCall(Pages::kept), 0u);
  EXPECT_EQ(perCall(Pages::huge), 0u);
  EXPECT_GE(perCall(Pages::fresh), 3u);  // sin, its double and the sum beyond a page
  EXPECT_EQ(perCall(Pages::kept), 0u) << "the choice ends with the call";
}

TEST(PagesOfCalls, AreRefusedWhereThereIsNoneToChoose) {
  EngineFixture fixture;
  EXPECT_THAT(refusalOf("replay", fixture.backend(), Pages::fresh),
              HasSubstr("replay keeps the memory of what it recorded"));
  EXPECT_EQ(refusalOf("replay", fixture.backend(), Pages::huge), "accepted");
  const auto sim = makeSimBackend({}, makeCpuBackend());
  EXPECT_THAT(refusalOf("static", *sim, Pages::huge), HasSubstr("leave out \"pages\""));
}

}  // namespace
}  // namespace fusebench
