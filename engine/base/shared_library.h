// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>

namespace fusebench {

/// A library opened at run time; closed at the end of its life unless kept.
class SharedLibrary {
 public:
  SharedLibrary() = default;
  SharedLibrary(SharedLibrary&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)), name_(std::move(other.name_)) {}
  SharedLibrary& operator=(SharedLibrary&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(name_, other.name_);
    return *this;
  }
  ~SharedLibrary();

  /// Opens an absolute path, or a name that the system's search finds; a path that depends on the
  /// current folder is refused. An empty library on failure, and then `error` is why, in one line.
  static SharedLibrary open(const std::string& name, std::string& error);

  explicit operator bool() const { return handle_ != nullptr; }
  const std::string& name() const { return name_; }  ///< as opened
  /// Address of a symbol, or null.
  void* symbol(const char* symbol) const;
  /// Sets `function` to a symbol's address; false, and null, if there is none.
  template <class Function>
  bool find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(symbol(name));
    return function != nullptr;
  }
  /// The file that holds `address`, with links resolved; empty if none does.
  static std::string fileOf(const void* address);
  /// Leaves the library open to the end of the process.
  void keep() { handle_ = nullptr; }

 private:
  void* handle_ = nullptr;
  std::string name_;
};

}  // namespace fusebench
