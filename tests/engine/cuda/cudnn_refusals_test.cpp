// SPDX-License-Identifier: GPL-3.0-or-later
// The double of cuDNN refuses what the library refuses, so that what runs on it may run on a
// device.
#include <array>
#include <utility>
#include <vector>

#include "engine/cuda/driver/device.h"
#include "engine/cuda/library/cudnn.h"
#include "tests/engine/cuda/backend_fixture.h"
#include "tests/support/built_paths.h"

namespace fusebench::test {
namespace {

using namespace cuda;

constexpr Result kSpoiltByAddress = 700;

/// A convolution of 1 x 2 x 4 x 4 by 2 x 2 x 3 x 3 into 1 x 2 x 2 x 2, and what is wrong with it.
struct AskedConvolution {
  int type = kDnnFloat32, weightsType = kDnnFloat32, compute = kDnnFloat32;
  std::vector<int> x{1, 2, 4, 4}, xSteps{32, 16, 4, 1}, w{2, 2, 3, 3}, y{1, 2, 2, 2},
      ySteps{8, 4, 2, 1}, padding{0, 0}, stride{1, 1}, dilation{1, 1};
  int format = kDnnRowMajor, mode = kDnnCrossCorrelation, groups = 1;
  int algorithm = kDnnImplicitPrecompGemm;
  bool epilogue = false;
  std::vector<int> bias{1, 2, 1, 1};
  int activation = kDnnIdentity, nan = kDnnLosesNan;
  std::size_t given = 1 << 16;        ///< bytes of workspace
  std::size_t from = 0, to = 65'536;  ///< where x and y are, bytes
  enum Way { forwards, toSource, toWeights } way = forwards;
};

class CudnnDouble : public CudaBackendTest {
 protected:
  CudnnDouble() {
    device_.use();
    driver_.streamCreate(&stream_, kStreamNonBlocking);
    driver_.memAlloc(&block_, kBytes);
    std::string why;
    library_ = Cudnn::find(fusebench::test::cudaDoublePath(), 0, why);
    EXPECT_EQ(library_->create(&handle_), kDnnSuccess);
    EXPECT_EQ(library_->setStream(handle_, stream_), kDnnSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(library_->destroy(handle_), kDnnSuccess);
    driver_.memFree.attempt(block_);
    driver_.streamDestroy.attempt(stream_);
  }

  /// What the library says: the first refusal of all that leads to the convolution, or of it.
  DnnStatus ask(const AskedConvolution& asked) {
    const Cudnn& dnn = *library_;
    std::array<DnnTensor, 3> tensors{};
    DnnFilter filter = nullptr;
    DnnConvolution how = nullptr;
    DnnActivation activation = nullptr;
    DnnStatus status = kDnnSuccess;
    const auto go = [&](DnnStatus next) {
      if (status == kDnnSuccess) status = next;
    };
    for (DnnTensor& tensor : tensors) go(dnn.tensorCreate(&tensor));
    go(dnn.filterCreate(&filter));
    go(dnn.convolutionCreate(&how));
    go(dnn.activationCreate(&activation));
    const auto dims = [](const std::vector<int>& extents) {
      return static_cast<int>(extents.size());
    };
    go(dnn.tensorSet(tensors[0], asked.type, dims(asked.x), asked.x.data(), asked.xSteps.data()));
    go(dnn.filterSet(filter, asked.weightsType, asked.format, dims(asked.w), asked.w.data()));
    go(dnn.tensorSet(tensors[1], asked.type, dims(asked.y), asked.y.data(), asked.ySteps.data()));
    const std::vector<int> biasSteps{2, 1, 1, 1};
    go(dnn.tensorSet(tensors[2], asked.type, 4, asked.bias.data(), biasSteps.data()));
    go(dnn.convolutionSet(how, 2, asked.padding.data(), asked.stride.data(), asked.dilation.data(),
                          asked.mode, asked.compute));
    go(dnn.groupsSet(how, asked.groups));
    go(dnn.mathSet(how, kDnnFmaMath));
    go(dnn.activationSet(activation, asked.activation, asked.nan, 0.0));
    const float one = 1, nought = 0;
    if (status == kDnnSuccess && asked.way == AskedConvolution::toSource)
      status = dnn.toSource(handle_, &one, filter, at(4096), tensors[1], at(asked.to), how,
                            asked.algorithm, at(131'072), asked.given, &nought, tensors[0],
                            at(asked.from));
    else if (status == kDnnSuccess && asked.way == AskedConvolution::toWeights)
      status =
          dnn.toWeights(handle_, &one, tensors[0], at(asked.from), tensors[1], at(asked.to), how,
                        asked.algorithm, at(131'072), asked.given, &nought, filter, at(4096));
    else if (status == kDnnSuccess)
      status = asked.epilogue
                   ? dnn.forwardBias(handle_, &one, tensors[0], at(asked.from), filter, at(4096),
                                     how, asked.algorithm, at(131'072), asked.given, &nought,
                                     tensors[1], at(asked.to), tensors[2], at(8192), activation,
                                     tensors[1], at(asked.to))
                   : dnn.forward(handle_, &one, tensors[0], at(asked.from), filter, at(4096), how,
                                 asked.algorithm, at(131'072), asked.given, &nought, tensors[1],
                                 at(asked.to));
    for (const DnnTensor tensor : tensors) dnn.tensorDestroy(tensor);
    dnn.filterDestroy(filter);
    dnn.convolutionDestroy(how);
    dnn.activationDestroy(activation);
    return status;
  }
  /// Runs an operation that follows a convolution on 1 x 2 x 2 x 2 elements: the bias of each
  /// channel, or relu.
  DnnStatus askBehind(bool activates, const void* from, void* to,
                      const std::vector<int>& extents = {1, 2, 2, 2}) {
    const Cudnn& dnn = *library_;
    DnnTensor read = nullptr, written = nullptr;
    DnnActivation relu = nullptr;
    EXPECT_EQ(dnn.tensorCreate(&read), kDnnSuccess);
    EXPECT_EQ(dnn.tensorCreate(&written), kDnnSuccess);
    EXPECT_EQ(dnn.activationCreate(&relu), kDnnSuccess);
    const std::array<int, 4> all{1, 2, 2, 2}, steps{8, 4, 2, 1};
    dnn.tensorSet(read, kDnnFloat32, 4, extents.data(), steps.data());
    dnn.tensorSet(written, kDnnFloat32, 4, all.data(), steps.data());
    dnn.activationSet(relu, kDnnRelu, kDnnKeepsNan, 0.0);
    const float one = 1, nought = 0;
    const DnnStatus status =
        activates ? dnn.activate(handle_, relu, &one, read, from, &nought, written, to)
                  : dnn.add(handle_, &one, read, from, &one, written, to);
    dnn.activationDestroy(relu);
    dnn.tensorDestroy(read);
    dnn.tensorDestroy(written);
    return status;
  }
  void* at(std::size_t offset) const {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(block_ + offset));
  }

  static constexpr std::size_t kBytes = 1 << 20;
  std::shared_ptr<const Driver> opened_ = Driver::open(fusebench::test::cudaDoublePath());
  const Driver& driver_ = *opened_;
  Device device_{opened_, listDevices(*opened_).at(0)};
  Stream stream_ = nullptr;
  DevicePointer block_ = 0;
  std::shared_ptr<const Cudnn> library_;
  DnnHandle handle_ = nullptr;
};

TEST_F(CudnnDouble, TakesWhatIsRight) {
  EXPECT_EQ(ask({}), kDnnSuccess);
  EXPECT_EQ(ask({.algorithm = kDnnImplicitGemm}), kDnnSuccess);
  EXPECT_EQ(ask({.algorithm = kDnnGemm}), kDnnSuccess);
  EXPECT_EQ(ask({.epilogue = true}), kDnnSuccess);
  EXPECT_EQ(ask({.algorithm = kDnnGemm, .epilogue = true, .activation = kDnnRelu}), kDnnSuccess);
  EXPECT_EQ(ask({.xSteps = {32, 1, 8, 2}, .ySteps = {8, 1, 4, 2}, .format = kDnnChannelsLast}),
            kDnnSuccess);
  EXPECT_EQ(ask({.xSteps = {64, 32, 8, 2}, .algorithm = kDnnImplicitGemm}), kDnnSuccess);
  EXPECT_EQ(ask({.w = {2, 1, 3, 3}, .groups = 2}), kDnnSuccess);
  EXPECT_EQ(driver_.streamSynchronize.attempt(stream_), 0);
}

TEST_F(CudnnDouble, RefusesShapesThatDoNotFit) {
  EXPECT_EQ(ask({.w = {2, 3, 3, 3}}), kDnnBadParameter) << "other channels";
  EXPECT_EQ(ask({.y = {1, 2, 3, 2}}), kDnnBadParameter) << "more rows than there are windows";
  EXPECT_EQ(ask({.y = {2, 2, 2, 2}}), kDnnBadParameter) << "other images";
  EXPECT_EQ(ask({.padding = {1, 0}}), kDnnBadParameter);
  EXPECT_EQ(ask({.stride = {0, 1}}), kDnnBadParameter);
  EXPECT_EQ(ask({.dilation = {0, 1}}), kDnnBadParameter);
  EXPECT_EQ(ask({.w = {2, 2, 5, 3}}), kDnnBadParameter) << "a window larger than the image";
  EXPECT_EQ(ask({.groups = 2}), kDnnBadParameter);
  EXPECT_EQ(ask({.x = {0, 2, 4, 4}}), kDnnBadParameter);
  EXPECT_EQ(ask({.x = {2, 4, 4}, .xSteps = {16, 4, 1}}), kDnnNotSupported)
      << "fewer than four dimensions";
}

TEST_F(CudnnDouble, RefusesTypesAndLayoutsThatItHasNot) {
  EXPECT_EQ(ask({.type = 10}), kDnnBadParameter) << "whole numbers";
  EXPECT_EQ(ask({.weightsType = kDnnFloat16}), kDnnBadParameter);
  EXPECT_EQ(ask({.compute = kDnnFloat64}), kDnnNotSupported);
  EXPECT_EQ(ask({.mode = 0}), kDnnNotSupported);
  EXPECT_EQ(ask({.format = kDnnChannelsLast}), kDnnNotSupportedLayout)
      << "weights channels last with images that are not";
  EXPECT_EQ(ask({.xSteps = {64, 32, 8, 2}}), kDnnNotSupported) << "images with gaps";
  EXPECT_EQ(ask({.dilation = {1, 1}, .algorithm = 6}), kDnnNotSupported) << "Winograd";
  EXPECT_EQ(ask({.algorithm = 8}), kDnnBadParameter);
  EXPECT_EQ(ask({.w = {2, 1, 3, 3}, .groups = 2, .algorithm = kDnnGemm}), kDnnNotSupported);
}

TEST_F(CudnnDouble, RefusesEpiloguesThatItHasNot) {
  EXPECT_EQ(ask({.algorithm = kDnnImplicitGemm, .epilogue = true}), kDnnNotSupported)
      << "a bias alone has one algorithm";
  EXPECT_EQ(ask({.epilogue = true, .activation = 2}), kDnnNotSupported) << "tanh";
  EXPECT_EQ(ask({.epilogue = true, .activation = kDnnRelu, .nan = kDnnKeepsNan}), kDnnNotSupported);
  EXPECT_EQ(ask({.epilogue = true, .bias = {1, 3, 1, 1}}), kDnnBadParameter);
}

TEST_F(CudnnDouble, RefusesMemoryThatIsTooSmallMisalignedOrShared) {
  EXPECT_EQ(ask({.given = 16}), kDnnTooSmall) << "less than the algorithm works in";
  EXPECT_EQ(ask({.algorithm = kDnnImplicitGemm, .given = 0}), kDnnSuccess);
  EXPECT_EQ(ask({.from = 2}), kDnnBadParameter);
  EXPECT_EQ(ask({.to = 0}), kDnnBadParameter) << "the result over the images";
  EXPECT_EQ(driver_.streamSynchronize.attempt(stream_), 0);
}

TEST_F(CudnnDouble, RefusesTheSameOfGradients) {
  for (const auto way : {AskedConvolution::toSource, AskedConvolution::toWeights}) {
    EXPECT_EQ(ask({.algorithm = 1, .way = way}), kDnnSuccess);
    EXPECT_EQ(ask({.algorithm = 0, .given = 0, .way = way}), kDnnSuccess);
    EXPECT_EQ(ask({.algorithm = 1, .given = 16, .way = way}), kDnnTooSmall);
    EXPECT_EQ(ask({.algorithm = 2, .way = way}), kDnnNotSupported);
    EXPECT_EQ(ask({.y = {1, 2, 3, 2}, .way = way}), kDnnBadParameter);
    EXPECT_EQ(ask({.from = 2, .way = way}), kDnnBadParameter);
  }
  EXPECT_EQ(driver_.streamSynchronize.attempt(stream_), 0);
}

TEST_F(CudnnDouble, RefusesGradientsOverWhatTheyAreMadeOf) {
  EXPECT_EQ(ask({.from = 65'536, .way = AskedConvolution::toSource}), kDnnBadParameter)
      << "over what comes back";
  EXPECT_EQ(ask({.from = 4096, .way = AskedConvolution::toSource}), kDnnBadParameter)
      << "over the weights";
  EXPECT_EQ(ask({.to = 4096 + 16, .way = AskedConvolution::toWeights}), kDnnBadParameter);
  EXPECT_EQ(ask({.from = 4096 - 16, .way = AskedConvolution::toWeights}), kDnnBadParameter)
      << "over the images";
}

TEST_F(CudnnDouble, RefusesTheSameOfWhatStandsBehind) {
  for (const bool activates : {false, true}) {
    EXPECT_EQ(askBehind(activates, at(0), at(1024)), kDnnSuccess);
    EXPECT_EQ(askBehind(activates, at(2), at(1024)), kDnnBadParameter) << "misaligned";
    EXPECT_EQ(askBehind(activates, at(0), at(1026)), kDnnBadParameter);
    EXPECT_EQ(askBehind(activates, nullptr, at(1024)), kDnnBadParameter);
    EXPECT_EQ(askBehind(activates, at(0), at(1024), {1, 2, 2, 3}), kDnnBadParameter);
    const DnnHandle own = std::exchange(handle_, nullptr);
    EXPECT_EQ(askBehind(activates, at(0), at(1024)), kDnnBadParameter);
    handle_ = own;
    const Device other(opened_, listDevices(*opened_).at(1));
    other.use();
    EXPECT_EQ(askBehind(activates, at(0), at(1024)), kDnnOtherStream);
    device_.use();
  }
  EXPECT_EQ(askBehind(false, at(0), at(1024), {1, 2, 1, 1}), kDnnSuccess) << "one of each channel";
  EXPECT_EQ(askBehind(true, at(0), at(1024), {1, 2, 1, 1}), kDnnBadParameter);
  EXPECT_EQ(driver_.streamSynchronize.attempt(stream_), 0);
}

TEST_F(CudnnDouble, RefusesHandlesOfNothingAndOfAnotherDevice) {
  const DnnHandle own = handle_;
  handle_ = nullptr;
  EXPECT_EQ(ask({}), kDnnBadParameter);
  handle_ = own;
  {
    const Device other(opened_, listDevices(*opened_).at(1));
    other.use();
    EXPECT_EQ(ask({}), kDnnOtherStream);
    EXPECT_EQ(library_->setStream(handle_, stream_), kDnnBadParameter);
    device_.use();
  }
  DnnHandle more = nullptr;
  EXPECT_EQ(library_->create(nullptr), kDnnBadParameter);
  EXPECT_EQ(library_->create(&more), kDnnSuccess);
  EXPECT_EQ(library_->setStream(more, nullptr), kDnnBadParameter);
  EXPECT_EQ(library_->destroy(more), kDnnSuccess);
  EXPECT_EQ(library_->destroy(more), kDnnBadParameter);
  driver_.ctxSetCurrent(nullptr);
  EXPECT_EQ(library_->create(&more), kDnnNotInitialized) << "on no device";
  const Device again(opened_, listDevices(*opened_).at(0));
  again.use();
  EXPECT_EQ(ask({}), kDnnSuccess);
  driver_.streamSynchronize(stream_);
  device_.use();
}

TEST_F(CudnnDouble, IsMadeDuringNoCaptureThatIsNotRelaxed) {
  driver_.streamBeginCapture(stream_, /*global*/ 0);
  DnnHandle more = nullptr;
  EXPECT_EQ(library_->create(&more), kDnnNotInitialized);
  Graph graph = nullptr;
  EXPECT_NE(driver_.streamEndCapture.attempt(stream_, &graph), 0) << "which spoils it";
  driver_.streamBeginCapture(stream_, kCaptureRelaxed);
  EXPECT_EQ(library_->create(&more), kDnnSuccess);
  EXPECT_EQ(ask({}), kDnnSuccess) << "convolutions are captured";
  EXPECT_EQ(driver_.streamEndCapture.attempt(stream_, &graph), 0);
  EXPECT_EQ(cudaDouble().counts.kernelsRun, 0u);
  driver_.graphDestroy(graph);
  EXPECT_EQ(library_->destroy(more), kDnnSuccess);
}

TEST_F(CudnnDouble, WhatLeavesItsBlockSpoilsTheContext) {
  EXPECT_EQ(ask({.to = kBytes - 8}), kDnnSuccess);
  EXPECT_EQ(driver_.streamSynchronize.attempt(stream_), kSpoiltByAddress);
  cudaDouble().reset();
}

}  // namespace
}  // namespace fusebench::test
