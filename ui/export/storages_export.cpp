// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/storages_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/saying.h"
#include "profiler/files/files.h"
#include "ui/export/figures/storages_figure.h"
#include "ui/models/base/utf8.h"
#include "ui/models/code/variant_code.h"

namespace fusebench {

std::vector<ExportForm> StoragesExport::forms() const {
  std::vector<ExportForm> forms;
  std::ranges::copy_if(exportForms(), std::back_inserter(forms),
                       [](const ExportForm& form) { return form.figure != nullptr; });
  return forms;
}

ViewChoices StoragesExport::choicesOf(const QString&) const {
  ViewChoices choices;
  choices.legends.clear();
  return choices;
}

Figure StoragesExport::figure(const ExportChoices& choices) const {
  return storagesFigure(subject_, choices.style);
}

QString StoragesExport::preview(const ExportForm&, const ExportChoices&, bool& isText) const {
  isText = false;  // all its forms are figures
  return {};
}

ExportSource::Writer StoragesExport::writer(const ExportForm&, const ExportChoices&) const {
  return [](const QString&, std::stop_token) {};
}

StoragesSubject storagesOf(const Run& run, const ExportChoices& choices) {
  const auto hidden = [&](int variant) {
    return choices.hidden.contains(
        QString::fromStdString(run.experiment.variants[static_cast<std::size_t>(variant)].name),
        Qt::CaseInsensitive);
  };
  std::vector<int> variants =
      choices.hidden.isEmpty() ? memoryAtFirst(run.experiment) : memoryVariants(run.experiment);
  std::erase_if(variants, hidden);
  if (variants.empty())
    throw InputError(saying(
        "this run has no variant whose memory is known here: PyTorch's own is not planned by "
        "Fusebench; choose another view"));
  StoragesSubject subject;
  subject.title = text(said(run.experiment.title));
  for (const int variant : variants) {
    const std::string& name = run.experiment.variants[static_cast<std::size_t>(variant)].name;
    try {
      const CodeListing listing = variantListing(run, variant, choices.workerCommand);
      subject.rows.push_back({QString::fromStdString(name),
                              std::make_shared<StoragePicture>(storagePicture(listing))});
      subject.place = storagesPlace(listing);
    } catch (const std::exception& error) {
      throw InputError(
          saying("the memory contents of \"{}\" are not known: {}", name, error.what()));
    }
  }
  return subject;
}

}  // namespace fusebench
