// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/base/ui_language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>
#include <array>

namespace fusebench {
namespace {

QString builtIn(const std::string& language) {
  return QStringLiteral(":/languages/fusebench_%1.qm").arg(QString::fromStdString(language));
}

/// Qt's first: what was installed last is asked first.
std::array<QTranslator, 2>& translators() {
  static std::array<QTranslator, 2> both;
  return both;
}

}  // namespace

void setWindowLanguage(const std::string& language) {
  for (QTranslator& each : translators()) QCoreApplication::removeTranslator(&each);
  if (language == "en") return;
  auto& [qt, own] = translators();
  if (qt.load(QStringLiteral("qtbase_%1").arg(QString::fromStdString(language)),
              QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
    QCoreApplication::installTranslator(&qt);
  if (own.load(builtIn(language))) QCoreApplication::installTranslator(&own);
}

bool windowSpeaks(const std::string& language) {
  QTranslator own;
  return language == "en" || own.load(builtIn(language));
}

}  // namespace fusebench
