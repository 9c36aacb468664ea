// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/base/elements.h"
#include "engine/cpu/runtime/cpu_backend.h"
#include "engine/device/host_memory.h"
#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "engine/run/reference.h"

namespace fusebench {

/// The backend that a program's tests run on, without a disk cache; each test program defines it.
std::unique_ptr<Backend> makeTestBackend();

/// A backend without a disk cache, and short ways to make tensors and to read them. Tests that take
/// the default run on every backend for which a program defines makeTestBackend.
class EngineFixture {
 public:
  EngineFixture() : EngineFixture(makeTestBackend()) {}
  explicit EngineFixture(const CpuOptions& options) : EngineFixture(makeCpuBackend(options)) {}
  explicit EngineFixture(std::unique_ptr<Backend> backend) : backend_(std::move(backend)) {
    live().push_back(backend_.get());
  }
  ~EngineFixture() { std::erase(live(), backend_.get()); }
  EngineFixture(const EngineFixture&) = delete;
  EngineFixture& operator=(const EngineFixture&) = delete;

  static CpuOptions withoutDisk(int width, int interleave, int threads) {
    CpuOptions options;
    options.diskCache = false;
    options.cacheDirectory =
        (std::filesystem::path(::testing::TempDir()) / "fusebench-no-cache").string();
    options.vectorWidth = width;
    options.interleave = interleave;
    options.threads = threads;
    return options;
  }

  Backend& backend() { return *backend_; }

  Tensor tensor(const Shape& shape, const std::vector<float>& values) {
    Tensor made = makeTensor(backend_->allocator(), DType::float32, shape);
    if (!values.empty()) backend_->copyIn(made, values.data(), values.size() * sizeof(float));
    return made;
  }
  /// A tensor of any dtype with these values.
  Tensor typed(DType dtype, const Shape& shape, const std::vector<double>& values) {
    Tensor made = makeTensor(backend_->allocator(), dtype, shape);
    const std::size_t size = info(dtype).size;
    std::vector<std::byte> elements(values.size() * size);
    for (std::size_t i = 0; i < values.size(); ++i)
      storeElement(&elements[i * size], dtype, values[i]);
    if (!elements.empty()) backend_->copyIn(made, elements.data(), elements.size());
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

  /// As long as this lives, the tensors that its thread reads are one fixture's, and the backends
  /// of other threads are left alone.
  class ReadsAlone {
   public:
    explicit ReadsAlone(EngineFixture& fixture) { only() = fixture.backend_.get(); }
    ~ReadsAlone() { only() = nullptr; }
    ReadsAlone(const ReadsAlone&) = delete;
    ReadsAlone& operator=(const ReadsAlone&) = delete;
  };

  /// The memory from the first element to the last, copied to the host.
  static std::vector<std::byte> bytes(const Tensor& tensor) {
    std::int64_t last = -1;
    if (elementCount(tensor.shape) > 0) {
      last = 0;
      for (int d = 0; d < tensor.shape.rank(); ++d)
        last += (tensor.shape[d] - 1) * tensor.strides[d];
    }
    std::vector<std::byte> copy(static_cast<std::size_t>(last + 1) * info(tensor.dtype).size);
    if (only()) {
      only()->synchronize();
    } else {
      for (Backend* backend : live()) backend->synchronize();  // whichever computed it
    }
    Backend& reader = only() ? *only() : *live().back();
    if (!copy.empty()) readTensor(reader, copy.data(), tensor, copy.size());
    return copy;
  }
  /// Elements in row-major order, as doubles.
  static std::vector<double> values(const Tensor& tensor) {
    const std::vector<std::byte> copy = bytes(tensor);
    const void* data = copy.data();
    std::vector<double> result;
    const std::int64_t count = elementCount(tensor.shape);
    for (std::int64_t i = 0; i < count; ++i) {
      std::int64_t rest = i, at = 0;
      for (int d = tensor.shape.rank() - 1; d >= 0; --d) {
        at += rest % tensor.shape[d] * tensor.strides[d];
        rest /= tensor.shape[d];
      }
      const auto size = static_cast<std::int64_t>(info(tensor.dtype).size);
      result.push_back(loadElement(static_cast<const std::byte*>(data) + at * size, tensor.dtype));
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
    auto made = executor(name, text);
    const auto outputs = made->call(inputs);
    std::vector<Tensor> results(outputs.begin(), outputs.end());
    // Results in host memory belong to the executor.
    if (std::ranges::any_of(results, [](const Tensor& r) { return r.memory != Memory::device; }))
      kept_.push_back(std::move(made));
    return results;
  }

 private:
  static std::vector<Backend*>& live() {
    static std::vector<Backend*> backends;
    return backends;
  }
  static Backend*& only() {
    static thread_local Backend* backend = nullptr;
    return backend;
  }
  std::unique_ptr<Backend> backend_;
  std::vector<std::unique_ptr<Executor>> kept_;
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
