// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCommandLineParser>

#include "ui/export/export_files.h"

namespace fusebench {

/// The options for a chart that --export writes.
QList<QCommandLineOption> exportOptions();

/// Reads them; returns the problem in one line, or nothing.
QString readExportChoices(const QCommandLineParser& parser, ExportChoices& choices);

}  // namespace fusebench
