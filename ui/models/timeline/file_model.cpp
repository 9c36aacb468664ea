// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/timeline/file_model.h"

#include "moc_file_model.cpp"
