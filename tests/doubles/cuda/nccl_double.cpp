// SPDX-License-Identifier: GPL-3.0-or-later
// NCCL's functions on top of the Machine. The ranks of a communicator can be threads or processes
// and meet at a socket of rank 0. When a collective runs in a rank's stream, that rank waits for
// the others as a GPU would, and rank 0 computes for all of them. The double refuses all calls that
// the library refuses.
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/elements.h"
#include "engine/cuda/library/nccl_abi.h"
#include "tests/doubles/cuda/activity_log.h"
#include "tests/doubles/cuda/driver_call.h"

using namespace fusebench;
using namespace fusebench::cuda;
using namespace fusebench::test;

namespace {

constexpr int kNcclVersion = 29900;   ///< the release it takes itself for: 2.99.0
constexpr int kPatienceSeconds = 60;  ///< after which a rank that was left alone fails
constexpr int kLaunchFailed = 719;

enum class Kind : int { allReduce, broadcast, allGather, reduceScatter };

/// The arguments of a collective on which ranks must agree.
struct Asked {
  Kind kind{};
  int type = 0, how = 0, root = 0;
  std::uint64_t count = 0;
  bool operator==(const Asked&) const = default;
};

struct Comm {
  int rank = 0, size = 1;
  DeviceState* device = nullptr;
  std::vector<int> sockets;  ///< rank 0: to each of the others; else to rank 0 alone
  ~Comm() {
    for (const int socket : sockets) ::close(socket);
  }
};

std::map<const void*, std::shared_ptr<Comm>>& comms() {
  static auto* const kAll = new std::map<const void*, std::shared_ptr<Comm>>;
  return *kAll;
}
std::shared_ptr<Comm> commOf(NcclComm handle) {
  const auto found = comms().find(handle);
  return found == comms().end() ? nullptr : found->second;
}

/// Sockets that rank 0 waits at, by what it calls them.
std::map<std::string, int>& meetings() {
  static auto* const kAll = new std::map<std::string, int>;
  return *kAll;
}

sockaddr_un addressOf(const std::string& name, socklen_t& bytes) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;  // an abstract address without a file: the name begins with a zero
  std::memcpy(address.sun_path + 1, name.c_str(), name.size());
  bytes = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  return address;
}

bool sendAll(int socket, const void* from, std::size_t bytes) {
  const auto* at = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t sent = ::send(socket, at, bytes, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}
bool receiveAll(int socket, void* to, std::size_t bytes) {
  auto* at = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = ::recv(socket, at, bytes, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<std::size_t>(got);
  }
  return true;
}

void setPatience(int socket) {
  const timeval most{kPatienceSeconds, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
}

std::optional<DType> dtypeOf(int type) {
  switch (type) {
    case kNcclInt8:
      return DType::int8;
    case kNcclUint8:
      return DType::uint8;
    case kNcclInt32:
      return DType::int32;
    case kNcclInt64:
      return DType::int64;
    case kNcclFloat16:
      return DType::float16;
    case kNcclFloat32:
      return DType::float32;
    case kNcclFloat64:
      return DType::float64;
    case kNcclBfloat16:
      return DType::bfloat16;
    default:
      return std::nullopt;
  }
}

template <class Value>
Value combined(Value a, Value b, int how) {
  switch (how) {
    case kNcclProduct:
      return a * b;
    case kNcclMax:
      return std::max(a, b);
    case kNcclMin:
      return std::min(a, b);
    default:
      return a + b;
  }
}

/// Combines the elements of all ranks; their operands are stored one after another.
std::vector<std::byte> combinedOf(const std::vector<std::byte>& all, std::size_t elements,
                                  DType dtype, int how, int ranks) {
  const std::size_t size = info(dtype).size;
  std::vector<std::byte> made(elements * size);
  const auto combine = [&](auto load, auto one) {
    using Value = decltype(one);
    for (std::size_t i = 0; i < elements; ++i) {
      Value value = load(&all[i * size], dtype);
      for (int r = 1; r < ranks; ++r)
        value = combined(
            value, load(&all[(static_cast<std::size_t>(r) * elements + i) * size], dtype), how);
      if (how == kNcclAverage) value /= static_cast<Value>(ranks);
      storeElement(&made[i * size], dtype, value);
    }
  };
  if (isFloat(dtype))
    combine(loadElement, double{});
  else
    combine(loadInteger, std::int64_t{});
  return made;
}

/// The result of rank `rank`, given the operands of all ranks.
std::vector<std::byte> resultOf(const Asked& asked, const std::vector<std::byte>& all, int rank,
                                int ranks) {
  const DType dtype = *dtypeOf(asked.type);
  const std::size_t own = all.size() / static_cast<std::size_t>(ranks);
  const auto part = [](const std::vector<std::byte>& of, std::size_t begin, std::size_t bytes) {
    return std::vector<std::byte>(of.begin() + static_cast<std::ptrdiff_t>(begin),
                                  of.begin() + static_cast<std::ptrdiff_t>(begin + bytes));
  };
  switch (asked.kind) {
    case Kind::broadcast:
      return part(all, static_cast<std::size_t>(asked.root) * own, own);
    case Kind::allGather:
      return all;
    case Kind::allReduce:
      return combinedOf(all, asked.count, dtype, asked.how, ranks);
    case Kind::reduceScatter:
      break;
  }
  const std::size_t bytes = asked.count * info(dtype).size;
  return part(
      combinedOf(all, asked.count * static_cast<std::size_t>(ranks), dtype, asked.how, ranks),
      static_cast<std::size_t>(rank) * bytes, bytes);
}

/// Runs a collective with the other ranks. False: the ranks do not agree, or one is gone.
bool exchange(const Comm& comm, const Asked& asked, const std::vector<std::byte>& given,
              std::vector<std::byte>& got) {
  if (comm.rank != 0) {
    const int hub = comm.sockets.front();
    std::uint64_t bytes = 0;
    if (!sendAll(hub, &asked, sizeof asked) || !sendAll(hub, given.data(), given.size()) ||
        !receiveAll(hub, &bytes, sizeof bytes))
      return false;
    got.resize(bytes);
    return bytes > 0 && receiveAll(hub, got.data(), bytes);
  }
  std::vector<std::byte> all = given;
  bool agreed = true;
  for (const int socket : comm.sockets) {
    Asked theirs;
    if (!receiveAll(socket, &theirs, sizeof theirs)) return false;
    agreed = agreed && theirs == asked;
    if (!agreed) break;
    all.resize(all.size() + given.size());
    if (!receiveAll(socket, &all[all.size() - given.size()], given.size())) return false;
  }
  for (std::size_t r = 1; r <= comm.sockets.size(); ++r) {
    const std::vector<std::byte> part =
        agreed ? resultOf(asked, all, static_cast<int>(r), comm.size) : std::vector<std::byte>();
    const std::uint64_t bytes = part.size();
    if (!sendAll(comm.sockets[r - 1], &bytes, sizeof bytes) ||
        !sendAll(comm.sockets[r - 1], part.data(), part.size()))
      return false;
  }
  if (agreed) got = resultOf(asked, all, 0, comm.size);
  return agreed;
}

/// Runs in a rank's stream. Others of this process may use the machine while this one waits.
void runCollective(DeviceState& device, const Comm& comm, const Asked& asked, const void* from,
                   std::size_t bytes, void* to) {
  const auto* const begin = static_cast<const std::byte*>(from);
  const std::vector<std::byte> given(begin, begin + bytes);
  std::vector<std::byte> got;
  std::recursive_mutex& mutex = Machine::get().mutex;
  mutex.unlock();
  const bool done = exchange(comm, asked, given, got);
  mutex.lock();
  if (done)
    std::memcpy(to, got.data(), got.size());
  else
    device.poison = kLaunchFailed;
}

FunctionState& kernelOf(Kind kind) {
  static constexpr const char* kNames[] = {
      "ncclDevKernel_AllReduce_double", "ncclDevKernel_Broadcast_double",
      "ncclDevKernel_AllGather_double", "ncclDevKernel_ReduceScatter_double"};
  static auto* const kAll = [] {
    auto* const made = new std::array<FunctionState, 4>;
    for (std::size_t i = 0; i < made->size(); ++i) (*made)[i].name = kNames[i];
    return made;
  }();
  return (*kAll)[static_cast<std::size_t>(kind)];
}

NcclResult enqueue(const Asked& asked, const void* from, void* to, NcclComm handle, Stream stream) {
  Call call;
  const LoggedCall logged(kCallLaunchKernel);
  const auto refused = [&](NcclResult result) {
    static_cast<void>(logged(1));
    return result;
  };
  const std::shared_ptr<Comm> comm = commOf(handle);
  const auto dtype = dtypeOf(asked.type);
  if (!comm || !dtype || asked.how < kNcclSum || asked.how > kNcclAverage || asked.root < 0 ||
      asked.root >= (comm ? comm->size : 0))
    return refused(kNcclInvalidArgument);
  StreamState* const queue = call.stream(stream);
  if (call.result) return refused(kNcclCudaError);
  if (queue->device != comm->device) return refused(kNcclInvalidUsage);
  if (call.machine.strikes(&DoubleFaults::collective))
    return refused(call.machine.control.faults.collectiveResult);
  if (asked.count == 0) return refused(kNcclSuccess);
  const std::size_t own = asked.count * info(*dtype).size,
                    all = own * static_cast<std::size_t>(comm->size),
                    given = asked.kind == Kind::reduceScatter ? all : own,
                    wanted = asked.kind == Kind::allGather ? all : own;
  const auto inside = [&](const void* at, std::size_t bytes) {
    return at && call.machine.inDeviceMemory(reinterpret_cast<std::uintptr_t>(at), bytes);
  };
  if (!inside(from, given) || !inside(to, wanted)) return refused(kNcclInvalidArgument);
  KernelWork kernel{&kernelOf(asked.kind), 1, 1, 1, 1, {}};
  kernel.library = [=](DeviceState& device) {
    runCollective(device, *comm, asked, from, given, to);
  };
  kernel.nanoseconds = call.machine.control.costs.collective;
  ++call.machine.control.counts.collectives;
  return logged(call.machine.enqueueKernel(*queue, std::move(kernel))) == 0 ? kNcclSuccess
                                                                            : kNcclCudaError;
}

/// Who asks to be a member.
struct Member {
  int rank = 0, size = 0, device = 0;
};

NcclResult gather(Comm& comm, const std::string& name, const Member& own) {
  if (own.rank == 0) {
    const auto meeting = meetings().find(name);
    if (meeting == meetings().end()) return kNcclInvalidArgument;
    const int listener = meeting->second;
    meetings().erase(meeting);
    std::vector<Member> members{own};
    std::vector<int> sockets(static_cast<std::size_t>(own.size - 1), -1);
    bool fits = true;
    const bool shared = environmentNumber("NCCL_MULTI_RANK_GPU_ENABLE", 0) == 1 &&
                        environmentNumber("FUSEBENCH_DOUBLE_NCCL", kNcclVersion) >= 23000;
    while (members.size() < static_cast<std::size_t>(own.size)) {
      const int socket = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
      Member member;
      if (socket < 0 || !receiveAll(socket, &member, sizeof member)) {
        fits = false;
        break;
      }
      setPatience(socket);
      // One GPU is one rank's, unless that is asked for.
      for (const Member& other : members)
        fits = fits && (shared || other.device != member.device) && other.rank != member.rank;
      fits = fits && member.size == own.size && member.rank > 0 && member.rank < own.size;
      members.push_back(member);
      comm.sockets.push_back(socket);
      if (fits) sockets[static_cast<std::size_t>(member.rank - 1)] = socket;
    }
    ::close(listener);
    const NcclResult result = fits ? kNcclSuccess : kNcclInvalidUsage;
    for (const int socket : comm.sockets) sendAll(socket, &result, sizeof result);
    if (fits) comm.sockets = sockets;
    return result;
  }
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  comm.sockets.push_back(socket);
  setPatience(socket);
  socklen_t bytes = 0;
  const sockaddr_un address = addressOf(name, bytes);
  NcclResult result = kNcclSystemError;
  if (::connect(socket, reinterpret_cast<const sockaddr*>(&address), bytes) != 0 ||
      !sendAll(socket, &own, sizeof own) || !receiveAll(socket, &result, sizeof result))
    return kNcclSystemError;
  return result;
}

}  // namespace

EXPORTED NcclResult ncclGetVersion(int* version) {
  *version = environmentNumber("FUSEBENCH_DOUBLE_NCCL", kNcclVersion);
  return kNcclSuccess;
}
EXPORTED const char* ncclGetErrorString(NcclResult result) {
  switch (result) {
    case kNcclSuccess:
      return "no error";
    case kNcclCudaError:
      return "unhandled cuda error (run with NCCL_DEBUG=INFO for details)";
    case kNcclSystemError:
      return "unhandled system error (run with NCCL_DEBUG=INFO for details)";
    case kNcclInternalError:
      return "internal error - please report this issue to the NCCL developers";
    case kNcclInvalidArgument:
      return "invalid argument (run with NCCL_DEBUG=WARN for details)";
    case kNcclInvalidUsage:
      return "invalid usage (run with NCCL_DEBUG=WARN for details)";
    case kNcclRemoteError:
      return "remote process exited or there was a network error";
    default:
      return "unknown result code";
  }
}

EXPORTED NcclResult ncclGetUniqueId(NcclId* id) {
  if (!id) return kNcclInvalidArgument;
  static std::atomic<int> number = 0;
  char name[64];
  std::snprintf(name, sizeof name, "fusebench-nccl-double-%d-%d", ::getpid(), ++number);
  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  setPatience(listener);
  socklen_t bytes = 0;
  const sockaddr_un address = addressOf(name, bytes);
  if (::bind(listener, reinterpret_cast<const sockaddr*>(&address), bytes) != 0 ||
      ::listen(listener, SOMAXCONN) != 0) {
    ::close(listener);
    return kNcclSystemError;
  }
  const std::lock_guard lock(Machine::get().mutex);
  meetings()[name] = listener;
  std::memset(id->bytes, 0, sizeof id->bytes);
  std::memcpy(id->bytes, name, std::strlen(name));
  return kNcclSuccess;
}

EXPORTED NcclResult ncclCommInitRank(NcclComm* handle, int size, NcclId id, int rank) {
  auto comm = std::make_shared<Comm>();
  {
    Call call;
    if (!handle || size < 1 || rank < 0 || rank >= size) return kNcclInvalidArgument;
    // It takes memory, which a capture forbids.
    if (call.result || call.machine.forbiddenByCapture()) return kNcclCudaError;
    comm->device = Machine::current();
    if (const int result = call.machine.control.faults.ncclInit) return result;
  }
  comm->rank = rank;
  comm->size = size;
  const NcclResult result =
      gather(*comm, std::string(id.bytes), {rank, size, comm->device->number});
  if (result != kNcclSuccess) return result;
  const std::lock_guard lock(Machine::get().mutex);
  *handle = reinterpret_cast<NcclComm>(comm.get());
  ++Machine::get().libraryObjects;
  comms().emplace(comm.get(), std::move(comm));
  return kNcclSuccess;
}
EXPORTED NcclResult ncclCommAbort(NcclComm handle) {
  const std::lock_guard lock(Machine::get().mutex);
  if (comms().erase(handle) == 0) return kNcclInvalidArgument;
  --Machine::get().libraryObjects;
  return kNcclSuccess;
}

EXPORTED NcclResult ncclAllReduce(const void* from, void* to, std::size_t count, int type, int how,
                                  NcclComm comm, Stream stream) {
  return enqueue({Kind::allReduce, type, how, 0, count}, from, to, comm, stream);
}
EXPORTED NcclResult ncclBroadcast(const void* from, void* to, std::size_t count, int type, int root,
                                  NcclComm comm, Stream stream) {
  return enqueue({Kind::broadcast, type, 0, root, count}, from, to, comm, stream);
}
EXPORTED NcclResult ncclAllGather(const void* from, void* to, std::size_t count, int type,
                                  NcclComm comm, Stream stream) {
  return enqueue({Kind::allGather, type, 0, 0, count}, from, to, comm, stream);
}
EXPORTED NcclResult ncclReduceScatter(const void* from, void* to, std::size_t count, int type,
                                      int how, NcclComm comm, Stream stream) {
  return enqueue({Kind::reduceScatter, type, how, 0, count}, from, to, comm, stream);
}
