// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fusebench {

/// From here on, screen readers can read the views that paint themselves. Takes no time until one
/// asks.
void installAccessibility();

}  // namespace fusebench
