// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mpi/mpi.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/base/elements.h"
#include "engine/mpi/mpi_abi.h"

namespace fusebench::mpi {
namespace {

/// Counts are ints: larger tensors go in several calls.
constexpr std::int64_t kMostElements = std::int64_t{1} << 28;

float combinedFloats(Combine how, float a, float b) {
  const bool none = std::isnan(a) || std::isnan(b);
  switch (how) {
    case Combine::sum:
    case Combine::average:
      return a + b;
    case Combine::product:
      return a * b;
    case Combine::min:
      return none ? NAN : std::min(a, b);
    case Combine::max:
      return none ? NAN : std::max(a, b);
  }
  return a;
}

/// MPI knows no 16-bit floats: they are added in float32 and rounded, as our kernels do.
template <bool kHalf, Combine kHow>
void combineNarrow(void* from, void* into, int* count, Handle* /*type*/) {
  const auto* const a = static_cast<const std::uint16_t*>(from);
  auto* const b = static_cast<std::uint16_t*>(into);
  for (int i = 0; i < *count; ++i) {
    const float x = kHalf ? fromHalfBits(a[i]) : fromBfloatBits(a[i]);
    const float y = kHalf ? fromHalfBits(b[i]) : fromBfloatBits(b[i]);
    const float made = combinedFloats(kHow, x, y);
    b[i] = kHalf ? halfBits(made) : bfloatBits(made);
  }
}

/// A float's least and greatest with NaN as ours have it: MPI's own let it fall.
template <class Float, Combine kHow>
void combineExtreme(void* from, void* into, int* count, Handle* /*type*/) {
  const auto* const a = static_cast<const Float*>(from);
  auto* const b = static_cast<Float*>(into);
  for (int i = 0; i < *count; ++i)
    b[i] = std::isnan(a[i]) || std::isnan(b[i])
               ? std::numeric_limits<Float>::quiet_NaN()
               : (kHow == Combine::min ? std::min(a[i], b[i]) : std::max(a[i], b[i]));
}

template <bool kHalf>
UserFunction narrowFunction(Combine how) {
  switch (how) {
    case Combine::product:
      return combineNarrow<kHalf, Combine::product>;
    case Combine::min:
      return combineNarrow<kHalf, Combine::min>;
    case Combine::max:
      return combineNarrow<kHalf, Combine::max>;
    case Combine::sum:
    case Combine::average:
      break;
  }
  return combineNarrow<kHalf, Combine::sum>;
}

template <class Float>
UserFunction extremeFunction(Combine how) {
  return how == Combine::min ? combineExtreme<Float, Combine::min>
                             : combineExtreme<Float, Combine::max>;
}

class MpiGroup final : public RankGroup {
 public:
  explicit MpiGroup(Flavour flavour) : flavour_(flavour) {
    std::string error;
    library_ = open(flavour, f_, h_, error);
    if (!library_) throw std::runtime_error(error);
    int provided = 0;
    // Work of one thread at a time, not always the same one.
    check(f_.initThread(nullptr, nullptr, kThreadSerialized, &provided), "MPI_Init_thread");
    if (provided < kThreadSerialized)
      throw std::runtime_error("this MPI can be called by one thread alone");
    check(f_.setErrhandler(h_.world, h_.errorsReturn), "MPI_Comm_set_errhandler");
    check(f_.commRank(h_.world, &rank_), "MPI_Comm_rank");
    check(f_.commSize(h_.world, &size_), "MPI_Comm_size");
    library_.keep();
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  std::string description() const override {
    std::array<char, kLongestVersion> text{};
    int length = 0;
    if (f_.libraryVersion(text.data(), &length) != kSuccess) return std::string(name(flavour_));
    // "Open MPI v4.1.4, package: ...", "MPICH Version:      4.0.2\nMPICH Release..."
    const std::string_view all(text.data(), static_cast<std::size_t>(std::max(0, length)));
    const std::size_t digit = all.find_first_of("0123456789");
    const std::size_t end = digit == all.npos ? digit : all.find_first_not_of("0123456789.", digit);
    return fmt::format("{} {}", name(flavour_),
                       digit == all.npos ? "" : all.substr(digit, end - digit));
  }

  void allReduce(const void* from, void* to, std::int64_t elements, DType dtype,
                 Combine how) override {
    inPieces(elements, info(dtype).size, from, to, [&](const void* a, void* b, int count) {
      if (from == to) a = inPlace();
      check(f_.allreduce(a, b, count, typeOf(dtype), opOf(dtype, how), h_.world), "MPI_Allreduce");
    });
  }

  void broadcast(void* data, std::size_t bytes, int root) override {
    inPieces(static_cast<std::int64_t>(bytes), 1, data, data,
             [&](const void* /*from*/, void* to, int count) {
               check(f_.bcast(to, count, h_.byte, root, h_.world), "MPI_Bcast");
             });
  }

  void allGather(const void* from, void* to, std::size_t bytes) override {
    if (bytes > static_cast<std::size_t>(kMostElements))
      throw std::runtime_error(fmt::format("MPI_Allgather of {} bytes from each rank: at most {}",
                                           bytes, kMostElements));
    const int count = static_cast<int>(bytes);
    check(f_.allgather(from, count, h_.byte, to, count, h_.byte, h_.world), "MPI_Allgather");
  }

  void reduceScatter(const void* from, void* to, std::int64_t elements, DType dtype,
                     Combine how) override {
    if (elements > kMostElements)
      throw std::runtime_error(
          fmt::format("MPI_Reduce_scatter_block of {} elements for each rank: at most {}", elements,
                      kMostElements));
    check(f_.reduceScatterBlock(from, to, static_cast<int>(elements), typeOf(dtype),
                                opOf(dtype, how), h_.world),
          "MPI_Reduce_scatter_block");
  }

  void barrier() override { check(f_.barrier(h_.world), "MPI_Barrier"); }

  void finalize() noexcept { f_.finalize(); }

 private:
  void check(int code, const char* function) const {
    if (code == kSuccess) return;
    std::array<char, kLongestError> text{};
    int length = 0;
    f_.errorString(code, text.data(), &length);
    throw std::runtime_error(fmt::format("{} failed: {}", function, std::string_view(text.data())));
  }

  const void* inPlace() const {
    return reinterpret_cast<const void*>(flavour_ == Flavour::openMpi ? std::intptr_t{1}
                                                                      : std::intptr_t{-1});
  }

  template <class Call>
  static void inPieces(std::int64_t elements, std::size_t size, const void* from, void* to,
                       const Call& call) {
    for (std::int64_t begin = 0; begin < elements || begin == 0; begin += kMostElements) {
      const auto count = static_cast<int>(std::min(kMostElements, elements - begin));
      const std::size_t offset = static_cast<std::size_t>(begin) * size;
      call(static_cast<const std::byte*>(from) + offset, static_cast<std::byte*>(to) + offset,
           count);
    }
  }

  Handle typeOf(DType dtype) const {
    switch (dtype) {
      case DType::boolean:
      case DType::uint8:
        return h_.uint8;
      case DType::int8:
        return h_.int8;
      case DType::int32:
        return h_.int32;
      case DType::int64:
        return h_.int64;
      case DType::float16:
      case DType::bfloat16:
        return h_.uint16;
      case DType::float32:
        return h_.float32;
      case DType::float64:
        break;
    }
    return h_.float64;
  }

  Handle opOf(DType dtype, Combine how) {
    const bool extreme = how == Combine::min || how == Combine::max;
    if (isFloat(dtype) && (isRounded(dtype) || extreme)) {
      Handle& own = made_[static_cast<std::size_t>(dtype)][static_cast<std::size_t>(how)];
      if (!own) {
        const UserFunction function = dtype == DType::float16    ? narrowFunction<true>(how)
                                      : dtype == DType::bfloat16 ? narrowFunction<false>(how)
                                      : dtype == DType::float32  ? extremeFunction<float>(how)
                                                                 : extremeFunction<double>(how);
        check(f_.opCreate(function, 1, &own), "MPI_Op_create");
        // MPICH's handle is 32 bits of these.
        if (flavour_ == Flavour::mpich) own &= 0xffffffff;
      }
      return own;
    }
    switch (how) {
      case Combine::product:
        return h_.product;
      case Combine::min:
        return h_.min;
      case Combine::max:
        return h_.max;
      case Combine::sum:
      case Combine::average:
        break;
    }
    return h_.sum;
  }

  Flavour flavour_;
  SharedLibrary library_;
  Functions f_;
  Handles h_;
  int rank_ = 0, size_ = 1;
  std::array<std::array<Handle, 5>, kDTypes> made_{};
};

std::shared_ptr<MpiGroup>& entered() {
  static std::shared_ptr<MpiGroup> group;
  return group;
}

}  // namespace

std::string_view name(Flavour flavour) {
  switch (flavour) {
    case Flavour::none:
      break;
    case Flavour::openMpi:
      return "Open MPI";
    case Flavour::mpich:
      return "MPICH";
  }
  return "none";
}

Flavour startedBy() {
  if (std::getenv("OMPI_COMM_WORLD_RANK")) return Flavour::openMpi;
  if (std::getenv("PMI_RANK")) return Flavour::mpich;
  return Flavour::none;
}

std::shared_ptr<RankGroup> enter(Flavour flavour) {
  if (flavour == Flavour::none)
    throw std::runtime_error("this process was started by no mpirun: it is in no group of ranks");
  if (!entered()) entered() = std::make_shared<MpiGroup>(flavour);
  return entered();
}

void leave() noexcept {
  if (entered()) entered()->finalize();
  entered().reset();
}

bool isThere(Flavour flavour, std::string& why) {
  Functions functions;
  Handles handles;
  why.clear();
  SharedLibrary library = open(flavour, functions, handles, why);
  const bool found = static_cast<bool>(library);
  library.keep();
  if (!found) why += flavour == Flavour::openMpi ? "; install openmpi-bin" : "; install mpich";
  return found;
}

}  // namespace fusebench::mpi
