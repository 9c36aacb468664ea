// SPDX-License-Identifier: GPL-3.0-or-later
// Names and descriptions of the parts of a call.
#include "engine/base/saying.h"

#include <variant>
#include "ui/models/anatomy/anatomy_model.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

QString partWords(CallPart part) {
  switch (part) {
    case CallPart::guard:
      return uiText("Checks whether what was compiled fits the inputs");
    case CallPart::dispatch:
      return uiText("Shapes and types of each op, and finding its kernel");
    case CallPart::allocate:
      return uiText("Memory for results, and giving it back");
    case CallPart::copy:
      return uiText("Inputs copied to where the recording reads them");
    case CallPart::launch:
      return uiText("Handing the kernel over, and coming back");
    case CallPart::kernel:
      return uiText("The kernels themselves: the only part that computes");
    case CallPart::wait:
      return uiText("Waiting for other threads or for the device");
    case CallPart::tape:
      return uiText("Writing down for gradients what was done, and reading it back");
    case CallPart::outside:
      break;
  }
  return {};
}

QString partWords(DevicePart part) {
  switch (part) {
    case DevicePart::delay:
      return uiText(
          "From asking the driver for the first launch to that kernel's start, copies aside");
    case DevicePart::copies:
      return uiText("Memory is copied or filled");
    case DevicePart::kernels:
      return uiText("Kernels run: the only part that computes");
    case DevicePart::gaps:
      return uiText("Between kernels, with nothing to do: the next is not there yet");
    case DevicePart::idle:
      return uiText("Before the driver is asked, and after the last kernel until the host is back");
  }
  return {};
}

}  // namespace

QString partName(AnatomyPart part) {
  const std::string_view named = std::visit([](auto one) { return name(one); }, part);
  return text(saidAs("part", named));
}

QString partDescription(AnatomyPart part) {
  return std::visit([](auto one) { return partWords(one); }, part);
}

}  // namespace fusebench
