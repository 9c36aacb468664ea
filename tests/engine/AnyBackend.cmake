# Tests that run on whatever makeTestBackend makes, compiled once for every program that runs them:
# tests_on_any_backend for the CPU's, the double's and the GPU's, tests_on_a_machine for the CPU's and
# the GPU's alone, for the double would take too long.
set(engine_tests ${CMAKE_CURRENT_LIST_DIR})
function(fusebench_shared_tests name)
  list(TRANSFORM ARGN PREPEND ${engine_tests}/)
  add_library(${name} OBJECT ${ARGN})
  target_link_libraries(${name} PRIVATE fusebench_engine fusebench_fmt GTest::gtest GTest::gmock)
  target_compile_options(${name} PRIVATE -O1)
  if(FUSEBENCH_SANITIZER)
    fusebench_compile_fast(${name})
  endif()
  target_precompile_headers(${name} PRIVATE <gtest/gtest.h> <gmock/gmock.h>)
endfunction()
set(shared_tests run/executors_test.cpp run/byte_layers_test.cpp run/typed_programs_test.cpp run/replay_test.cpp run/delivery_test.cpp
    run/copies_test.cpp run/views_test.cpp run/making_test.cpp run/writes_test.cpp run/indexing_test.cpp run/orders_test.cpp run/rank_programs_test.cpp run/data_parallel_test.cpp
    support/op_values.cpp support/random_programs.cpp)
fusebench_shared_tests(tests_on_any_backend ${shared_tests})
set(machine_tests run/autocast_test.cpp run/branches_test.cpp run/gradients_test.cpp run/in_place_test.cpp
    run/loss_scaling_test.cpp run/optimizers_test.cpp run/random_programs_test.cpp run/rows_test.cpp run/sunk_kernels_test.cpp
    run/training_test.cpp run/types_test.cpp run/views_random_test.cpp)
fusebench_shared_tests(tests_on_a_machine ${machine_tests})
