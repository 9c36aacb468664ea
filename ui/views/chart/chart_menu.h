// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fusebench {

class ChartView;

/// Gives the chart the actions of its context menu: what its bar offers, the pin, a picture for the
/// clipboard.
void addChartMenu(ChartView& view);

}  // namespace fusebench
