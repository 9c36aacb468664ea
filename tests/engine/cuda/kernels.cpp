// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/cuda/kernels.h"

#include <stdexcept>

#include "engine/language/parser.h"
#include "engine/run/executor.h"
#include "tests/doubles/fake_backend.h"

namespace fusebench::test {
namespace {

Tensor tensorOf(FakeBackend& backend, const CudaKernels::Input& input) {
  Shape stored = input.shape;
  const int last = stored.rank() - 1;
  if (input.transposed) std::swap(stored[last], stored[last - 1]);
  if (input.step > 1) stored[last] *= input.step;
  Tensor made = makeTensor(backend.allocator(), input.dtype, stored);
  if (input.transposed) std::swap(made.strides[last], made.strides[last - 1]);
  if (input.step > 1) made.strides[last] *= input.step;
  made.shape = input.shape;
  made.contiguous = isContiguous(made.shape, made.strides);
  return made;
}

}  // namespace

std::vector<Kernel> CudaKernels::of(std::string_view executor, const Program& program,
                                    const std::vector<Input>& inputs, bool contract) {
  FakeBackend backend;
  std::vector<Tensor> tensors;
  for (const Input& input : inputs) tensors.push_back(tensorOf(backend, input));
  ExecutorOptions options;
  options.contract = contract;
  return makeExecutor(executor, backend, program, options)->kernels(tensors);
}

std::vector<Kernel> CudaKernels::of(std::string_view executor, const std::string& text,
                                    const std::vector<Input>& inputs, bool contract) {
  return of(executor, parseProgram(text), inputs, contract);
}

Kernel CudaKernels::one(std::string_view executor, const std::string& text,
                        const std::vector<Input>& inputs, bool contract) {
  std::vector<Kernel> kernels = of(executor, text, inputs, contract);
  if (kernels.size() != 1) throw std::logic_error("not one kernel: " + text);
  return kernels.front();
}

}  // namespace fusebench::test
