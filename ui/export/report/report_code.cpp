// SPDX-License-Identifier: GPL-3.0-or-later
// The section with the generated code, which is made on request alone.
#include <algorithm>
#include <string>

#include "ui/export/report/report.h"
#include "ui/models/base/ui_text.h"
#include "ui/models/base/utf8.h"

namespace fusebench {
namespace {

constexpr qsizetype kMostListed = 400;  ///< lines of a listing

QString languageTitle(const std::string& language) {
  if (language == "readable") return uiText("Loop nest");
  if (language == "llvm") return uiText("LLVM IR");
  if (language == "cuda") return uiText("CUDA C++");
  return text(language);
}

/// "statements 2 to 5", "statement 3 and the return"
QString statementsText(const std::vector<int>& statements) {
  std::vector<int> own = statements;
  std::sort(own.begin(), own.end());
  const bool returns = !own.empty() && own.front() < 0;
  std::erase_if(own, [](int one) { return one < 0; });
  QString words;
  if (own.size() == 1)
    words = uiText("statement %1").arg(own[0] + 1);
  else if (!own.empty())
    words = uiText("statements %1 to %2").arg(own.front() + 1).arg(own.back() + 1);
  if (!returns) return words;
  return words.isEmpty() ? uiText("the return") : words + uiText(" and the return");
}

QString shortened(const std::string& code) {
  QStringList lines = text(code).split(u'\n');
  while (!lines.isEmpty() && lines.back().isEmpty()) lines.removeLast();
  const qsizetype more = lines.size() - kMostListed;
  if (more > 0) {
    lines.resize(kMostListed);
    lines << uiText("… %1 more lines, in the window's Code view").arg(more);
  }
  return lines.join(u'\n') + u'\n';
}

}  // namespace

void addGeneratedCode(Report& report, std::span<const VariantCode> codes) {
  if (codes.empty()) return;
  ReportSection section{QStringLiteral("code"), uiText("Generated code"), {}};
  for (const VariantCode& code : codes) {
    section.blocks.emplace_back(ReportHeading{text(code.variant)});
    if (!code.problem.empty()) {
      section.blocks.emplace_back(ReportText{uiText("Not available: ") + text(code.problem)});
      continue;
    }
    section.blocks.emplace_back(ReportText{
        (code.kernels.size() == 1 ? uiText("At the end of the axes, for %1; %2 kernel.")
                                  : uiText("At the end of the axes, for %1; %2 kernels."))
            .arg(text(code.inputs))
            .arg(code.kernels.size()),
        ReportText::Tone::muted});
    for (const KernelCode& kernel : code.kernels)
      for (const GeneratedCode& language : kernel.languages) {
        QString title =
            QStringLiteral("%1: %2").arg(text(kernel.name), languageTitle(language.language));
        if (const QString of = statementsText(kernel.statements); !of.isEmpty())
          title += QStringLiteral(", %1").arg(of);
        if (kernel.others > 0)
          title += kernel.others == 1 ? uiText(", and another like it")
                                      : uiText(", and %1 others like it").arg(kernel.others);
        section.blocks.emplace_back(ReportText{title + u':'});
        section.blocks.emplace_back(ReportCode{shortened(language.text)});
      }
  }
  const auto program = std::find_if(
      report.sections.begin(), report.sections.end(),
      [](const ReportSection& one) { return one.id.endsWith(QStringLiteral("program")); });
  report.sections.insert(program == report.sections.end() ? program : program + 1,
                         std::move(section));
}

}  // namespace fusebench
