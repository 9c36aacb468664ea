// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "profiler/run/run.h"

namespace fusebench {

/// The content of a file.
using Document = std::variant<Experiment, Run>;

/// Opens an experiment (.json), a run (.jsonl) or the first run inside a report (.html, .pdf),
/// distinguished by the extension of the name, otherwise by content. An experiment may be one that
/// cannot run yet, including its program: see problemsOf(). Throws InputError with one line.
Document openDocument(const QString& path);

/// Whether it is a .fusebench file, by its name or its beginning.
bool isBundleFile(const QString& path);
/// The content of such a file apart from its run.
struct OpenedBundle {
  std::optional<Experiment> experiment;
  QString notes;
  QByteArray view;  ///< a JSON object of the window's; empty: none
};
/// Throws InputError.
OpenedBundle openBundle(const QString& path);

/// All runs of a file; for a report, those that it compares; none for an experiment. Throws
/// InputError.
std::vector<Run> openRuns(const QString& path);

/// The published curves that an experiment names, if they exist and can be read.
std::optional<Reference> referenceFor(const Experiment& experiment);

/// Text (Markdown) of the help page that an experiment names. If it names none, or one that does
/// not exist, the page on the workbench.
QString lessonFor(const Experiment& experiment);
/// How a timeline is read, for when a trace is looked at.
QString timelineLesson();

/// A file name made from a title: "Fusion against launches" -> "fusion-against-launches".
QString fileNameFor(const Experiment& experiment);

}  // namespace fusebench
