// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "engine/cpu/codegen/jit.h"
#include "engine/cpu/instant/stencils.h"

namespace fusebench::cpu {
namespace {

constexpr std::uintptr_t kPage = 4096, kLine = 64;

/// Where in its page the code of some stencils begins, in the order in which it is loaded.
std::vector<std::uintptr_t> placesInPages(int count) {
  Jit jit(hostTarget(0));
  Stencils stencils(jit, nullptr);
  CompileTimes times;
  std::vector<std::uintptr_t> places;
  for (int i = 0; i < count; ++i) {
    Stencil stencil{.kind = Stencil::Kind::accumulate};
    stencil.accumulate = i % 2 == 0 ? Accumulate::sum : Accumulate::max;
    stencil.masked = i / 2 % 2 == 1;
    stencil.lanes = i / 4 % 2 == 1;
    if (i >= 8) stencil = {.kind = i == 8 ? Stencil::Kind::keep : Stencil::Kind::next};
    places.push_back(reinterpret_cast<std::uintptr_t>(stencils.code(stencil, nullptr, times)) %
                     kPage);
  }
  return places;
}

TEST(CodeInMemory, BeginsWhereThatBeforeItEndedCountedWithinAPage) {
  std::vector<std::uintptr_t> places = placesInPages(10);
  for (const std::uintptr_t place : places) EXPECT_EQ(place % kLine, 0u);
  for (std::size_t i = 1; i < places.size(); ++i) {
    const std::uintptr_t step = (places[i] + kPage - places[i - 1]) % kPage;
    EXPECT_GT(step, 0u) << i;
    EXPECT_LT(step, kPage / 2) << "more than any of these pieces is long: " << i;
  }
  std::sort(places.begin(), places.end());
  EXPECT_EQ(std::unique(places.begin(), places.end()), places.end());
}

}  // namespace
}  // namespace fusebench::cpu
