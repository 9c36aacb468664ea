// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/timeline/file_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <utility>

namespace fusebench {

FilePanel::FilePanel(FileModel& model, Words words, QWidget* parent)
    : FiguresPanel(parent),
      model_(model),
      words_(std::move(words)),
      controls_(new QWidget(this)),
      line_(new QHBoxLayout(controls_)),
      note_(new QLabel(this)),
      table_(new KernelTable(this)) {
  line_->setContentsMargins(0, 0, 0, 0);
  line_->setSpacing(6);
  note_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  table_->setAccessibleName(words_.table);
  layOutUnder(*note_, *table_);
  connect(&model_, &FileModel::changed, this, [this] { refresh(); });
}

bool FilePanel::hasFile() const {
  return model_.busy() || !model_.failure().isEmpty() || hasContent();
}

bool FilePanel::showsContent() const {
  return hasContent() && model_.failure().isEmpty() && !model_.busy();
}

void FilePanel::refresh() {
  table_->begin({});
  if (showsContent()) {
    note_->setText(fill().join(u'\n'));
    return table_->fitColumns();
  }
  note_->setText(model_.busy()                ? words_.reading
                 : model_.failure().isEmpty() ? words_.invitation
                                              : model_.failure());
}

}  // namespace fusebench
