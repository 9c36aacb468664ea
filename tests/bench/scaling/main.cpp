// SPDX-License-Identifier: GPL-3.0-or-later
// How the time to read a trace grows with each thing that a file may hold any number of:
//   build/release/bin/trace-scaling [LARGEST]        1,000,000 if not given
// A table of processor times, and the exponent over the last tenfold: 1 is linear. Near 2 a file
// can hang its reader.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "profiler/files/files.h"
#include "profiler/trace/trace_import.h"
#include "profiler/trace/trace_parts.h"
#include "profiler/trace/trace_report.h"
#include "tests/temporary_folder.h"

namespace fusebench {
namespace {

constexpr int kSmallest = 1'000;

/// A Chrome trace of what `event` gives for each number.
std::string chrome(int count, const std::function<std::string(int)>& event) {
  std::string text = "{\"traceEvents\":[";
  for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ",\n") + event(i);
  return text + "]}";
}

std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}
std::string number(std::uint32_t field, std::uint64_t value) {
  return varint(std::uint64_t{field} << 3) + varint(value);
}
std::string message(std::uint32_t field, const std::string& bytes) {
  return varint(std::uint64_t{field} << 3 | 2) + varint(bytes.size()) + bytes;
}

/// Slices of a Perfetto trace, each on a track of its own, which names its process only by number.
std::string perfettoTracks(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    const auto track = static_cast<std::uint64_t>(i) + 1;
    const std::string thread = number(1, track) + number(2, track);
    text += message(1, message(60, number(1, track) + message(4, thread)));
    for (const std::uint64_t type : {1, 2})
      text += message(1, number(8, track * 10 + type) +
                             message(11, number(9, type) + number(11, track) + message(23, "x")));
  }
  return text;
}

struct Countable {
  const char* name;
  std::string (*file)(int count);
};

const Countable kCountable[] = {
    {"threads",
     [](int count) {
       return chrome(count, [](int i) {
         return fmt::format(R"({{"ph":"X","name":"a","pid":1,"tid":{},"ts":{},"dur":1}})", i, i);
       });
     }},
    {"processes",
     [](int count) {
       return chrome(count, [](int i) {
         return fmt::format(
             R"({{"ph":"M","name":"process_name","pid":{0},"args":{{"name":"p{0}"}}}},)"
             R"({{"ph":"X","name":"a","pid":{0},"tid":1,"ts":{0},"dur":1}})",
             i);
       });
     }},
    {"devices",
     [](int count) {
       return chrome(count, [](int i) {
         return fmt::format(
             R"({{"ph":"X","cat":"kernel","name":"k","pid":{0},"tid":7,"ts":{0},"dur":1}})", i);
       });
     }},
    {"names",
     [](int count) {
       return chrome(count, [](int i) {
         return fmt::format(
             R"({{"ph":"X","cat":"kernel","name":"k{0}","pid":1,"tid":7,"ts":{0},"dur":1}})", i);
       });
     }},
    {"names of threads",
     [](int count) {
       return chrome(count, [](int i) {
         return fmt::format(
             R"({{"ph":"M","name":"thread_name","pid":1,"tid":{0},"args":{{"name":"Stream {0}"}}}},)"
             R"({{"ph":"X","name":"a","pid":1,"tid":{0},"ts":{0},"dur":1}})",
             i);
       });
     }},
    {"flows",
     [](int count) {
       return chrome(count, [](int i) {
         return fmt::format(
             R"({{"ph":"X","cat":"cuda_runtime","name":"l","pid":1,"tid":1,"ts":{0},"dur":1}},)"
             R"({{"ph":"s","id":{0},"name":"f","cat":"f","pid":1,"tid":1,"ts":{0}}},)"
             R"({{"ph":"f","id":{0},"name":"f","cat":"f","pid":2,"tid":7,"ts":{0},"bp":"e"}},)"
             R"({{"ph":"X","cat":"kernel","name":"k","pid":2,"tid":7,"ts":{0},"dur":1}})",
             2 * i);
       });
     }},
    {"correlations",
     [](int count) {
       return chrome(count, [](int i) {
         return fmt::format(
             R"({{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":{0},"dur":1,"args":{{"correlation":{1}}}}},)"
             R"({{"ph":"X","cat":"kernel","name":"k","pid":2,"tid":7,"ts":{0},"dur":1,"args":{{"correlation":{1}}}}})",
             2 * i, i + 1);
       });
     }},
    {"one correlation",
     [](int count) {
       return chrome(count, [](int i) {
         return fmt::format(
             R"({{"ph":"X","cat":"cuda_runtime","name":"cudaGraphLaunch","pid":{1},"tid":1,"ts":{0},"dur":1,"args":{{"correlation":5}}}},)"
             R"({{"ph":"X","cat":"kernel","name":"k","pid":2,"tid":7,"ts":{0},"dur":1,"args":{{"correlation":5}}}})",
             2 * i, 10 + i % 100);
       });
     }},
    {"counters",
     [](int count) {
       return chrome(count + 1, [](int i) {
         if (i == 0) return std::string(R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":9})");
         return fmt::format(R"({{"ph":"C","name":"c{0}","pid":1,"ts":{0},"args":{{"v":{0}}}}})", i);
       });
     }},
    {"nested spans",
     [](int count) {
       return chrome(count, [count](int i) {
         return fmt::format(R"({{"ph":"X","name":"n","pid":1,"tid":1,"ts":{},"dur":{}}})", i,
                            2 * (count - i));
       });
     }},
    {"overlapping spans",
     [](int count) {
       return chrome(count, [count](int i) {
         return fmt::format(
             R"({{"ph":"X","cat":"user_annotation","name":"n","pid":1,"tid":1,"ts":{},"dur":{}}})",
             i, count);
       });
     }},
    {"begins without end",
     [](int count) {
       return chrome(count + 1, [](int i) {
         if (i == 0) return std::string(R"({"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":9})");
         return fmt::format(R"({{"ph":"B","name":"b","pid":1,"tid":1,"ts":{}}})", i);
       });
     }},
    {"runs of kernels",
     [](int count) {
       return chrome(count, [](int i) {
         return fmt::format(
             R"({{"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":{0},"dur":5,"args":{{"correlation":{1}}}}},)"
             R"({{"ph":"X","cat":"kernel","name":"k{2}","pid":2,"tid":7,"ts":{3},"dur":1,"args":{{"correlation":{1}}}}})",
             10 * i, i + 1, i % 97, 10 * i + 6);
       });
     }},
    {"tracks (Perfetto)", perfettoTracks},
    {"GPU queues (Perfetto)",
     [](int count) {
       std::string text;
       for (int i = 0; i < count; ++i) {
         const auto at = static_cast<std::uint64_t>(i) + 1;
         text += message(1, number(8, at * 10) +
                                message(53, number(2, 5) + number(13, at) + number(11, at % 7)));
       }
       return text;
     }},
};

/// Seconds of processor time, which other programs do not change.
double secondsToRead(const std::string& path) {
  const std::clock_t begin = std::clock();
  try {
    for (const auto& part : partsOf(importTrace(path))) reportOf(part, "trace");
  } catch (const std::exception& error) {
    fmt::print("    ({})\n", error.what());
  }
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

int scaling(int largest) {
  const test::TemporaryFolder folder;
  fmt::print("{:<24}", "seconds for");
  for (int count = kSmallest; count <= largest; count *= 10) fmt::print("{:>12}", count);
  fmt::print("{:>10}{:>14}\n", "exponent", "seconds/MB");
  for (const Countable& one : kCountable) {
    fmt::print("{:<24}", one.name);
    double before = 0, seconds = 0, megabytes = 0;
    for (int count = kSmallest; count <= largest; count *= 10) {
      const std::string text = one.file(count);
      megabytes = static_cast<double>(text.size()) / 1e6;
      writeFile(folder.path("trace"), text);
      before = seconds;
      seconds = secondsToRead(folder.path("trace"));
      fmt::print("{:>12.3f}", seconds);
      std::fflush(stdout);
    }
    fmt::print("{:>10.2f}{:>14.3f}\n", before > 0 ? std::log10(seconds / before) : 0,
               megabytes > 0 ? seconds / megabytes : 0);
  }
  return 0;
}

}  // namespace
}  // namespace fusebench

int main(int argc, char** argv) {
  return fusebench::scaling(argc > 1 ? std::max(fusebench::kSmallest, std::atoi(argv[1]))
                                     : 1'000'000);
}
