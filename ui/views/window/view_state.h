// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

#include "ui/models/window/window_models.h"

namespace fusebench {

class Workbench;

/// The state of the views as a JSON object: those in sight, the chart's metric, the pinned
/// place, the value of the second axis, and the layout.
QByteArray viewState(const WindowModels& models, const Workbench& workbench);
/// Takes from it what fits; the rest, of another version or damaged, changes nothing.
void takeViewState(const QByteArray& json, WindowModels& models, Workbench& workbench);

}  // namespace fusebench
