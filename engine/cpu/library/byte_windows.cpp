// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions of bytes: an image is laid out with its channels last and its padding around it; the
// window of each place then is a few runs of bytes, which are copied next to each other for the
// products.
#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "engine/cpu/library/byte_call.h"
#include "engine/cpu/library/byte_dots.h"
#include "engine/cpu/library/transpose.h"

namespace fusebench::cpu {
namespace {

/// Rows of the products are filled up to this many bytes.
constexpr std::int64_t kRowBytes = 16;
/// Bytes of windows that are used together, and the fewest windows.
constexpr std::int64_t kWindowBytes = std::int64_t{1} << 16, kLeastWindows = 32;

/// One dimension that windows go along: extents and strides of the image, the windows, the result.
struct ByteWindowDim {
  std::int64_t extent = 1, stride = 0;        ///< in the image
  std::int64_t kernel = 1, kernelStride = 0;  ///< in the weights
  std::int64_t places = 1, placeStride = 0;   ///< in the result
  std::int64_t step = 1, padding = 0, dilation = 1;

  /// Places of the padded image that windows see.
  std::int64_t seen() const { return (places - 1) * step + dilation * (kernel - 1) + 1; }
};

/// Extents and strides of a launch's tensor.
struct ByteTensorForm {
  const std::int64_t* extents = nullptr;
  const std::int64_t* strides = nullptr;
};

class ByteWindows final : public ByteCall {
 public:
  /// False: it is another form of convolution.
  bool prepare(const LibraryCall& call, const std::int64_t* integers) {
    using Kind = ContractDim::Kind;
    const std::vector<ContractDim>& dims = call.form.tensors[0];
    const std::size_t batch = !dims.empty() && dims[0].kind == Kind::loop ? 1 : 0;
    const std::size_t windows = dims.size() - std::min(dims.size(), batch + 1);
    if (windows < 1 || windows > dims_.size() || dims[batch].kind != Kind::split) return false;
    for (std::size_t w = 0; w < windows; ++w)
      if (dims[batch + 1 + w].kind != Kind::window) return false;
    if (call.rank(1) != windows + 2 || call.rank(2) != dims.size() ||
        call.form.tensors[1][0].kind != Kind::split ||
        call.form.tensors[2][batch].kind != Kind::split)
      return false;
    std::array<ByteTensorForm, 3> forms;
    for (std::size_t t = 0; t < forms.size(); ++t) {
      const std::size_t rank = call.rank(t);
      forms[t] = {integers, integers + rank};
      integers += 2 * rank;
    }
    const auto& [image, weights, result] = forms;
    if (batch > 0) {
      images_ = image.extents[0];
      imageStep_ = image.strides[0];
      resultStep_ = result.strides[0];
    }
    groups_ = call.settings.groups;
    channels_ = weights.extents[1];
    made_ = weights.extents[0] / groups_;
    channelStep_ = image.strides[batch];
    madeStep_ = result.strides[batch];
    weightStep_ = weights.strides[0];
    weightChannelStep_ = weights.strides[1];
    for (std::size_t w = 0; w < windows; ++w) {
      ByteWindowDim& dim = dims_[dims_.size() - windows + w];
      const std::size_t d = batch + 1 + w;
      dim = {image.extents[d],        image.strides[d],         weights.extents[2 + w],
             weights.strides[2 + w],  result.extents[d],        result.strides[d],
             call.settings.stride[w], call.settings.padding[w], call.settings.dilation[w]};
    }
    imageSigned_ = call.operands[0] == DType::int8;
    weightsSigned_ = call.operands[1] == DType::int8;
    const std::int64_t depth = channels_ * dims_[0].kernel * dims_[1].kernel;
    row_ = (depth + kRowBytes - 1) / kRowBytes * kRowBytes;
    const std::int64_t each = std::max(kLeastWindows, kWindowBytes / row_);
    linesEach_ = std::clamp<std::int64_t>(each / dims_[1].places, 1, dims_[0].places);
    partsEach_ = (dims_[0].places + linesEach_ - 1) / linesEach_;
    return true;
  }

  std::int64_t parts() const override { return images_ * groups_ * partsEach_; }

  void run(void* const* pointers, std::int64_t begin, std::int64_t end) const override {
    thread_local Rooms rooms;
    std::int64_t image = -1, group = -1;
    for (std::int64_t part = begin; part < end; ++part) {
      // Groups are outermost, so that their weights are widened once.
      const std::int64_t wantedGroup = part / (images_ * partsEach_);
      const std::int64_t wantedImage = part / partsEach_ % images_;
      if (group != wantedGroup) widenWeights(pointers[1], wantedGroup, rooms);
      if (group != wantedGroup || image != wantedImage)
        layImage(pointers[0], wantedImage, wantedGroup, rooms);
      group = wantedGroup;
      image = wantedImage;
      const std::int64_t from = part % partsEach_ * linesEach_;
      const std::int64_t lines = std::min(linesEach_, dims_[0].places - from);
      takeWindows(from, lines, rooms);
      auto* const to =
          static_cast<std::int32_t*>(pointers[2]) + image * resultStep_ + group * made_ * madeStep_;
      multiply(to, from, lines, rooms);
    }
  }

  std::string description() const override {
    return "Fusebench's kernel for bytes, AVX2 (vpmaddwd): sums are exact\n"
           "the windows of the input are copied next to each other first\n";
  }

 private:
  struct Rooms {
    std::vector<std::uint8_t> image, weights, windows;
    ByteDots dots;
  };

  /// The weights of a group: one row for each channel that is made, in it windows' places, and of
  /// each its channels.
  void widenWeights(const void* data, std::int64_t group, Rooms& rooms) const {
    const ByteWindowDim &rows = dims_[0], &columns = dims_[1];
    rooms.weights.assign(static_cast<std::size_t>(made_ * row_), 0);
    const std::int64_t places = rows.kernel * columns.kernel;
    const bool rowsFollow = rows.kernel == 1 || rows.kernelStride == columns.kernel;
    const bool placesFollow = places == 1 || (columns.kernel == 1 && rows.kernelStride == 1) ||
                              (columns.kernelStride == 1 && rowsFollow);
    for (std::int64_t o = 0; o < made_; ++o) {
      const auto* const from =
          static_cast<const std::uint8_t*>(data) + (group * made_ + o) * weightStep_;
      std::uint8_t* const to = rooms.weights.data() + o * row_;
      if (placesFollow) {
        transposeElements(1, from, weightChannelStep_, to, channels_, channels_, places);
        continue;
      }
      for (std::int64_t k = 0; k < rows.kernel; ++k)
        for (std::int64_t l = 0; l < columns.kernel; ++l) {
          const std::uint8_t* const place = from + k * rows.kernelStride + l * columns.kernelStride;
          std::uint8_t* const at = to + (k * columns.kernel + l) * channels_;
          for (std::int64_t c = 0; c < channels_; ++c) at[c] = place[c * weightChannelStep_];
        }
    }
    rooms.dots.widen({rooms.weights.data(), made_, row_, row_, weightsSigned_}, 0, made_);
  }

  /// The channels of a group of an image next to each other, zeros around it.
  void layImage(const void* data, std::int64_t image, std::int64_t group, Rooms& rooms) const {
    const ByteWindowDim &rows = dims_[0], &columns = dims_[1];
    const std::int64_t line = columns.seen() * channels_;
    rooms.image.assign(static_cast<std::size_t>(rows.seen() * line), 0);
    const std::int64_t width =
        std::clamp<std::int64_t>(columns.seen() - columns.padding, 0, columns.extent);
    const std::int64_t height =
        std::clamp<std::int64_t>(rows.seen() - rows.padding, 0, rows.extent);
    if (width == 0) return;
    const auto* const from = static_cast<const std::uint8_t*>(data) + image * imageStep_ +
                             group * channels_ * channelStep_;
    for (std::int64_t y = 0; y < height; ++y) {
      const std::uint8_t* const source = from + y * rows.stride;
      std::uint8_t* const to =
          rooms.image.data() + (y + rows.padding) * line + columns.padding * channels_;
      if (columns.stride == 1 || width == 1) {
        transposeElements(1, source, channelStep_, to, channels_, channels_, width);
        continue;
      }
      for (std::int64_t x = 0; x < width; ++x)
        for (std::int64_t c = 0; c < channels_; ++c)
          to[x * channels_ + c] = source[x * columns.stride + c * channelStep_];
    }
  }

  /// The windows of `lines` lines of places, one row per window.
  void takeWindows(std::int64_t from, std::int64_t lines, Rooms& rooms) const {
    const ByteWindowDim &rows = dims_[0], &columns = dims_[1];
    rooms.windows.resize(static_cast<std::size_t>(lines * columns.places * row_));
    const std::int64_t line = columns.seen() * channels_;
    const bool runs = columns.dilation == 1;
    const std::int64_t run = runs ? columns.kernel * channels_ : channels_;
    const std::int64_t pieces = runs ? 1 : columns.kernel;
    std::uint8_t* to = rooms.windows.data();
    for (std::int64_t y = from; y < from + lines; ++y)
      for (std::int64_t x = 0; x < columns.places; ++x, to += row_) {
        std::uint8_t* at = to;
        for (std::int64_t k = 0; k < rows.kernel; ++k) {
          const std::uint8_t* source = rooms.image.data() +
                                       (y * rows.step + k * rows.dilation) * line +
                                       x * columns.step * channels_;
          for (std::int64_t p = 0; p < pieces; ++p, at += run) {
            std::memcpy(at, source, static_cast<std::size_t>(run));
            source += columns.dilation * channels_;
          }
        }
        std::fill(at, to + row_, std::uint8_t{0});
      }
  }

  void multiply(std::int32_t* to, std::int64_t from, std::int64_t lines, const Rooms& rooms) const {
    const ByteWindowDim &rows = dims_[0], &columns = dims_[1];
    const auto windows = [&](std::int64_t at, std::int64_t count) {
      return ByteRows{rooms.windows.data() + at * row_, count, row_, row_, imageSigned_};
    };
    to += from * rows.placeStride;
    if (lines == 1 || columns.places == 1 ||
        rows.placeStride == columns.places * columns.placeStride) {
      const std::int64_t step = columns.places == 1 ? rows.placeStride : columns.placeStride;
      return rooms.dots.multiply(windows(0, lines * columns.places), {to, madeStep_, step});
    }
    for (std::int64_t y = 0; y < lines; ++y)
      rooms.dots.multiply(windows(y * columns.places, columns.places),
                          {to + y * rows.placeStride, madeStep_, columns.placeStride});
  }

  std::int64_t images_ = 1, groups_ = 1, channels_ = 1, made_ = 1;  ///< channels: per group
  std::int64_t imageStep_ = 0, channelStep_ = 0, weightStep_ = 0, weightChannelStep_ = 0,
               resultStep_ = 0, madeStep_ = 0;
  std::array<ByteWindowDim, 2> dims_;  ///< outermost first
  bool imageSigned_ = false, weightsSigned_ = false;
  std::int64_t row_ = 0;  ///< bytes of a window's row
  std::int64_t linesEach_ = 1, partsEach_ = 1;
};

}  // namespace

std::unique_ptr<ByteCall> makeByteWindows(const LibraryCall& call, const std::int64_t* integers) {
  auto made = std::make_unique<ByteWindows>();
  if (!made->prepare(call, integers)) return nullptr;
  return made;
}

}  // namespace fusebench::cpu
