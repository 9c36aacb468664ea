# Compiling again what was compiled before takes no time: ccache is used where it is installed.
# -DFUSEBENCH_COMPILER_CACHE=OFF compiles everything, for example to time the compiler.
option(FUSEBENCH_COMPILER_CACHE "Compile through ccache where it is found" ON)

# Kernels that the build generates (the CPU's shipped kernels, those of the CUDA double) are kept in one folder per
# user, so that a second build on the same machine reuses them.
if(DEFINED ENV{XDG_CACHE_HOME} AND NOT "$ENV{XDG_CACHE_HOME}" STREQUAL "")
  set(fusebench_user_cache $ENV{XDG_CACHE_HOME})
elseif(DEFINED ENV{HOME})
  set(fusebench_user_cache $ENV{HOME}/.cache)
else()
  set(fusebench_user_cache ${CMAKE_BINARY_DIR}/cache)
endif()
set(FUSEBENCH_BUILD_CACHE ${fusebench_user_cache}/fusebench-build CACHE PATH "Folder that builds on this machine share")

if(FUSEBENCH_COMPILER_CACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(FUSEBENCH_CCACHE ccache)
  if(FUSEBENCH_CCACHE)
    # Paths below the source folder are made relative, so a second checkout hits the cache of the first.
    # Precompiled headers need the four sloppiness flags: https://ccache.dev/manual/4.8.html#_precompiled_headers
    foreach(language C CXX)
      set(CMAKE_${language}_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
          CCACHE_BASEDIR=${CMAKE_SOURCE_DIR} CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=20G
          CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${FUSEBENCH_CCACHE})
    endforeach()
  endif()
endif()
# Without it the compiler's preprocessor expands a precompiled header, and ccache then misses every file that uses one.
if(CMAKE_CXX_COMPILER_LAUNCHER AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-fpch-preprocess)
endif()
