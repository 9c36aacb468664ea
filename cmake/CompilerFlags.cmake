# What every target of the project shares: language level, warnings, sanitizers, include root.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

add_library(fusebench_compiler_flags INTERFACE)
target_include_directories(fusebench_compiler_flags INTERFACE ${CMAKE_SOURCE_DIR})
target_compile_options(fusebench_compiler_flags INTERFACE
  -Wall -Wextra -Wconversion -Wshadow -Wnon-virtual-dtor -Werror
  # g++ 12 reports these wrongly for "text" + std::string and for = "t" (its bug 105329).
  -Wno-restrict -Wno-stringop-overflow)
# Bit-exact agreement between executors forbids contraction in host code, too.
target_compile_options(fusebench_compiler_flags INTERFACE -ffp-contract=off -ffunction-sections -fdata-sections)
target_compile_definitions(fusebench_compiler_flags INTERFACE FUSEBENCH_VERSION="${PROJECT_VERSION}")

# g++ 12 under sanitizers wrongly reports members of std::regex and std::optional as uninitialized.
if(FUSEBENCH_SANITIZER)
  target_compile_options(fusebench_compiler_flags INTERFACE -Wno-maybe-uninitialized)
endif()
# For targets that do not compute: without optimization they compile twice as fast under sanitizers, and test programs
# do so always. Tests themselves are not checked for undefined behavior, which would take half of their compile time.
# The engine's code that computes is optimized under sanitizers, too.
function(fusebench_compile_fast)
  foreach(target ${ARGN})
    get_target_property(type ${target} TYPE)
    if(FUSEBENCH_SANITIZER OR (type STREQUAL EXECUTABLE AND target MATCHES "tests$"))
      target_compile_options(${target} PRIVATE -O0)
    endif()
    if(FUSEBENCH_SANITIZER STREQUAL "address" AND target MATCHES "^tests|tests$")
      target_compile_options(${target} PRIVATE -fno-sanitize=undefined)
    endif()
  endforeach()
endfunction()

# Code that waits for people, files or other processes: -O1 in Release halves the time to compile it.
function(fusebench_optimize_little)
  foreach(target ${ARGN})
    target_compile_options(${target} PRIVATE "$<$<CONFIG:Release>:-O1>")
  endforeach()
endfunction()
# -O3 for files of such a target that loop over millions of elements. g++ 12 crashes on a header precompiled with -O1.
function(fusebench_optimize_fully)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3>"
                              SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endfunction()

if(FUSEBENCH_SANITIZER STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
elseif(FUSEBENCH_SANITIZER STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
elseif(FUSEBENCH_SANITIZER)
  message(FATAL_ERROR "FUSEBENCH_SANITIZER is '${FUSEBENCH_SANITIZER}': address, thread or empty")
endif()

# g++ collects garbage less often: this saves a tenth of its time and takes about 200 MB more per file.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(--param=ggc-min-expand=400 --param=ggc-min-heapsize=2000000)
endif()

# Two builds of one commit are the same bytes, wherever they were made.
if(FUSEBENCH_PACKAGED)
  add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=. -ffile-prefix-map=${CMAKE_BINARY_DIR}=.)
endif()

# CMake's own build RUNPATH ends with an empty element, which means the current folder: a file libcuda.so.1 in a
# downloaded folder would be loaded from there. The folders of what is linked are written out, or none at all where
# every library is in a folder of the system.
if(FUSEBENCH_PACKAGED OR (FUSEBENCH_PORTABLE AND NOT FUSEBENCH_WHEEL))
  set(CMAKE_SKIP_RPATH ON)
else()
  set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
  set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
endif()

# Machine code is kept on disk for the very build that made it, which this tells apart.
add_link_options(LINKER:--build-id)
