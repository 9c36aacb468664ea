// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCommandLineOption>
#include <QList>
#include <QString>

namespace fusebench {

/// The options of `fusebench` that print the man page and the completion of the others; --help does
/// not list them.
QList<QCommandLineOption> manualOptions();

/// The man page, or the completion for the requested shell ("" for the page), of a program with
/// these options and files. Empty if there is none for that shell.
QString programTextFor(const QString& shell, const QString& filesAbout,
                       const QList<QCommandLineOption>& options);

}  // namespace fusebench
