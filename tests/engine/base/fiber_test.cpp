// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/fiber.h"

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fusebench {
namespace {

TEST(Fiber, PausesAndGoesOn) {
  std::vector<std::string> seen;
  std::optional<Fiber> fiber;
  fiber.emplace([&] {
    seen.emplace_back("one");
    fiber->pause();
    seen.emplace_back("two");
  });
  EXPECT_FALSE(fiber->begun());
  fiber->resume();
  seen.emplace_back("between");
  EXPECT_FALSE(fiber->ended());
  fiber->resume();
  EXPECT_TRUE(fiber->ended());
  EXPECT_EQ(seen, (std::vector<std::string>{"one", "between", "two"}));
}

TEST(Fiber, ExceptionsStayOnEitherSide) {
  int caught = 0;
  std::optional<Fiber> fiber;
  fiber.emplace([&] {
    for (int i = 0; i < 3; ++i) {
      try {
        fiber->pause();
        throw std::runtime_error("inside");
      } catch (const std::runtime_error&) {
        ++caught;
      }
    }
  });
  fiber->resume();
  while (!fiber->ended()) {
    try {
      fiber->resume();
      throw std::logic_error("outside");
    } catch (const std::logic_error&) {
      ++caught;
    }
  }
  EXPECT_EQ(caught, 6);
}

TEST(Fiber, ManyWaitForOneAnother) {
  int ended = 0;
  std::vector<std::unique_ptr<Fiber>> all(200);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = std::make_unique<Fiber>([&, i] {
      if (i + 1 < all.size()) all[i + 1]->resume();
      ++ended;
    });
  all[0]->resume();
  EXPECT_EQ(ended, 200);
}

TEST(Fiber, OneThatNeverBeganIsLetGo) {
  bool ran = false;
  {
    const Fiber fiber([&] { ran = true; });
  }
  EXPECT_FALSE(ran);
}

}  // namespace
}  // namespace fusebench
