// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "engine/language/program.h"
#include "tests/engine/support/expect_reference.h"
#include "tests/engine/support/torch_python.h"

namespace fusebench {

/// A program, and its inputs: "f32 2x3: 1 2 3 4 5 6".
struct TorchCase {
  const char* text;
  std::vector<std::pair<DType, std::pair<Shape, std::vector<double>>>> inputs;
};

inline std::vector<double> counted(std::int64_t count) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<double>(i % 7) * 0.75 - 2 + static_cast<double>(i) / 16);
  return values;
}

inline std::pair<DType, std::pair<Shape, std::vector<double>>> floats(const Shape& shape) {
  return {DType::float32, {shape, counted(elementCount(shape))}};
}
inline std::pair<DType, std::pair<Shape, std::vector<double>>> places(
    const Shape& shape, const std::vector<double>& values, DType dtype = DType::int64) {
  return {dtype, {shape, values}};
}

inline std::vector<Tensor> tensorsOf(EngineFixture& fixture, const TorchCase& each) {
  std::vector<Tensor> inputs;
  for (const auto& [dtype, given] : each.inputs)
    inputs.push_back(fixture.typed(dtype, given.first, given.second));
  return inputs;
}

/// A script's beginning: check(name, text, inputs, expected) says where the text's f has other
/// results than these.
inline constexpr const char* kTorchCheck =
    "import warnings\nwarnings.simplefilter('ignore')\nimport math\nimport torch\n"
    "import torch.nn as nn\nimport torch.nn.functional as F\nimport torch.utils.checkpoint\n"
    "def check(name, text, inputs, expected):\n"
    "    names = {'torch': torch, 'F': F, 'nn': nn, 'math': math}\n"
    "    exec(text, names)\n"
    "    made = names['f'](*[torch.tensor(v, dtype=torch.float64).reshape(s).to(d) for v, s, d in "
    "inputs])\n"
    "    made = made if isinstance(made, tuple) else (made,)\n"
    "    if len(made) != len(expected): print(name, len(made), 'results, not', len(expected))\n"
    "    for m, (s, d, v) in zip(made, expected):\n"
    "        if tuple(m.shape) != s or m.dtype != d: print(name, tuple(m.shape), m.dtype)\n"
    "        elif not torch.allclose(m.detach().double().flatten(), torch.tensor(v, "
    "dtype=torch.float64), rtol=1e-5, atol=1e-6, equal_nan=True): print(name, m, v)\n";

/// What PyTorch has to say of eager's results, of each text and of what the program is printed as:
/// nothing where they are its own.
inline std::string complaintsOfTorch(EngineFixture& fixture, const std::string& python,
                                     const std::vector<TorchCase>& cases) {
  const auto listed = [](const std::vector<double>& values) {
    std::string text = "[";
    for (const double value : values)
      text += (std::isfinite(value) ? std::to_string(value)
               : std::isnan(value)  ? std::string("float('nan')")
               : value > 0          ? std::string("float('inf')")
                                    : std::string("-float('inf')")) +
              ", ";
    return text + "]";
  };
  std::string script = kTorchCheck;
  int number = 0;
  for (const TorchCase& each : cases) {
    const std::vector<Tensor> inputs = tensorsOf(fixture, each);
    const Program program = parseProgram(each.text, hintsOf(each.text, inputs));
    const auto dtypeOf = [](DType dtype) { return "torch." + std::string(info(dtype).name); };
    // The program must also agree when it is printed.
    for (const std::string& text : {std::string(each.text), toText(program)}) {
      std::string of = text;
      if (const std::size_t at = of.find("def program("); at != std::string::npos)
        of.replace(at, 12, "def f(");
      script += "check('" + std::to_string(number) + "', '''" + of + "''', [";
      for (const auto& [dtype, given] : each.inputs)
        script += "(" + listed(given.second) + ", " + toString(given.first) + ", " +
                  dtypeOf(dtype) + "), ";
      script += "], [";
      const auto executor = makeExecutor("eager", fixture.backend(), program);
      for (const Tensor& result : executor->call(inputs))
        script += "(" + toString(result.shape) + ", " + dtypeOf(result.dtype) + ", " +
                  listed(EngineFixture::values(result)) + "), ";
      script += "])\n";
    }
    ++number;
  }
  return test::runPython(python, script);
}

}  // namespace fusebench
