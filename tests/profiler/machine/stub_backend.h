// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "profiler/machine/backend_table.h"
#include "tests/doubles/fake_backend.h"

namespace fusebench::test {

/// The device of a vendor that the program does not know.
class StubBackend final : public FakeBackend {
 public:
  StubBackend() {
    BackendTraits itself = traits();
    itself.name = "stub";
    setTraits(std::move(itself));
  }
};

/// A second vendor: this row, and the backend above. `status`: what this machine has for it.
template <BackendStatus (*kStatus)(bool)>
BackendRow stubRow() {
  return {.prefix = "stub",
          .make = [](const std::string&, bool) -> std::unique_ptr<Backend> {
            return std::make_unique<StubBackend>();
          },
          .examine = kStatus,
          .remedy = [](const BackendStatus&) { return std::string("plug a stub in"); },
          .isGpu = true};
}

/// Its library is missing.
inline BackendStatus stubWithoutLibrary(bool /*libraries*/) {
  BackendStatus status;
  status.kind = "Stub";
  status.libraries.push_back({"stub_runtime",
                              "Stub runtime",
                              {false, "libstub.so was not found", "install libstub"},
                              "",
                              true});
  status.missing = "no stub: libstub.so was not found";
  return status;
}

/// Its library is there, and no device.
inline BackendStatus stubWithoutDevice(bool /*libraries*/) {
  BackendStatus status = stubWithoutLibrary(true);
  status.libraries.front().status = {true, "libstub.so 1.0", ""};
  status.missing = "no stub: none is plugged in";
  return status;
}

/// There is one.
inline BackendStatus stubWithDevice(bool /*libraries*/) {
  BackendStatus status = stubWithoutDevice(true);
  status.missing.clear();
  status.compiler = {false, "no compiler", "install the stub compiler"};
  status.clock = {false, "libstub.so has no clock", "read a watch"};
  status.devices.push_back({"stub:0", "Stub 9000", "8.00 GiB of memory", "", {{"name", "stub:0"}}});
  return status;
}

}  // namespace fusebench::test
