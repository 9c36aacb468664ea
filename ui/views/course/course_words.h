// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "profiler/catalogue/catalogue.h"
#include "ui/models/base/utf8.h"

namespace fusebench {

/// A message of the catalogue, for a widget.
inline QString courseWord(std::string_view english) {
  return text(said(english));
}

}  // namespace fusebench
