// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/language/torch_names.h"

#include <algorithm>
#include <string>
#include <vector>

#include "engine/base/text_lines.h"

namespace fusebench {
namespace {

/// Sorted, as the file is.
const std::vector<std::string_view>& torchNames() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> found;
    forEachLine(torchNameFiles().front().text, [&](std::string_view line) {
      if (!line.empty() && !line.starts_with('#')) found.push_back(line);
    });
    return found;
  }();
  return names;
}

}  // namespace

bool isTorchName(std::string_view path) {
  // The older name of a package, under which PyTorch has everything in it, too.
  constexpr std::string_view kOlder = "torch.quantization.";
  if (path.starts_with(kOlder))
    return isTorchName("torch.ao.quantization." + std::string(path.substr(kOlder.size())));
  return std::ranges::binary_search(torchNames(), path);
}

}  // namespace fusebench
