# fusebench_embed_library(VARIABLE): appends the library's generated source and that of ATen's table
# to VARIABLE. The order counts: a class comes after the one that it is derived from.
set(fusebench_library_folder ${CMAKE_CURRENT_LIST_DIR})
macro(fusebench_embed_library variable)
  set(fusebench_library iterators own_gradients functions special transforms moves randoms stacks matrices running resampling sampling orders losses modules training layers parametrizations pools einops complex_numbers selections recurrent optimizers scaling loaders aten aten_convolutions aten_normalization aten_pooling aten_recurrent aten_backward)
  list(TRANSFORM fusebench_library REPLACE "(.+)" "${fusebench_library_folder}/\\1.py")
  fusebench_embed(${variable} language_library HEADER engine/language/library.h NAMESPACE fusebench FUNCTION libraryFiles
                  BASE ${fusebench_library_folder} FILES ${fusebench_library})
  cmake_path(GET fusebench_library_folder PARENT_PATH fusebench_language_folder)
  set(fusebench_aten pointwise reductions views indexing making contractions normalization pooling losses recurrent sizes
    backward refused)
  list(TRANSFORM fusebench_aten REPLACE "(.+)" "${fusebench_language_folder}/aten/\\1.txt")
  fusebench_embed(${variable} language_aten HEADER engine/language/aten_table.h NAMESPACE fusebench FUNCTION atenFiles
                  BASE ${fusebench_language_folder}/aten FILES ${fusebench_aten})
  fusebench_embed(${variable} language_torch_names HEADER engine/language/torch_names.h NAMESPACE fusebench FUNCTION torchNameFiles
                  BASE ${fusebench_language_folder} FILES ${fusebench_language_folder}/torch_names.txt)
endmacro()
