# Files that are part of the program, so that a copied executable needs no other file.

# fusebench_embed(VARIABLE NAME HEADER header NAMESPACE namespace FUNCTION function BASE folder FILES file... [BINARY])
# writes NAME.cpp into the build folder and appends it to VARIABLE, a room's GENERATED files. It defines
#   std::span<const EmbeddedFile> namespace::function();
# which HEADER declares: FILES in the order given, named relative to BASE. Texts are read when the build is configured,
# again when one changes, and are found by the compiler's cache; BINARY files are read by the assembler.
function(fusebench_embed variable name)
  cmake_parse_arguments(arg "BINARY" "HEADER;NAMESPACE;FUNCTION;BASE" "FILES" ${ARGN})
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH root)
  set(symbols "")
  set(rows "")
  foreach(file IN LISTS arg_FILES)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${arg_BASE} OUTPUT_VARIABLE shown)
    if(arg_BINARY)
      string(MAKE_C_IDENTIFIER "fusebench_${arg_FUNCTION}_${shown}" symbol)
      string(APPEND symbols
        "asm(\".pushsection .rodata\\n.global ${symbol}, ${symbol}_end\\n"
        "${symbol}: .incbin \\\"${file}\\\"\\n${symbol}_end:\\n.popsection\");\n"
        "extern \"C\" const char ${symbol}[], ${symbol}_end[];\n")
      string(APPEND rows "    {\"${shown}\", {${symbol}, static_cast<std::size_t>(${symbol}_end - ${symbol})}},\n")
    else()
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
      file(READ ${file} text)
      string(FIND "${text}" ")embedded\"" closing)
      if(NOT closing EQUAL -1)
        message(FATAL_ERROR "${file} holds the text that ends an embedded file: )embedded\"")
      endif()
      string(APPEND rows "    {\"${shown}\", R\"embedded(${text})embedded\"sv},\n")
    endif()
  endforeach()
  cmake_path(ABSOLUTE_PATH arg_BASE NORMALIZE)
  cmake_path(RELATIVE_PATH arg_BASE BASE_DIRECTORY ${root} OUTPUT_VARIABLE folder)
  # A std::array takes no rows at all, too. Views count no letters: a catalogue has more than a compiler counts.
  list(LENGTH arg_FILES count)
  set(embedded_symbols "${symbols}")
  set(embedded_rows "${rows}")
  file(CONFIGURE OUTPUT ${name}.cpp @ONLY CONTENT [=[
// SPDX-License-Identifier: GPL-3.0-or-later
// Generated from the folder @folder@.
#include <array>

#include "@arg_HEADER@"

namespace @arg_NAMESPACE@ {
namespace {
using namespace std::string_view_literals;
@embedded_symbols@}  // namespace

std::span<const EmbeddedFile> @arg_FUNCTION@() {
  static const std::array<EmbeddedFile, @count@> files{{
@embedded_rows@  }};
  return files;
}

}  // namespace @arg_NAMESPACE@
]=])
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  set_source_files_properties(${generated} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(arg_BINARY)
    set_source_files_properties(${generated} PROPERTIES OBJECT_DEPENDS "${arg_FILES}")
  endif()
  set(${variable} ${${variable}} ${generated} PARENT_SCOPE)
endfunction()
