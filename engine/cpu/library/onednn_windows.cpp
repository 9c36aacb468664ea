// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cpu/library/onednn_calls.h"
#include "engine/cpu/library/onednn_search.h"
#include "engine/cpu/library/pixel_planes.h"

#ifdef FUSEBENCH_ONEDNN

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <vector>

namespace fusebench::cpu {
namespace {

/// A tensor as the library counts its dimensions: images, channels, places.
struct WindowTensor {
  std::vector<std::int64_t> extents, strides;
};

/// A convolution, or one of its gradients, from that of its result.
enum class WindowWay : std::uint8_t { forwards, toSource, toWeights };

/// Which of a call's tensors are what the library calls them.
struct WindowRoles {
  WindowWay way = WindowWay::forwards;
  std::size_t source = 0, weights = 1, result = 2;
};

WindowRoles rolesOf(const LibraryCall& call) {
  if (call.form.spreads()) return {WindowWay::toSource, 2, 1, 0};
  const bool goesOver = std::ranges::any_of(call.form.tensors.front(), [](const ContractDim& dim) {
    return dim.kind == ContractDim::Kind::window;
  });
  if (!goesOver) return {WindowWay::toWeights, 1, 2, 0};
  return {WindowWay::forwards, 0, 1, call.operands.size()};
}

/// Those of a call: what is gone over, the weights (with the groups apart if there are several),
/// the result.
struct WindowTensors {
  WindowTensor source, weights, result;
  std::size_t windows = 0;
};

/// A tensor of a launch, with a batch of one where it has none.
WindowTensor imagesOf(const LibraryCall& call, std::size_t tensor, const std::int64_t* integers,
                      std::size_t windows) {
  for (std::size_t t = 0; t < tensor; ++t) integers += 2 * call.rank(t);
  const std::size_t rank = call.rank(tensor);
  WindowTensor found{{integers, integers + rank}, {integers + rank, integers + 2 * rank}};
  if (rank == windows + 1) {
    found.extents.insert(found.extents.begin(), 1);
    found.strides.insert(found.strides.begin(), found.extents[1] * found.strides[0]);
  }
  return found;
}

WindowTensors windowTensors(const LibraryCall& call, const std::int64_t* integers,
                            const WindowRoles& roles, std::size_t windows) {
  WindowTensors tensors;
  tensors.windows = windows;
  tensors.source = imagesOf(call, roles.source, integers, windows);
  tensors.result = imagesOf(call, roles.result, integers, windows);
  if (call.operands.size() == 1) return tensors;
  WindowTensor& weights = tensors.weights;
  const std::int64_t* at = integers;
  for (std::size_t t = 0; t < roles.weights; ++t) at += 2 * call.rank(t);
  const std::size_t rank = call.rank(roles.weights);
  weights = {{at, at + rank}, {at + rank, at + 2 * rank}};
  if (const std::int64_t groups = call.settings.groups; groups > 1) {
    weights.extents[0] /= groups;
    weights.extents.insert(weights.extents.begin(), groups);
    weights.strides.insert(weights.strides.begin(), weights.extents[1] * weights.strides[0]);
  }
  return tensors;
}

/// Memory for a tensor in the library's own layout.
class DnnlRoom {
 public:
  explicit DnnlRoom(std::size_t bytes)
      : data_(std::aligned_alloc(kAlignment, (bytes + kAlignment) / kAlignment * kAlignment)) {
    if (!data_) throw std::bad_alloc();
  }
  ~DnnlRoom() { std::free(data_); }
  DnnlRoom(const DnnlRoom&) = delete;
  DnnlRoom& operator=(const DnnlRoom&) = delete;
  void* data() const { return data_; }

 private:
  static constexpr std::size_t kAlignment = 64;
  void* data_;
};

/// Whether a description is of floats without gaps: in planes, one a channel, or, as `pixels`, with
/// channels last.
bool isDense(const dnnl_memory_desc_t& description, bool pixels) {
  if (description.data_type != dnnl_f32 || description.format_kind != dnnl_blocked ||
      description.format_desc.blocking.inner_nblks != 0 || description.offset0 != 0)
    return false;
  std::int64_t step = 1;
  const auto lies = [&](int dim) {
    const std::int64_t extent = description.dims[dim];
    const bool fits = extent == 1 || description.format_desc.blocking.strides[dim] == step;
    step *= extent;
    return fits && description.padded_dims[dim] == extent;
  };
  if (pixels && !lies(1)) return false;
  for (int dim = description.ndims; dim-- > 2;)
    if (!lies(dim)) return false;
  return (pixels || lies(1)) && lies(0);
}

/// One tensor of a call: where the program has it and, if the library needs another layout, the
/// memory that it is copied to or from.
class DnnlPlaced {
 public:
  DnnlPlaced(const DnnlApi& api, const dnnl_memory_desc_t& given, const dnnl_memory_desc_t& wanted,
             bool written, int threads = 0)
      : api_(api), given_(api), wanted_(api), reorder_(api), written_(written) {
    const auto demand = [](dnnl_status_t status) {
      if (status != dnnl_success) throw std::runtime_error("oneDNN refuses a layout");
    };
    demand(api.memory_create(given_.out(), &given, api.engine, DNNL_MEMORY_NONE));
    if (api.memory_desc_equal(&given, &wanted)) return;
    room_ = std::make_unique<DnnlRoom>(api.memory_desc_get_size(&wanted));
    demand(api.memory_create(wanted_.out(), &wanted, api.engine, room_->data()));
    // From pixels into planes the library takes up to four times as long as we do. It has threads.
    if (written && threads == 1 && isDense(wanted, true) && isDense(given, false)) {
      images_ = given.dims[0];
      channels_ = given.dims[1];
      places_ = 1;
      for (int dim = 2; dim < given.ndims; ++dim) places_ *= given.dims[dim];
      return;
    }
    DnnlChoice choice(api);
    demand(api.reorder_primitive_desc_create(choice.out(), written ? &wanted : &given, api.engine,
                                             written ? &given : &wanted, api.engine, nullptr));
    demand(api.primitive_create(reorder_.out(), choice.get()));
  }

  bool isMoved() const { return room_ != nullptr; }
  dnnl_memory_t memory() const { return isMoved() ? wanted_.get() : given_.get(); }
  void set(void* data) {
    data_ = data;
    api_.memory_set_data_handle(given_.get(), data);
  }
  /// From where the program has it, or back there.
  void move() const {
    if (!isMoved()) return;
    if (places_ > 0)
      return planesOfPixels(static_cast<const float*>(room_->data()), static_cast<float*>(data_),
                            images_, places_, channels_);
    const std::array<dnnl_exec_arg_t, 2> arguments{
        {{DNNL_ARG_FROM, written_ ? wanted_.get() : given_.get()},
         {DNNL_ARG_TO, written_ ? given_.get() : wanted_.get()}}};
    if (api_.primitive_execute(reorder_.get(), api_.stream, 2, arguments.data()) != dnnl_success)
      throw std::runtime_error("oneDNN could not bring a tensor into its layout");
  }

 private:
  const DnnlApi& api_;
  DnnlMemory given_, wanted_;
  DnnlPrimitive reorder_;
  std::unique_ptr<DnnlRoom> room_;
  bool written_;
  void* data_ = nullptr;  ///< where the program has it
  std::int64_t images_ = 0, places_ = 0,
               channels_ = 0;  ///< set if we copy it into planes ourselves
};

/// Where a convolution's or a pool's windows are, as the library has it: dilation 0 is none.
struct DnnlWindowSettings {
  dnnl_dims_t strides{}, dilations{}, before{}, after{}, kernel{};
};

/// In which layouts a convolution can be asked for.
enum class WindowLayout : std::uint8_t {
  usual,    ///< channels last as they are, others as the library likes it
  blocked,  ///< as the library likes it, whatever the tensors are
  given,    ///< the tensors as they are
  pixels,   ///< channels last, whatever the tensors are
};
constexpr int kWindowLayouts = 4;

class DnnlWindows final : public PreparedCall {
 public:
  DnnlWindows(const DnnlApi& api, const LibraryRequest& request, const DnnlWay& way)
      : api_(api),
        call_(request.call),
        roles_(rolesOf(request.call)),
        threads_(request.threads),
        layout_(static_cast<WindowLayout>(way.layout)),
        implementation_(way.implementation) {}

  bool ended() const { return ended_; }

  /// False: there is no fast way.
  bool prepare(const WindowTensors& tensors, const CallSizes& sizes) {
    const auto type = dnnlType(call_.dtype(roles_.source));
    const auto made = dnnlType(call_.dtype(roles_.result));
    if (!type || !made) return false;
    setWindows(tensors, sizes);
    const bool convolves = call_.operands.size() > 1;
    const dnnl_memory_desc_t source =
        dnnlDescription(api_, tensors.source.extents, tensors.source.strides, *type);
    const dnnl_memory_desc_t result =
        dnnlDescription(api_, tensors.result.extents, tensors.result.strides, *made);
    return convolves ? convolve(tensors, source, result, *type) : pool(source, result);
  }

  void run(void* const* pointers) override {
    api_.useThreads(threads_);
    const std::array<std::size_t, 3> tensors{roles_.source, roles_.weights, roles_.result};
    for (std::size_t t = 0; t < placed_.size(); ++t) {
      if (!placed_[t]) continue;
      placed_[t]->set(pointers[tensors[t]]);
      if (t != written()) placed_[t]->move();
    }
    if (call_.form.addend >= 0)
      api_.memory_set_data_handle(bias_.get(),
                                  pointers[static_cast<std::size_t>(call_.form.addend)]);
    if (api_.primitive_execute(primitive_.get(), api_.stream, static_cast<int>(arguments_.size()),
                               arguments_.data()) != dnnl_success)
      throw std::runtime_error("oneDNN could not run " + call_.name + " (" + chosen_ + ")");
    placed_[written()]->move();
  }

  std::string description() const override {
    std::string text = fmt::format("oneDNN {}, {}\n",
                                   call_.operands.size() > 1 ? "convolution" : "pooling", chosen_);
    static constexpr std::array<const char*, 3> kNames{"the input", "the weights", "the result"};
    for (std::size_t t = 0; t < placed_.size(); ++t)
      if (placed_[t] && placed_[t]->isMoved())
        text += fmt::format("{} {} brought into the library's own layout\n", kNames[t],
                            t == 1 ? "are" : "is");
    return text;
  }

 private:
  /// Which of the source, the weights and the result the call makes.
  std::size_t written() const {
    switch (roles_.way) {
      case WindowWay::toSource:
        return 0;
      case WindowWay::toWeights:
        return 1;
      case WindowWay::forwards:
        break;
    }
    return 2;
  }

  void setWindows(const WindowTensors& tensors, const CallSizes& sizes) {
    const ContractSettings& settings = call_.settings;
    for (std::size_t w = 0; w < tensors.windows; ++w) {
      const std::size_t dim = 2 + w;
      std::int64_t kernel = w < settings.kernel.size() ? settings.kernel[w] : 1;
      for (const ContractDim& each : call_.form.tensors[0])
        if (each.window == static_cast<int>(w)) kernel = sizes.loops[call_.form.loop(each.inner)];
      windows_.strides[w] = settings.stride[w];
      windows_.dilations[w] = settings.dilation[w] - 1;
      windows_.before[w] = settings.padding[w];
      windows_.kernel[w] = kernel;
      // The padding after the end, as far as the last window reaches; at least as much as before.
      const std::int64_t reach = (tensors.result.extents[dim] - 1) * settings.stride[w] +
                                 settings.dilation[w] * (kernel - 1) + 1;
      windows_.after[w] =
          std::max(settings.padding[w], reach - tensors.source.extents[dim] - settings.padding[w]);
      reachesPast_ |= windows_.after[w] > settings.padding[w];
    }
  }

  bool query(const DnnlChoice& choice, dnnl_query_t what, dnnl_memory_desc_t& to) {
    const dnnl_memory_desc_t* const found = api_.primitive_desc_query_md(choice.get(), what, 0);
    if (found) to = *found;
    return found != nullptr;
  }

  static dnnl_memory_desc_t anyLayout(dnnl_memory_desc_t description) {
    description.format_kind = dnnl_format_kind_any;
    return description;
  }

  static bool channelsAreLast(const WindowTensor& tensor) {
    return tensor.extents[1] > 1 && tensor.strides[1] == 1;
  }

  /// The tensor with its channels last and no gaps between places.
  static WindowTensor asPixels(WindowTensor tensor) {
    std::int64_t step = tensor.extents[1];
    tensor.strides[1] = 1;
    for (std::size_t d = tensor.extents.size(); d-- > 2;) {
      tensor.strides[d] = step;
      step *= tensor.extents[d];
    }
    tensor.strides[0] = step;
    return tensor;
  }

  static bool hasGaps(const WindowTensor& tensor) {
    const WindowTensor without = asPixels(tensor);
    for (std::size_t d = 0; d < tensor.extents.size(); ++d)
      if (tensor.extents[d] > 1 && tensor.strides[d] != without.strides[d]) return true;
    return false;
  }

  bool convolve(const WindowTensors& tensors, const dnnl_memory_desc_t& source,
                const dnnl_memory_desc_t& result, dnnl_data_type_t type) {
    const dnnl_memory_desc_t weights =
        dnnlDescription(api_, tensors.weights.extents, tensors.weights.strides,
                        *dnnlType(call_.dtype(roles_.weights)));
    // In channels-last layout the library works on the tensors directly; with gaps between places
    // (a part of the channels) it has no fast way, so that the gaps are closed first.
    const bool usual = layout_ == WindowLayout::usual;
    const bool last = channelsAreLast(tensors.source) && channelsAreLast(tensors.result);
    const bool gaps = hasGaps(tensors.source) || hasGaps(tensors.result);
    const bool asGiven = layout_ == WindowLayout::given || (usual && last && !gaps);
    const bool pixels = layout_ == WindowLayout::pixels || (usual && last && gaps);
    const auto asWanted = [&](const WindowTensor& tensor, const dnnl_memory_desc_t& description) {
      if (asGiven) return description;
      if (!pixels) return anyLayout(description);
      const WindowTensor moved = asPixels(tensor);
      return dnnlDescription(api_, moved.extents, moved.strides, description.data_type);
    };
    const dnnl_memory_desc_t anySource = asWanted(tensors.source, source),
                             anyWeights = anyLayout(weights),
                             anyResult = asWanted(tensors.result, result);
    dnnl_memory_desc_t bias{};
    if (call_.form.addend >= 0) {
      bias = dnnlDescription(api_, {tensors.result.extents[1]}, {1}, type);
      if (api_.memory_create(bias_.out(), &bias, api_.engine, DNNL_MEMORY_NONE) != dnnl_success)
        return false;
    }
    if (roles_.way != WindowWay::forwards)
      return goBack(source, weights, result, anySource, anyWeights, anyResult);
    dnnl_convolution_desc_t wanted{};
    if (api_.dilated_convolution_forward_desc_init(
            &wanted, dnnl_forward_inference, dnnl_convolution_auto, &anySource, &anyWeights,
            call_.form.addend >= 0 ? &bias : nullptr, &anyResult, windows_.strides,
            windows_.dilations, windows_.before, windows_.after) != dnnl_success)
      return false;
    DnnlChoice choice(api_);
    if (!choose(choice, &wanted)) return false;
    dnnl_memory_desc_t chosenSource{}, chosenWeights{}, chosenResult{};
    if (!query(choice, dnnl_query_src_md, chosenSource) ||
        !query(choice, dnnl_query_weights_md, chosenWeights) ||
        !query(choice, dnnl_query_dst_md, chosenResult))
      return false;
    placed_[0] = std::make_unique<DnnlPlaced>(api_, source, chosenSource, false);
    placed_[1] = std::make_unique<DnnlPlaced>(api_, weights, chosenWeights, false);
    placed_[2] = std::make_unique<DnnlPlaced>(api_, result, chosenResult, true, threads_);
    arguments_ = {{DNNL_ARG_SRC, placed_[0]->memory()},
                  {DNNL_ARG_WEIGHTS, placed_[1]->memory()},
                  {DNNL_ARG_DST, placed_[2]->memory()}};
    if (call_.form.addend >= 0) arguments_.push_back({DNNL_ARG_BIAS, bias_.get()});
    return true;
  }

  /// A gradient, in the layouts that the library likes for it.
  bool goBack(const dnnl_memory_desc_t& source, const dnnl_memory_desc_t& weights,
              const dnnl_memory_desc_t& result, const dnnl_memory_desc_t& anySource,
              const dnnl_memory_desc_t& anyWeights, const dnnl_memory_desc_t& anyResult) {
    // The library needs the forward pass's descriptor to choose the implementation of a gradient.
    dnnl_convolution_desc_t there{}, wanted{};
    DnnlChoice forward(api_);
    if (api_.dilated_convolution_forward_desc_init(
            &there, dnnl_forward_training, dnnl_convolution_auto, &anySource, &anyWeights, nullptr,
            &anyResult, windows_.strides, windows_.dilations, windows_.before,
            windows_.after) != dnnl_success ||
        api_.primitive_desc_create(forward.out(), &there, nullptr, api_.engine, nullptr) !=
            dnnl_success)
      return false;
    const bool toSource = roles_.way == WindowWay::toSource;
    const dnnl_status_t asked =
        toSource ? api_.dilated_convolution_backward_data_desc_init(
                       &wanted, dnnl_convolution_auto, &anySource, &anyWeights, &anyResult,
                       windows_.strides, windows_.dilations, windows_.before, windows_.after)
                 : api_.dilated_convolution_backward_weights_desc_init(
                       &wanted, dnnl_convolution_auto, &anySource, &anyWeights, nullptr, &anyResult,
                       windows_.strides, windows_.dilations, windows_.before, windows_.after);
    DnnlChoice choice(api_);
    if (asked != dnnl_success || !choose(choice, &wanted, forward.get())) return false;
    dnnl_memory_desc_t chosenSource{}, chosenWeights{}, chosenResult{};
    if (!query(choice, toSource ? dnnl_query_diff_src_md : dnnl_query_src_md, chosenSource) ||
        !query(choice, toSource ? dnnl_query_weights_md : dnnl_query_diff_weights_md,
               chosenWeights) ||
        !query(choice, dnnl_query_diff_dst_md, chosenResult))
      return false;
    placed_[0] = std::make_unique<DnnlPlaced>(api_, source, chosenSource, toSource);
    placed_[1] = std::make_unique<DnnlPlaced>(api_, weights, chosenWeights, !toSource);
    placed_[2] = std::make_unique<DnnlPlaced>(api_, result, chosenResult, false);
    arguments_ = {{toSource ? DNNL_ARG_DIFF_SRC : DNNL_ARG_SRC, placed_[0]->memory()},
                  {toSource ? DNNL_ARG_WEIGHTS : DNNL_ARG_DIFF_WEIGHTS, placed_[1]->memory()},
                  {DNNL_ARG_DIFF_DST, placed_[2]->memory()}};
    return true;
  }

  bool pool(const dnnl_memory_desc_t& source, const dnnl_memory_desc_t& result) {
    // The library's greatest element loses a NaN, and its means count places past the padding.
    if (!call_.average || reachesPast_) return false;
    dnnl_pooling_v2_desc_t wanted{};
    if (api_.pooling_v2_forward_desc_init(
            &wanted, dnnl_forward_inference,
            call_.settings.countsPadding ? dnnl_pooling_avg_include_padding
                                         : dnnl_pooling_avg_exclude_padding,
            &source, &result, windows_.strides, windows_.kernel, windows_.dilations,
            windows_.before, windows_.after) != dnnl_success)
      return false;
    DnnlChoice choice(api_);
    if (!choose(choice, &wanted)) return false;
    placed_[0] = std::make_unique<DnnlPlaced>(api_, source, source, false);
    placed_[2] = std::make_unique<DnnlPlaced>(api_, result, result, true);
    arguments_ = {{DNNL_ARG_SRC, placed_[0]->memory()}, {DNNL_ARG_DST, placed_[2]->memory()}};
    return true;
  }

  bool choose(DnnlChoice& choice, const_dnnl_op_desc_t wanted,
              const_dnnl_primitive_desc_t forward = nullptr) {
    ended_ = !chooseDnnl(api_, wanted, nullptr, implementation_, choice, forward);
    if (ended_) return false;
    chosen_ = dnnlChosen(api_, choice.get());
    return !isDnnlReference(chosen_) &&
           api_.primitive_create(primitive_.out(), choice.get()) == dnnl_success;
  }

  const DnnlApi& api_;
  LibraryCall call_;
  WindowRoles roles_;
  int threads_;
  WindowLayout layout_;
  int implementation_;
  bool ended_ = true;  ///< there is no such implementation
  DnnlWindowSettings windows_;
  bool reachesPast_ = false;  ///< a last window goes past the padding
  std::array<std::unique_ptr<DnnlPlaced>, 3> placed_;
  DnnlMemory bias_{api_};
  DnnlPrimitive primitive_{api_};
  std::vector<dnnl_exec_arg_t> arguments_;
  std::string chosen_ = "unknown";
};

}  // namespace

std::unique_ptr<PreparedCall> prepareWindows(const DnnlApi& api, const LibraryRequest& request,
                                             const std::string& version) {
  const LibraryCall& call = request.call;
  const std::int64_t* const integers = request.integers;
  if (call.result == DType::int32 && !api.sumsBytesExactly()) return nullptr;
  if (request.sizes.count() == 0 || call.settings.alpha != 1 || call.settings.beta != 1)
    return nullptr;
  // Our own loops compute the gradients of pools.
  const WindowRoles roles = rolesOf(call);
  if (roles.way != WindowWay::forwards &&
      (call.operands.size() != 2 || call.accumulate != Accumulate::sum))
    return nullptr;
  // A bias in other steps than one after the other is rare.
  if (call.form.addend >= 0) {
    const std::int64_t* at = integers;
    for (int t = 0; t < call.form.addend; ++t) at += 2 * call.rank(static_cast<std::size_t>(t));
    if (at[0] > 1 && at[1] != 1) return nullptr;
  }
  const WindowTensors tensors = windowTensors(
      call, integers, roles, std::max(request.sizes.windowed.size(), request.sizes.spread.size()));
  const auto make = [&](const DnnlWay& way) {
    auto made = std::make_unique<DnnlWindows>(api, request, way);
    DnnlTried tried;
    try {
      const bool fits = made->prepare(tensors, request.sizes);
      tried.ended = made->ended();
      if (fits) tried.call = std::move(made);
    } catch (const std::runtime_error&) {  // a tensor cannot be copied there
      tried.ended = made->ended();
    }
    return tried;
  };
  if (!call.search) return make({}).call;
  return fastestWay(request, version, call.operands.size() > 1 ? kWindowLayouts : 1, make);
}

}  // namespace fusebench::cpu

#endif
