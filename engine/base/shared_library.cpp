// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/shared_library.h"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

#include "engine/base/saying.h"

namespace fusebench {

SharedLibrary::~SharedLibrary() {
  if (handle_) ::dlclose(handle_);
}

SharedLibrary SharedLibrary::open(const std::string& name, std::string& error) {
  SharedLibrary library;
  library.name_ = name;
  if (name.find('/') != std::string::npos && !name.starts_with('/')) {
    error = saying("{} is not an absolute path; name the library by its absolute path", name);
    return library;
  }
  library.handle_ = ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  error.clear();
  if (!library.handle_) {
    const char* why = ::dlerror();
    error = why ? why : "cannot be opened; no reason given";
  }
  return library;
}

void* SharedLibrary::symbol(const char* symbol) const {
  return handle_ ? ::dlsym(handle_, symbol) : nullptr;
}

std::string SharedLibrary::fileOf(const void* address) {
  Dl_info info{};
  if (::dladdr(address, &info) == 0 || !info.dli_fname) return {};
  std::error_code failed;
  const auto resolved = std::filesystem::canonical(info.dli_fname, failed);
  return failed ? info.dli_fname : resolved.string();
}

}  // namespace fusebench
