// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCommandLineOption>
#include <QList>
#include <QString>

namespace fusebench {

/// The options of `fusebench` that print the texts for man and shells about the others; --help does
/// not list them.
QList<QCommandLineOption> manualOptions();

/// The man page, or the completion for the shell asked for ("" for the page), of a program that
/// takes these options and files. Empty where there is none for that shell.
QString programTextFor(const QString& shell, const QString& filesAbout,
                       const QList<QCommandLineOption>& options);

}  // namespace fusebench
