// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/notes_panel.h"

#include <QHBoxLayout>
#include <QItemSelectionModel>
#include <QLabel>
#include <QShortcut>
#include <QStandardItemModel>
#include <QToolButton>
#include <algorithm>
#include <tuple>

#include "ui/models/base/ui_text.h"

namespace fusebench {
namespace {

constexpr int kNoteTrace = Qt::UserRole + 1, kNoteNumber = Qt::UserRole + 2;  ///< roles

}  // namespace

NotesPanel::NotesPanel(TimelineModel& model, QWidget* parent)
    : FiguresPanel(parent),
      model_(model),
      controls_(new QWidget(this)),
      add_(new QToolButton(controls_)),
      remove_(new QToolButton(controls_)),
      csv_(new QToolButton(controls_)),
      note_(new QLabel(this)),
      table_(new KernelTable(this)) {
  auto* line = new QHBoxLayout(controls_);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(6);
  const std::tuple<QToolButton*, QString, QString> kButtons[] = {
      {add_, uiText("Add note"),
       uiText(
           "Add a note to the selected range, else to the clicked slice, else to the middle (B)")},
      {remove_, uiText("Remove note"), uiText("Remove the note selected in the table (Del)")},
      {csv_, uiText("Save CSV…"), uiText("Save the notes as a table")}};
  for (const auto& [button, label, tip] : kButtons) {
    button->setObjectName(QStringLiteral("small"));
    button->setText(label);
    button->setToolTip(tip);
    button->setAccessibleName(label);
    line->addWidget(button);
  }
  table_->setAccessibleName(uiText("Notes"));
  table_->setToolTip(
      uiText("A click shows the time of a note. Double-click or F2 changes its text."));
  table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
  layOutUnder(*note_, *table_);
  connect(add_, &QToolButton::clicked, &model_, &TimelineModel::addNote);
  connect(remove_, &QToolButton::clicked, this, &NotesPanel::removeChosen);
  connect(csv_, &QToolButton::clicked, this,
          [this] { emit csvWanted(QStringLiteral("notes"), model_.notes().csv()); });
  auto* removing = new QShortcut(QKeySequence::Delete, table_);
  removing->setContext(Qt::WidgetShortcut);
  connect(removing, &QShortcut::activated, this, &NotesPanel::removeChosen);
  connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
    if (const auto place = placeOf(index)) model_.showNote(*place);
  });
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &NotesPanel::refreshButtons);
  connect(static_cast<QStandardItemModel*>(table_->model()), &QStandardItemModel::itemChanged, this,
          [this](QStandardItem* item) {
            const auto place = filling_ ? std::nullopt : placeOf(item->index());
            if (place && item->column() == 0)
              // Later, because this rebuilds the table while an editor still writes to it.
              QMetaObject::invokeMethod(
                  this,
                  [this, place, text = item->text().simplified()] {
                    if (place->note < model_.notes().of(place->trace).size())
                      model_.notes().setText(*place, text);
                  },
                  Qt::QueuedConnection);
          });
  connect(&model_.notes(), &TraceNotes::changed, this, &NotesPanel::refresh);
  connect(&model_, &TimelineModel::tracesChanged, this, &NotesPanel::refreshButtons);
  refresh();
}

void NotesPanel::setWanted(bool wanted) {
  wanted_ = wanted;
  refresh();
}

std::optional<TraceNotes::Place> NotesPanel::placeOf(const QModelIndex& index) const {
  const QModelIndex first = index.siblingAtColumn(0);
  if (!first.isValid() || first.data(kNoteNumber).isNull()) return std::nullopt;
  return TraceNotes::Place{first.data(kNoteTrace).toULongLong(),
                           first.data(kNoteNumber).toULongLong()};
}

void NotesPanel::removeChosen() {
  if (const auto place = placeOf(table_->currentIndex())) model_.notes().remove(*place);
}

void NotesPanel::refresh() {
  if (!wanted_) return;
  filling_ = true;
  const int row = table_->currentIndex().row();
  const bool several = model_.shown().size() > 1;
  QStringList titles{uiText("Note"), uiText("From"), uiText("Length"), uiText("At")};
  if (several) titles << uiText("Trace");
  table_->begin(titles);
  for (std::size_t t = 0; t < model_.shown().size(); ++t) {
    const auto& notes = model_.notes().of(t);
    for (std::size_t n = 0; n < notes.size(); ++n) {
      const TraceNote& one = notes[n];
      QStringList cells{exactTime(one.time.from),
                        one.time.length() > 0 ? exactTime(one.time.length()) : QStringLiteral("–"),
                        one.about.isEmpty() ? QStringLiteral("–") : one.about};
      if (several) cells << model_.shown()[t].title;
      QStandardItem* first = table_->addKernel(one.text, cells);
      first->setData(qulonglong(t), kNoteTrace);
      first->setData(qulonglong(n), kNoteNumber);
      for (int column = 1; column < first->model()->columnCount(); ++column)
        first->model()->item(first->row(), column)->setEditable(false);
    }
  }
  filling_ = false;
  const int rows = table_->model()->rowCount();
  if (row >= 0 && rows > 0)
    table_->setCurrentIndex(table_->model()->index(std::min(row, rows - 1), 0));
  note_->setText(
      !model_.notes().said().isEmpty() ? model_.notes().said()
      : rows == 0 ? uiText("No notes yet. Select a range or click a slice, then press B. [ and ] "
                           "go from note to note.")
                  : QString());
  note_->setVisible(!note_->text().isEmpty());
  table_->setVisible(rows > 0);
  refreshButtons();
  table_->fitColumns();
}

void NotesPanel::refreshButtons() {
  add_->setEnabled(!model_.empty());
  remove_->setEnabled(placeOf(table_->currentIndex()).has_value());
  csv_->setEnabled(model_.notes().count() > 0);
}

}  // namespace fusebench

#include "moc_notes_panel.cpp"
