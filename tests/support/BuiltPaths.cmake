# The library behind tests/support/built_paths.h: the only tests' file whose command line names this checkout.
add_library(fusebench_built_paths STATIC ${CMAKE_CURRENT_LIST_DIR}/built_paths.cpp)
target_link_libraries(fusebench_built_paths PRIVATE fusebench_compiler_flags)
target_compile_definitions(fusebench_built_paths PRIVATE
  FUSEBENCH_SOURCE_DIR="${CMAKE_SOURCE_DIR}" FUSEBENCH_BINARY_DIR="${CMAKE_BINARY_DIR}")
foreach(pair IN ITEMS "CLI fusebench-cli" "CUDA_DOUBLE fusebench-cuda-double" "CUDA_BROKEN fusebench-cuda-broken"
                      "MPI_RANKS mpi-ranks" "LATE_RANK late-rank"
                      "MARKING_LIBRARY marking-library")
  separate_arguments(pair)
  list(GET pair 0 name)
  list(GET pair 1 target)
  target_compile_definitions(fusebench_built_paths PRIVATE
    FUSEBENCH_${name}="$<$<TARGET_EXISTS:${target}>:$<TARGET_FILE:${target}>>")
endforeach()
