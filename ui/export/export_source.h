// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <functional>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "ui/export/export_files.h"

namespace fusebench {

/// The choices that a view offers in addition to those of every figure.
struct ViewChoices {
  std::vector<std::pair<QString, int>> variants;  ///< name, and what ExportChoices::variant says
  QStringList slices;                             ///< values of a second axis
  QStringList others;                             ///< runs with which the first can be compared
  std::vector<FigurePart> parts;
  /// Where a legend may be; none: there is none.
  std::vector<LegendPlace> legends = {LegendPlace::ends, LegendPlace::top, LegendPlace::bottom,
                                      LegendPlace::none};
  bool height = true;  ///< otherwise its height follows from its contents
};

/// The content of the export dialog: a run, several runs, or a timeline. It does not change while
/// the dialog is open, even if a measurement continues.
class ExportSource {
 public:
  virtual ~ExportSource() = default;
  virtual QString heading() const = 0;  ///< title of the dialog: "Export comparison"
  virtual QString title() const = 0;    ///< offered for a figure
  virtual QString caption() const { return {}; }
  virtual QString fileName() const = 0;  ///< suggested file name, without extension
  virtual std::vector<ExportForm> forms() const = 0;
  /// Keys of the views; empty: there is only one.
  virtual QStringList views() const { return {}; }
  virtual ViewChoices choicesOf(const QString& view) const = 0;
  /// Variants whose generated code a report can contain.
  virtual QStringList codes() const { return {}; }
  /// The most suitable size for a view, if it is not the preset's.
  virtual std::optional<QSizeF> sizeOf(const ExportChoices&) const { return std::nullopt; }
  virtual Figure figure(const ExportChoices& choices) const = 0;
  /// A preview for a file without a figure: its text, or, if `isText` is false, a description.
  virtual QString preview(const ExportForm& form, const ExportChoices& choices,
                          bool& isText) const = 0;
  /// Writes a file without a figure. The part that needs the GUI thread runs immediately. The
  /// returned function does the rest on any thread and may throw.
  using Writer = std::function<void(const QString& path, std::stop_token)>;
  virtual Writer writer(const ExportForm& form, const ExportChoices& choices) const = 0;
};

}  // namespace fusebench
