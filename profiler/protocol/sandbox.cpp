// SPDX-License-Identifier: GPL-3.0-or-later
#include "profiler/protocol/sandbox.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <initializer_list>

#include "engine/base/saying.h"
#include "engine/base/search_paths.h"
#include "engine/device/object_cache.h"
#include "profiler/files/descriptor.h"
#include "profiler/files/resources.h"
#include "profiler/machine/machine.h"

namespace fusebench {
namespace {

namespace fs = std::filesystem;

// Landlock's interface (Documentation/userspace-api/landlock.rst of Linux), written out: the
// headers of older systems lack what newer kernels can do.
struct RulesetAttributes {
  std::uint64_t files, network, scopes;
};
struct [[gnu::packed]] PathBeneath {
  std::uint64_t allowed;
  std::int32_t parent;
};
constexpr long kCreateRuleset = 444, kAddRule = 445, kRestrictSelf = 446;
constexpr std::uint32_t kAskVersion = 1;
constexpr int kPathBeneath = 1;
constexpr std::uint64_t kWriteFile = 1 << 1, kReadFile = 1 << 2, kReadFolder = 1 << 3;
constexpr std::uint64_t kTruncate = 1 << 14;
/// Those that a file can be given, of all the rights.
constexpr std::uint64_t kOfFiles = 1 | kWriteFile | kReadFile | kTruncate | (1 << 15);

/// All rights on files that this version of the kernel's interface tells apart.
std::uint64_t rightsOf(long version) {
  if (version >= 5) return (1u << 16) - 1;
  if (version >= 3) return (1u << 15) - 1;
  if (version == 2) return (1u << 14) - 1;
  return (1u << 13) - 1;
}

void allow(int ruleset, const fs::path& path, std::uint64_t rights) {
  const Descriptor folder(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!folder) return;  // what is not there needs no rule
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) rights &= kOfFiles;
  PathBeneath rule{rights, folder.get()};
  ::syscall(kAddRule, ruleset, kPathBeneath, &rule, 0);
}

/// Empty, or what is lacking.
std::string restrictFiles(const std::vector<std::string>& readable) {
  const long version = ::syscall(kCreateRuleset, nullptr, 0, kAskVersion);
  if (version < 1) return saying("Landlock ({})", std::strerror(errno));
  const std::uint64_t all = rightsOf(version);
  RulesetAttributes attributes{all, 0, 0};
  if (version >= 4) attributes.network = 3;  // no binding and no connecting by TCP
  if (version >= 6) attributes.scopes = 3;   // no abstract sockets and no signals to others
  const std::size_t size = version >= 6   ? sizeof attributes
                           : version >= 4 ? offsetof(RulesetAttributes, scopes)
                                          : offsetof(RulesetAttributes, network);
  const Descriptor ruleset(static_cast<int>(::syscall(kCreateRuleset, &attributes, size, 0)));
  if (!ruleset) return saying("Landlock ({})", std::strerror(errno));
  const std::uint64_t reading = (kReadFile | kReadFolder) & all;
  // Of /proc only what tells of the machine and of this process: the environment of others holds
  // their passwords.
  for (const char* place : {"/usr", "/lib", "/lib64", "/etc", "/opt", "/nix", "/gnu", "/sys",
                            "/dev", "/proc/self", "/proc/cpuinfo", "/proc/meminfo", "/proc/stat",
                            "/proc/loadavg", "/proc/version", "/proc/sys", "/proc/driver"})
    allow(ruleset.get(), place, reading);
  std::error_code ignored;
  allow(ruleset.get(), fs::read_symlink("/proc/self/exe", ignored).parent_path(), reading);
  allow(ruleset.get(), resourcePath(""), reading);
  const char* const libraries = std::getenv("LD_LIBRARY_PATH");
  std::string list = libraries ? absoluteElements(libraries) : "";
  for (std::size_t end = 0; !list.empty();
       list.erase(0, end == std::string::npos ? end : end + 1)) {
    end = list.find(':');
    allow(ruleset.get(), list.substr(0, end), reading);
  }
  for (const std::string& path : readable) allow(ruleset.get(), path, reading);
  // Written to, but nothing there is ever executed as a program.
  constexpr std::uint64_t kExecute = 1;
  for (const fs::path& folder : {fs::temp_directory_path(ignored), ObjectCache::defaultFolder()})
    if (!folder.empty()) allow(ruleset.get(), folder, all & ~kExecute);
  allow(ruleset.get(), "/dev/null", reading | kWriteFile);
  if (::syscall(kRestrictSelf, ruleset.get(), 0) != 0)
    return saying("Landlock ({})", std::strerror(errno));
  return {};
}

#if defined(__x86_64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr std::uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#else
constexpr std::uint32_t kArchitecture = 0;
#endif

/// System calls that tensor programs do not need. They fail as if this user had no permission.
constexpr int kForbidden[] = {
    SYS_socket,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_execve,
    SYS_execveat,
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kill,
    SYS_tkill,
    SYS_bpf,
    SYS_userfaultfd,
    SYS_perf_event_open,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_unshare,
    SYS_setns,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_personality,
    SYS_open_by_handle_at,
    SYS_acct,
    SYS_quotactl,
    425,  // io_uring_setup: it would open sockets past this filter
    434,  // pidfd_open
    438,  // pidfd_getfd
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
#endif
};

class Filter {
 public:
  void add(sock_filter instruction) { program_.push_back(instruction); }
  void load(std::size_t offset) {
    add(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset)));
  }
  void deny(int error) {
    add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error)));
  }
  void permit() { add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)); }
  /// Skips the next `count` instructions unless what was loaded equals `value`.
  void unlessEqual(std::uint32_t value, std::uint8_t count) {
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, count));
  }
  bool install() {
    const sock_fprog program{static_cast<unsigned short>(program_.size()), program_.data()};
    // Before Linux 5.16 a filter also turns off speculation past stores, which slows the kernels
    // that are measured. The flag keeps it on; kernels before 4.17 do not know the flag.
    const auto set = [&](unsigned flags) {
      return ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) == 0;
    };
    return set(SECCOMP_FILTER_FLAG_SPEC_ALLOW) || (errno == EINVAL && set(0));
  }

 private:
  std::vector<sock_filter> program_;
};

/// The lower half of an argument.
constexpr std::size_t argument(int number) {
  return offsetof(seccomp_data, args) + 8 * static_cast<std::size_t>(number);
}

std::string restrictCalls() {
  if (kArchitecture == 0) return saying("seccomp (not for this processor)");
  Filter filter;
  filter.load(offsetof(seccomp_data, arch));
  filter.add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0));
  filter.deny(EPERM);
  filter.load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
  // Calls of the x32 interface have other numbers.
  filter.add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1));
  filter.deny(EPERM);
#endif
  for (const int call : kForbidden) {
    filter.unlessEqual(static_cast<std::uint32_t>(call), 1);
    filter.deny(EPERM);
  }
  // Threads, but no processes. Its arguments are in memory, which a filter does not see: glibc then
  // calls clone.
  filter.unlessEqual(435, 1);  // clone3
  filter.deny(ENOSYS);
  filter.unlessEqual(SYS_clone, 4);
  filter.load(argument(0));
  filter.add(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0));
  filter.deny(EPERM);
  filter.permit();
  // No keys are typed into the terminal that standard error may be.
  filter.unlessEqual(SYS_ioctl, 6);
  filter.load(argument(1));
  for (const std::uint32_t request : {0x5412u, 0x541Cu}) {  // TIOCSTI, TIOCLINUX
    filter.unlessEqual(request, 1);
    filter.deny(EPERM);
  }
  filter.permit();
  filter.permit();
  return filter.install() ? std::string() : saying("seccomp ({})", std::strerror(errno));
}

void noCoreFiles() {
  const rlimit none{0, 0};
  ::setrlimit(RLIMIT_CORE, &none);
}

bool limitMemory() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return false;  // their tables are far larger than any memory
#else
  const std::uint64_t most = totalMemory();
  rlimit limit{};
  if (most == 0 || ::getrlimit(RLIMIT_DATA, &limit) != 0) return false;
  if (limit.rlim_cur <= most) return true;
  limit.rlim_cur = most;
  return ::setrlimit(RLIMIT_DATA, &limit) == 0;
#endif
}

SandboxState entered;

}  // namespace

const SandboxState& sandboxHere() {
  return entered;
}

SandboxState enterSandbox(SandboxProfile profile, const std::vector<std::string>& readable) {
  SandboxState& state = entered;
  const auto lacks = [&state](const std::string& what) {
    if (!what.empty()) state.lacking += (state.lacking.empty() ? "" : ", ") + what;
    return what.empty();
  };
  if (const char* set = std::getenv("FUSEBENCH_SANDBOX"); set && std::string_view(set) == "off") {
    lacks(saying("FUSEBENCH_SANDBOX is off"));
    return state;
  }
  noCoreFiles();
  if (profile == SandboxProfile::device) return state;
  state.privileges = ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
  if (profile == SandboxProfile::rank) return state;
  state.memory = limitMemory();
  state.files = lacks(restrictFiles(readable));
  state.calls = lacks(restrictCalls());
  return state;
}

nlohmann::json toJson(const SandboxState& state) {
  return {{"privileges", state.privileges},
          {"files", state.files},
          {"calls", state.calls},
          {"memory", state.memory},
          {"lacking", state.lacking}};
}

SandboxState sandboxStateOf(const nlohmann::json& told) {
  SandboxState state;
  if (!told.is_object()) return state;
  const auto flag = [&](const char* key) {
    const auto found = told.find(key);
    return found != told.end() && found->is_boolean() && found->get<bool>();
  };
  state.privileges = flag("privileges");
  state.files = flag("files");
  state.calls = flag("calls");
  state.memory = flag("memory");
  if (const auto lacking = told.find("lacking"); lacking != told.end() && lacking->is_string())
    state.lacking = lacking->get<std::string>();
  return state;
}

}  // namespace fusebench
