// SPDX-License-Identifier: GPL-3.0-or-later
// A driver of which most is missing.
#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED int cuInit(unsigned) {
  return 0;
}
EXPORTED int cuDriverGetVersion(int* version) {
  *version = 13000;
  return 0;
}
