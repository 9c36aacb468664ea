// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/figures/figure.h"
#include "ui/export/figures/figure_style.h"
#include "ui/models/storages/storage_subject.h"

namespace fusebench {

/// What lies in memory at each step of a call: the variants one above the other in one scale, with
/// their peaks in words, and a legend of the classes of bytes. Groups: heading, axes, bands, peaks.
/// Each storage is a spot that is read where one points.
Figure storagesFigure(const StoragesSubject& subject, const FigureStyle& style);

}  // namespace fusebench
