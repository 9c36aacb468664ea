// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <map>
#include <vector>

#include "ui/export/export_source.h"

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLineEdit;
class QListWidget;
class QSpinBox;

namespace fusebench {

/// The options of an export: its form, and for a figure its contents and style. Only options that
/// apply to the form and the view are shown.
class ExportFields : public QWidget {
  Q_OBJECT

 public:
  explicit ExportFields(const ExportSource& source, QWidget* parent = nullptr);

  const ExportForm& form() const;
  ExportChoices choices() const;
  /// The height of the figure that was drawn with these options, if it follows from its contents.
  void showHeight(double height);

  /// False for an option that is not available.
  bool chooseForm(const QString& ending);
  /// Chooses the first form that is a picture.
  void chooseFigure();
  bool chooseView(const QString& view);
  bool choosePreset(const QString& key);
  bool chooseCode(const QString& variant);
  bool chooseOther(const QString& name);
  void chooseSlice(std::size_t slice);
  void setSize(const QSizeF& size);
  void setCaption(const QString& caption);
  /// Parts of the figure that are not drawn.
  void setHidden(const QStringList& names);
  void setShown(const QString& part, bool shown);
  QStringList parts() const;

 signals:
  void changed();

 private:
  QComboBox* addCombo(const QString& label, bool figure = true);
  void addSize();
  void addTexts();
  void applyPreset();
  void applyView();
  void fillParts();
  void refresh();

  const ExportSource& source_;
  std::vector<ExportForm> listed_;
  ViewChoices asked_;  ///< choices that the current view offers
  QFormLayout* rows_;
  QComboBox *forms_, *codes_, *views_, *others_, *variants_, *slices_, *presets_, *themes_,
      *legends_;
  QListWidget* parts_;
  QWidget* size_ = nullptr;
  QSpinBox *width_ = nullptr, *height_ = nullptr;
  QDoubleSpinBox* scale_ = nullptr;
  QLineEdit *title_ = nullptr, *caption_ = nullptr;
  std::vector<QWidget*> figureFields_;
  QStringList hidden_{publishedName()};  ///< parts hidden in all views
  bool settling_ = true;
};

}  // namespace fusebench
