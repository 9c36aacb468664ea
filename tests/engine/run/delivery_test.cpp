// SPDX-License-Identifier: GPL-3.0-or-later
// Inputs from host memory: the same values, however they come.
#include "tests/engine/support/engine_fixture.h"

namespace fusebench {
namespace {

std::vector<Delivery> everyDelivery() {
  std::vector<Delivery> all;
  for (const auto from : {Delivery::From::device, Delivery::From::pageable, Delivery::From::pinned})
    for (const int prefetch : {0, 1, 3})
      for (const bool results : {false, true})
        for (const bool gathers : {false, true})
          if ((prefetch == 0 && !gathers) || from != Delivery::From::device)
            for (const int workers : {0, 2})
              if (workers == 0 || (gathers && prefetch > 0 && from != Delivery::From::device))
                all.push_back({from, gathers, prefetch, results, workers});
  return all;
}

TEST(Delivery, GivesWhatInputsOnTheDeviceGive) {
  EngineFixture fixture;
  std::vector<std::vector<Tensor>> list;
  for (unsigned i = 0; i < 5; ++i)
    list.push_back({fixture.random({8, 16}, 2 * i + 1), fixture.random({16}, 2 * i + 2)});
  for (const char* name : {"eager", "static", "replay"}) {
    const auto plain = fixture.executor(name, "x = x * y\nreturn torch.sin(x)");
    for (const Delivery& delivery : everyDelivery()) {
      ExecutorOptions options;
      options.delivery = delivery;
      const auto delivered = makeExecutor(name, fixture.backend(), plain->program(), options);
      // In order twice, then as it comes: what was fetched ahead is then not what is wanted.
      std::vector<std::size_t> order{0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 3, 1, 1, 4, 2, 0, 0, 3};
      for (const std::size_t entry : order) {
        const auto expected = fixture.values(plain->call(list[entry])[0]);
        fixture.backend().synchronize();
        const auto results = delivered->call(list[entry]);
        fixture.backend().synchronize();
        ASSERT_EQ(fixture.values(results[0]), expected)
            << name << ", from " << static_cast<int>(delivery.from) << ", " << delivery.prefetch
            << " ahead, entry " << entry;
      }
    }
  }
}

TEST(Delivery, ManyBatchesAheadOfTheDeviceStayApart) {
  EngineFixture fixture;
  std::vector<std::vector<Tensor>> list;
  std::vector<std::vector<double>> expected;
  const auto plain = fixture.executor("static", "return (x * 3 + 1).sum()");
  for (unsigned i = 0; i < 6; ++i) {
    list.push_back({fixture.random({64, 64}, i + 1)});
    expected.push_back(fixture.values(plain->call(list.back())[0]));
  }
  ExecutorOptions options;
  options.delivery = {.from = Delivery::From::pinned, .prefetch = 2};
  const auto delivered = makeExecutor("static", fixture.backend(), plain->program(), options);
  std::vector<Tensor> kept;
  for (int call = 0; call < 60; ++call) {
    const auto entry = static_cast<std::size_t>(call % 6);
    kept.push_back(delivered->call(list[entry])[0]);  // nothing is waited for meanwhile
  }
  fixture.backend().synchronize();
  for (std::size_t call = 0; call < kept.size(); ++call)
    EXPECT_EQ(fixture.values(kept[call]), expected[call % 6]) << call;
}

TEST(Delivery, BatchesOfOtherShapesGetMemoryOfTheirOwn) {
  EngineFixture fixture;
  std::vector<std::vector<Tensor>> list;
  std::vector<std::vector<double>> expected;
  const auto plain = fixture.executor("dynamic", "x = x * 3\nreturn torch.sin(x) + 1");
  for (unsigned i = 0; i < 7; ++i) {
    list.push_back({fixture.random({static_cast<std::int64_t>(i % 3) * 40 + 8, 16}, i + 1)});
    expected.push_back(fixture.values(plain->call(list.back())[0]));
  }
  ExecutorOptions options;
  options.delivery = {.from = Delivery::From::pinned, .prefetch = 2};
  const auto delivered = makeExecutor("dynamic", fixture.backend(), plain->program(), options);
  for (const int step : {1, 1, 3, 2})
    for (std::size_t call = 0; call < 21; ++call) {
      const std::size_t entry = call * static_cast<std::size_t>(step) % 7;
      const auto results = delivered->call(list[entry]);
      fixture.backend().synchronize();
      ASSERT_EQ(fixture.values(results[0]), expected[entry]) << step << " " << call;
    }
}

}  // namespace
}  // namespace fusebench
