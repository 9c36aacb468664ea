// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/ops/op_choices.h"

#include <cmath>
#include <limits>

namespace fusebench {
namespace {

using enum OpChoice::By;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kAnyOther = std::numeric_limits<double>::quiet_NaN();

// Exponents: those that PyTorch computes without pow.
constexpr OpChoice kChoices[] = {
    {"add", given, "alpha", "", 0, "add_scaled"},
    {"sub", given, "alpha", "", 0, "sub_scaled"},
    {"div", text, "rounding_mode", "floor", 0, "floor_divide"},
    {"div", text, "rounding_mode", "trunc", 0, "trunc_divide"},
    {"gelu", text, "approximate", "none", 0, "gelu"},
    {"gelu", text, "approximate", "tanh", 0, "gelu_tanh"},
    {"quantize_per_tensor", dtype, "dtype", "torch.int8", 0, "quantize_per_tensor"},
    {"quantize_per_tensor", dtype, "dtype", "torch.uint8", 0, "quantize_per_tensor_uint8"},
    {"pow", exponent, "", "", 2, "square"},
    {"pow", exponent, "", "", 3, "cube"},
    {"pow", exponent, "", "", 0.5, "sqrt"},
    {"pow", exponent, "", "", -1, "reciprocal"},
    {"pow", exponent, "", "", -0.5, "rsqrt"},
    {"norm", parameter, "p", "", 1, "norm_1"},
    {"norm", parameter, "p", "", 0, "norm_0"},
    {"norm", parameter, "p", "", kInf, "norm_inf"},
    {"norm", parameter, "p", "", -kInf, "norm_minus_inf"},
    {"norm", parameter, "p", "", kAnyOther, "norm_p"},
};

constexpr KeywordAlias kAliases[] = {
    {"unbiased", "correction", true}, {"axis", "dim", false},
    {"keepdims", "keepdim", false},   {"ord", "p", false},
    {"axis0", "dim0", false},         {"axis1", "dim1", false},
    {"size", "shape", false},
};

constexpr std::string_view kPlaces =
    "the number of indices depends on data; write torch.where(mask, x, other), or for the first "
    "index torch.argmax(mask.int(), dim)";
constexpr std::string_view kTaken =
    "the size of what a mask selects depends on data; write torch.where(mask, x, other), or for "
    "a mean torch.where(mask, x, 0).sum() / mask.sum()";
constexpr std::string_view kCounted =
    "the number of distinct values depends on data; count known values: F.one_hot(x, "
    "10).sum(0)";
constexpr std::string_view kTransform =
    "programs have no Fourier transforms; write one as matmuls with a matrix of cosines and one "
    "of sines";
constexpr std::string_view kFactors =
    "matrix factorizations are not supported; pass their results as inputs";
constexpr std::string_view kDistribution =
    "distributions are not supported; write the formula: a normal one's log density is -(x - mu) "
    "** 2 "
    "/ "
    "(2 * s ** 2) - torch.log(s) - 0.5 * math.log(2 * math.pi), a draw mu + s * "
    "torch.randn_like(mu)";
constexpr std::string_view kSchedule =
    "this schedule is not supported; StepLR, MultiStepLR, ExponentialLR, LinearLR, PolynomialLR, "
    "CosineAnnealingLR and LambdaLR are";

constexpr Remedy kRemedies[] = {
    {"nonzero", kPlaces},
    {"argwhere", kPlaces},
    {"masked_scatter", kTaken},
    {"unique", kCounted},
    {"unique_consecutive", kCounted},
    {"histogram", kCounted},
    {"fft", kTransform},
    {"ifft", kTransform},
    {"rfft", kTransform},
    {"irfft", kTransform},
    {"fft2", kTransform},
    {"ifft2", kTransform},
    {"rfft2", kTransform},
    {"irfft2", kTransform},
    {"stft", kTransform},
    {"istft", kTransform},
    {"inv", kFactors},
    {"inverse", kFactors},
    {"pinv", kFactors},
    {"solve", kFactors},
    {"det", kFactors},
    {"slogdet", kFactors},
    {"svd", kFactors},
    {"qr", kFactors},
    {"eigh", kFactors},
    {"eig", kFactors},
    {"cholesky", kFactors},
    {"ChainedScheduler", kSchedule},
    {"Normal", kDistribution},
    {"Categorical", kDistribution},
    {"Bernoulli", kDistribution},
    {"MultivariateNormal", kDistribution},
    {"kl_divergence", kDistribution},
    {"tolist", "a program's values stay tensors; return the tensor"},
    {"numpy", "a program's values stay tensors; return the tensor"},
    {"conv_transpose2d",
     "transposed convolutions are not supported; write F.interpolate(x, scale_factor=2) and "
     "F.conv2d"},
    {"conv_transpose1d",
     "transposed convolutions are not supported; write F.interpolate(x, scale_factor=2) and "
     "F.conv1d"},
    {"ConvTranspose2d",
     "transposed convolutions are not supported; write nn.Upsample(scale_factor=2) and nn.Conv2d"},
    {"ConvTranspose1d",
     "transposed convolutions are not supported; write nn.Upsample(scale_factor=2) and nn.Conv1d"},
    {"conv3d",
     "only 1D and 2D convolutions are supported; fold the third dimension into the batch"},
    {"Conv3d",
     "only 1D and 2D convolutions are supported; fold the third dimension into the batch"},
    {"grid_sample",
     "it is not supported; for whole pixels write x[:, :, rows, columns] with indices of int64"},
    {"ReLU", "modules hold state: write F.relu(x)"},
    {"GELU", "modules hold state: write F.gelu(x)"},
    {"SiLU", "modules hold state: write F.silu(x)"},
    {"Sigmoid", "modules hold state: write torch.sigmoid(x)"},
    {"Tanh", "modules hold state: write torch.tanh(x)"},
    {"all_reduce",
     "it modifies its tensor and returns nothing: write dist.all_reduce(x) on a line of its own"},
    {"broadcast",
     "it modifies its tensor and returns nothing: write dist.broadcast(x, src=0) on a line of its "
     "own"},
    {"all_gather",
     "it modifies its tensors and returns nothing: write dist.all_gather(list, x) on a line of its "
     "own"},
    {"swish", "write F.silu(x)"},
};

}  // namespace

std::span<const OpChoice> opChoices() {
  return kChoices;
}
const OpRow* chosenByParameter(const OpRow& row, std::span<const double> parameters) {
  for (const OpChoice& choice : kChoices) {
    if (choice.by != parameter || choice.from != row.name) continue;
    std::size_t i = 0;
    while (row.parameters.begin()[i].name != choice.keyword) ++i;
    const double value = parameters[i];
    if (value == choice.number ||
        (std::isnan(choice.number) && value != row.parameters.begin()[i].fallback))
      return &namedOp(choice.to);
  }
  return nullptr;
}

const OpChoice* parameterChoiceOf(const OpRow& row) {
  for (const OpChoice& choice : kChoices)
    if (choice.by == parameter && choice.to == row.name) return &choice;
  return nullptr;
}

std::span<const KeywordAlias> keywordAliases() {
  return kAliases;
}

std::span<const Remedy> remedies() {
  return kRemedies;
}
const Remedy* findRemedy(std::string_view name) {
  for (const Remedy& remedy : kRemedies)
    if (remedy.name == name) return &remedy;
  return nullptr;
}

}  // namespace fusebench
