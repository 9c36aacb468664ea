// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/plan/library_call.h"
#include "tests/engine/support/engine_fixture.h"

namespace fusebench::test {

/// The backend's description of the first library step of a program.
inline std::string libraryCodeOf(EngineFixture& fixture, const std::string& text,
                                 const std::vector<Tensor>& inputs, bool search = false) {
  const auto executor = fixture.executor("static", text);
  const Plan plan = executor->plan(inputs);
  for (const Step& step : plan.steps) {
    if (step.kind != Step::Kind::library) continue;
    LoweredCall lowered = lowerCall(plan, step);
    lowered.call.search = search;
    std::vector<std::int64_t> integers;
    for (const SymbolicSize& size : lowered.integers) integers.push_back(size.evaluate({}));
    return fixture.backend().code(lowered.call, integers.data())[0].text;
  }
  return {};
}

}  // namespace fusebench::test
