// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/onednn_calls.h"
#include "engine/cpu/library/onednn_search.h"

#ifdef FUSEBENCH_ONEDNN

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

#include "engine/base/elements.h"
#include "engine/plan/product_loops.h"

namespace fusebench::cpu {
namespace {

constexpr std::size_t kMostBatches = DNNL_MAX_NDIMS - 2;

/// Extents and strides of one of the matrices: 0 first factor, 1 second, 2 result, 3 addend.
struct MatrixForm {
  std::vector<std::int64_t> extents, strides;
};

MatrixForm matrixOf(const ProductLoops& product, std::size_t tensor) {
  MatrixForm form;
  const auto add = [&](const ProductLoop& loop) {
    form.extents.push_back(loop.steps[tensor] != 0 ? loop.count : 1);
    form.strides.push_back(loop.steps[tensor]);
  };
  for (const ProductLoop& loop : product.batch) add(loop);
  const ProductLoop& outer = tensor == 1 ? product.depth[0] : product.rows[0];
  const ProductLoop& inner = tensor == 0 ? product.depth[0] : product.columns[0];
  add(outer);
  add(inner);
  // The library looks at strides of single elements, too.
  const std::size_t last = form.extents.size() - 1;
  if (form.extents[last] == 1) form.strides[last] = 1;
  for (std::size_t d = last; d-- > 0;)
    if (form.extents[d] == 1) form.strides[d] = form.strides[d + 1] * form.extents[d + 1];
  if (form.extents[last] == 1 && last > 0 && form.extents[last - 1] > 1 &&
      form.strides[last - 1] == 1)
    form.strides[last] = form.extents[last - 1];  // a column without gaps
  return form;
}

MatrixForm denseOf(const MatrixForm& form) {
  MatrixForm dense = form;
  std::int64_t step = 1;
  for (std::size_t d = form.extents.size(); d-- > 0;) {
    dense.strides[d] = step;
    step *= form.extents[d];
  }
  return dense;
}

bool hasUnitStep(const MatrixForm& form) {
  const std::size_t rank = form.strides.size();
  return form.strides[rank - 1] == 1 || form.strides[rank - 2] == 1;
}

/// A tensor that is copied into another layout before each call.
struct DnnlCopy {
  DnnlPrimitive primitive;
  DnnlMemory from, to;
  std::vector<std::byte> room;
};

class DnnlProduct final : public PreparedCall {
 public:
  DnnlProduct(const DnnlApi& api, const LibraryCall& call, const CallSizes& sizes, int threads)
      : api_(api), call_(call), threads_(threads) {
    for (std::size_t t = 0; t < call.operands.size(); ++t)
      if (static_cast<int>(t) != call.form.addend) places_.push_back(t);
    places_.push_back(call.operands.size());
    begins_ = sizes.begins;
  }

  /// False: there is no fast way. `way`: the number of its implementation; `ended`: there is no
  /// implementation with this number.
  bool prepare(const ProductLoops& product, const DnnlWay& way, bool& ended) {
    ended = true;
    const auto type = dnnlType(call_.result);
    std::array<dnnl_data_type_t, 3> types{};
    for (std::size_t t = 0; t < 3; ++t) {
      const auto each = dnnlType(call_.dtype(places_[t]));
      if (!each) return false;
      types[t] = *each;
    }
    std::array<MatrixForm, 3> forms{matrixOf(product, 0), matrixOf(product, 1),
                                    matrixOf(product, 2)};
    for (std::size_t f = 0; f < 2; ++f)
      if (!hasUnitStep(forms[f])) {
        const MatrixForm dense = denseOf(forms[f]);
        if (!copy(f, forms[f], dense, types[f])) return false;
        forms[f] = dense;
      }
    std::array<dnnl_memory_desc_t, 3> descriptions;
    for (std::size_t t = 0; t < 3; ++t)
      descriptions[t] = dnnlDescription(api_, forms[t].extents, forms[t].strides, types[t]);
    if (!setAddend(product, *type)) return false;
    dnnl_matmul_desc_t wanted{};
    if (api_.matmul_desc_init(&wanted, &descriptions[0], &descriptions[1],
                              bias_ ? &biasForm_ : nullptr, &descriptions[2]) != dnnl_success)
      return false;
    DnnlChoice choice(api_);
    if (!chooseDnnl(api_, &wanted, attributes_.get(), way.implementation, choice)) return false;
    ended = false;
    chosen_ = dnnlChosen(api_, choice.get());
    if (isDnnlReference(chosen_)) return false;
    if (api_.primitive_create(primitive_.out(), choice.get()) != dnnl_success) return false;
    for (std::size_t t = 0; t < 3; ++t) {
      memories_[t] = DnnlMemory(api_);
      if (api_.memory_create(memories_[t].out(), &descriptions[t], api_.engine, DNNL_MEMORY_NONE) !=
          dnnl_success)
        return false;
    }
    arguments_ = {{DNNL_ARG_SRC, memories_[0].get()},
                  {DNNL_ARG_WEIGHTS, memories_[1].get()},
                  {DNNL_ARG_DST, memories_[2].get()}};
    if (bias_) arguments_.push_back({DNNL_ARG_BIAS, biasMemory_.get()});
    return true;
  }

  void run(void* const* pointers) override {
    api_.useThreads(threads_);
    for (std::size_t t = 0; t < 3; ++t) {
      void* data = dataOf(pointers, places_[t]);
      if (t < 2 && copies_[t]) {
        DnnlCopy& copied = *copies_[t];
        api_.memory_set_data_handle(copied.from.get(), data);
        const std::array<dnnl_exec_arg_t, 2> arguments{
            {{DNNL_ARG_FROM, copied.from.get()}, {DNNL_ARG_TO, copied.to.get()}}};
        execute(copied.primitive.get(), arguments.data(), 2);
        continue;
      }
      api_.memory_set_data_handle(memories_[t].get(), data);
    }
    for (std::size_t f = 0; f < 2; ++f)
      if (copies_[f]) api_.memory_set_data_handle(memories_[f].get(), copies_[f]->room.data());
    if (bias_)
      api_.memory_set_data_handle(biasMemory_.get(),
                                  dataOf(pointers, static_cast<std::size_t>(call_.form.addend)));
    else if (sums_)
      fill(pointers);
    execute(primitive_.get(), arguments_.data(), static_cast<int>(arguments_.size()));
  }

  std::string description() const override {
    std::string text = fmt::format("oneDNN matmul, {}\n", chosen_);
    for (std::size_t f = 0; f < 2; ++f)
      if (copies_[f])
        text += fmt::format("operand {} is copied first: no step of it is 1\n", f + 1);
    if (bias_) text += "the addend is its bias\n";
    if (sums_) text += "the addend is written first, the product added to it\n";
    return text;
  }

 private:
  void* dataOf(void* const* pointers, std::size_t tensor) const {
    return static_cast<std::byte*>(pointers[tensor]) +
           begins_[tensor] * static_cast<std::int64_t>(info(call_.dtype(tensor)).size);
  }

  void execute(const_dnnl_primitive_t primitive, const dnnl_exec_arg_t* arguments, int count) {
    if (api_.primitive_execute(primitive, api_.stream, count, arguments) != dnnl_success)
      throw std::runtime_error("oneDNN could not run " + call_.name + " (" + chosen_ + ")");
  }

  bool copy(std::size_t factor, const MatrixForm& from, const MatrixForm& to,
            dnnl_data_type_t type) {
    auto made = std::make_unique<DnnlCopy>(
        DnnlCopy{DnnlPrimitive(api_), DnnlMemory(api_), DnnlMemory(api_), {}});
    const auto source = dnnlDescription(api_, from.extents, from.strides, type);
    const auto target = dnnlDescription(api_, to.extents, to.strides, type);
    DnnlChoice choice(api_);
    made->room.resize(api_.memory_desc_get_size(&target));
    if (api_.reorder_primitive_desc_create(choice.out(), &source, api_.engine, &target, api_.engine,
                                           nullptr) != dnnl_success ||
        api_.primitive_create(made->primitive.out(), choice.get()) != dnnl_success ||
        api_.memory_create(made->from.out(), &source, api_.engine, DNNL_MEMORY_NONE) !=
            dnnl_success ||
        api_.memory_create(made->to.out(), &target, api_.engine, made->room.data()) != dnnl_success)
      return false;
    copies_[factor] = std::move(made);
    return true;
  }

  /// A bias where the addend is one number a column, else what the product is added to.
  bool setAddend(const ProductLoops& product, dnnl_data_type_t type) {
    const ContractSettings& settings = call_.settings;
    const bool scaled = settings.alpha != 1;
    if (call_.form.addend < 0 && !scaled) return true;
    bool columnsOnly = product.columns[0].steps[3] == 1 || product.columns[0].count == 1;
    for (const ProductLoop& loop : product.batch) columnsOnly &= loop.steps[3] == 0;
    columnsOnly &= product.rows[0].steps[3] == 0;
    if (call_.form.addend >= 0 && !scaled && settings.beta == 1 && columnsOnly) {
      MatrixForm form;
      form.extents.assign(product.batch.size() + 1, 1);
      form.extents.push_back(product.columns[0].count);
      form = denseOf({form.extents, form.extents});
      biasForm_ = dnnlDescription(api_, form.extents, form.strides, type);
      if (api_.memory_create(biasMemory_.out(), &biasForm_, api_.engine, DNNL_MEMORY_NONE) !=
          dnnl_success)
        return false;
      bias_ = true;
      return true;
    }
    if (api_.primitive_attr_create(attributes_.out()) != dnnl_success) return false;
    const float alpha = static_cast<float>(settings.alpha);
    if (scaled &&
        api_.primitive_attr_set_output_scales(attributes_.get(), 1, 0, &alpha) != dnnl_success)
      return false;
    if (call_.form.addend < 0 || settings.beta == 0) return true;
    sums_ = true;
    fill_ = {product.batch.begin(), product.batch.end()};
    fill_.push_back(product.rows[0]);
    fill_.push_back(product.columns[0]);
    DnnlPostOps post(api_);
    return api_.post_ops_create(post.out()) == dnnl_success &&
           api_.post_ops_append_sum(post.get(), 1) == dnnl_success &&
           api_.primitive_attr_set_post_ops(attributes_.get(), post.get()) == dnnl_success;
  }

  /// Writes the addend, multiplied, where the product is added to it.
  void fill(void* const* pointers) const {
    const auto addend = static_cast<std::size_t>(call_.form.addend);
    const std::size_t size = info(call_.result).size;
    std::byte* const to = static_cast<std::byte*>(dataOf(pointers, places_[2]));
    const std::byte* const from = static_cast<const std::byte*>(dataOf(pointers, addend));
    const auto beta = call_.settings.beta;
    std::vector<std::int64_t> place(fill_.size(), 0);
    const ProductLoop& inner = fill_.back();
    while (true) {
      std::int64_t source = 0, target = 0;
      for (std::size_t l = 0; l + 1 < fill_.size(); ++l) {
        source += place[l] * fill_[l].steps[3];
        target += place[l] * fill_[l].steps[2];
      }
      if (call_.result == DType::float32) {
        const float* const line = reinterpret_cast<const float*>(from) + source;
        float* const out = reinterpret_cast<float*>(to) + target;
        const float factor = static_cast<float>(beta);
        for (std::int64_t i = 0; i < inner.count; ++i)
          out[i * inner.steps[2]] = factor * line[i * inner.steps[3]];
      } else {
        for (std::int64_t i = 0; i < inner.count; ++i)
          storeElement(
              to + static_cast<std::size_t>(target + i * inner.steps[2]) * size, call_.result,
              beta *
                  loadElement(from + static_cast<std::size_t>(source + i * inner.steps[3]) * size,
                              call_.result));
      }
      std::size_t l = fill_.size() - 1;
      while (l > 0 && ++place[l - 1] == fill_[l - 1].count) place[--l] = 0;
      if (l == 0) return;
    }
  }

  const DnnlApi& api_;
  LibraryCall call_;
  int threads_;
  std::vector<std::size_t> places_;  ///< indices of both factors and the result among the tensors
  std::vector<std::int64_t> begins_;
  DnnlPrimitive primitive_{api_};
  DnnlAttributes attributes_{api_};
  std::array<DnnlMemory, 3> memories_;
  std::array<std::unique_ptr<DnnlCopy>, 2> copies_;
  dnnl_memory_desc_t biasForm_{};
  DnnlMemory biasMemory_{api_};
  bool bias_ = false, sums_ = false;
  std::vector<ProductLoop> fill_;
  std::vector<dnnl_exec_arg_t> arguments_;
  std::string chosen_ = "unknown";
};

}  // namespace

std::unique_ptr<PreparedCall> prepareProduct(const DnnlApi& api, const LibraryRequest& request,
                                             const std::string& version) {
  const LibraryCall& call = request.call;
  ProductLoops product;
  if (call.result == DType::int32 && !api.sumsBytesExactly()) return nullptr;
  if (call.accumulate != Accumulate::sum || call.average ||
      !divideLoops(call, request.sizes, product) || product.batch.size() > kMostBatches)
    return nullptr;
  const auto make = [&](const DnnlWay& way) {
    auto made = std::make_unique<DnnlProduct>(api, call, request.sizes, request.threads);
    DnnlTried tried;
    if (made->prepare(product, way, tried.ended)) tried.call = std::move(made);
    return tried;
  };
  return call.search ? fastestWay(request, version, 1, make) : make({}).call;
}

}  // namespace fusebench::cpu

#endif
