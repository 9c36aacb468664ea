// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/pages_executor.h"

#include <fmt/format.h>

#include <span>
#include <stdexcept>
#include <utility>

#include "engine/base/saying.h"

namespace fusebench {
namespace {

class InUse {
 public:
  InUse(Backend& backend, Pages pages) : backend_(backend) { backend.usePages(pages); }
  ~InUse() { backend_.usePages(Pages::kept); }
  InUse(const InUse&) = delete;
  InUse& operator=(const InUse&) = delete;

 private:
  Backend& backend_;
};

}  // namespace

PagesExecutor::PagesExecutor(Backend& backend, std::unique_ptr<Executor> inner, Pages pages)
    : backend_(backend), inner_(std::move(inner)), pages_(pages) {
  if (!backend.traits().choosesPages)
    throw std::invalid_argument(
        saying("the device {} does not let a program choose its pages: leave out \"pages\"",
               backend.name()));
}

std::span<const Tensor> PagesExecutor::call(std::span<const Tensor> inputs) {
  const InUse use(backend_, pages_);
  return inner_->call(inputs);
}

}  // namespace fusebench
