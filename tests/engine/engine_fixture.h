// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstring>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/cpu/cpu_backend.h"
#include "engine/executor.h"
#include "engine/parser.h"
#include "engine/reference.h"

namespace fusebench {

/// A CPU backend without a disk cache, and short ways to make tensors and to read them.
class EngineFixture {
 public:
  EngineFixture() : EngineFixture(withoutDisk(0, 0, 1)) {}
  explicit EngineFixture(const CpuOptions& options) : backend_(makeCpuBackend(options)) {}

  static CpuOptions withoutDisk(int width, int interleave, int threads) {
    CpuOptions options;
    options.diskCache = false;
    options.cacheDirectory =
        (std::filesystem::path(testing::TempDir()) / "fusebench-no-cache").string();
    options.vectorWidth = width;
    options.interleave = interleave;
    options.threads = threads;
    return options;
  }

  Backend& backend() { return *backend_; }

  Tensor tensor(const Shape& shape, const std::vector<float>& values) {
    Tensor made = makeTensor(backend_->allocator(), DType::float32, shape);
    if (!values.empty())
      std::memcpy(made.data(), values.data(), values.size() * sizeof(float));
    return made;
  }
  /// Normally distributed values.
  Tensor random(const Shape& shape, unsigned seed = 1, float scale = 1) {
    std::mt19937 engine(seed);
    std::normal_distribution<float> normal(0, scale);
    std::vector<float> values(static_cast<std::size_t>(elementCount(shape)));
    for (float& value : values) value = normal(engine);
    return tensor(shape, values);
  }
  /// The same elements with the last two dims exchanged: not contiguous.
  static Tensor transposed(Tensor tensor) {
    const int last = tensor.shape.rank() - 1;
    std::swap(tensor.shape[last], tensor.shape[last - 1]);
    std::swap(tensor.strides[last], tensor.strides[last - 1]);
    tensor.contiguous = isContiguous(tensor.shape, tensor.strides);
    return tensor;
  }
  /// Every second element of the last dim.
  static Tensor everySecond(Tensor tensor) {
    const int last = tensor.shape.rank() - 1;
    tensor.shape[last] = (tensor.shape[last] + 1) / 2;
    tensor.strides[last] *= 2;
    tensor.contiguous = isContiguous(tensor.shape, tensor.strides);
    return tensor;
  }

  /// Elements in row-major order, as doubles.
  static std::vector<double> values(const Tensor& tensor) {
    std::vector<double> result;
    const std::int64_t count = elementCount(tensor.shape);
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t rest = i, at = 0;
      for (int d = tensor.shape.rank() - 1; d >= 0; --d) {
        at += rest % tensor.shape[d] * tensor.strides[d];
        rest /= tensor.shape[d];
      }
      switch (tensor.dtype) {
        case DType::float32:
          result.push_back(static_cast<const float*>(tensor.data())[at]);
          break;
        case DType::boolean:
          result.push_back(static_cast<const std::uint8_t*>(tensor.data())[at]);
          break;
        case DType::int64:
          result.push_back(
              static_cast<double>(static_cast<const std::int64_t*>(tensor.data())[at]));
          break;
      }
    }
    return result;
  }
  static ReferenceTensor reference(const Tensor& tensor) {
    return {{tensor.shape, tensor.dtype}, values(tensor)};
  }

  std::unique_ptr<Executor> executor(const std::string& name, const std::string& text,
                                     ExecutorOptions options = {}) {
    return makeExecutor(name, *backend_, parseProgram(text), options);
  }
  std::vector<Tensor> run(const std::string& name, const std::string& text,
                          const std::vector<Tensor>& inputs) {
    const auto made = executor(name, text);
    const auto outputs = made->call(inputs);
    return {outputs.begin(), outputs.end()};
  }

 private:
  std::unique_ptr<Backend> backend_;
};

/// The twenty statements of the fusion study, and the sum of the result.
inline std::string studyProgram() {
  return R"(x = x + 0.1
x = torch.sin(x)
x = x * 1.1
x = torch.cos(x)
x = x + 0.2
x = torch.relu(x)
x = x - 0.1
x = torch.exp(x * 0.5)
x = x + 0.3
x = torch.sigmoid(x)
x = x * 1.2
x = torch.sin(x)
x = x + 0.4
x = torch.cos(x)
x = x - 0.2
x = torch.relu(x)
x = x + 0.5
x = torch.exp(x * 0.4)
x = x * 1.3
x = torch.sigmoid(x)
return x.sum()
)";
}

}  // namespace fusebench
