// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fusebench {

/// The style sheet and the script of a report's page. The script reads the charts by pointer and
/// arrow keys, hides curves, and saves what is embedded. It asks nothing of the network.
const char* reportStyle();
const char* reportScript();

}  // namespace fusebench
