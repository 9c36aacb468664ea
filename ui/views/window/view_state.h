// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include "ui/models/window/window_models.h"

namespace fusebench {

class Workbench;

/// The state of the views as a JSON object: the visible ones, the chart's metric, the pinned point,
/// the value of the second axis, and the layout.
QByteArray viewState(const WindowModels& models, const Workbench& workbench);
/// Restores whatever applies; anything else, from another version or damaged, is ignored.
void takeViewState(const QByteArray& json, WindowModels& models, Workbench& workbench);

}  // namespace fusebench
