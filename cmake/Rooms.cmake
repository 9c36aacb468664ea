# A room is a folder of sources and a target of its own. It uses the rooms that it names and what these use;
# building it fails with a line that says so where one of its files includes any other.

# fusebench_room(TARGET FOLDER [ROOMS target...] [LIBRARIES library...] [GENERATED file...])
# LIBRARIES: what only this room's own files see.
function(fusebench_room target folder)
  cmake_parse_arguments(arg "" "" "ROOMS;LIBRARIES;GENERATED" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cpp ${CMAKE_SOURCE_DIR}/${folder}/*.h)
  add_library(${target} STATIC ${sources} ${arg_GENERATED})
  target_link_libraries(${target} PUBLIC fusebench_compiler_flags ${arg_ROOMS} PRIVATE ${arg_LIBRARIES})
  add_custom_target(${target}_includes DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${target}.includes)
  fusebench_check_includes(${target} ${folder} ${arg_ROOMS})
  add_dependencies(${target} ${target}_includes)
endfunction()

# fusebench_subroom(NAME FOLDER LIBRARY [ROOMS name...]): a room whose files are a part of a larger library, which is
# not built where one of them includes what the room does not use.
function(fusebench_subroom name folder library)
  cmake_parse_arguments(arg "" "" "ROOMS" ${ARGN})
  add_custom_target(${name} DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/${name}.includes)
  fusebench_check_includes(${name} ${folder} ${arg_ROOMS})
  add_dependencies(${library} ${name})
endfunction()

# fusebench_check_includes(TARGET FOLDER room...): how TARGET.includes is made; notes what the target's users may include.
function(fusebench_check_includes target folder)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cpp ${CMAKE_SOURCE_DIR}/${folder}/*.h)
  set(visible ${folder})
  foreach(room IN LISTS ARGN)
    get_target_property(theirs ${room} FUSEBENCH_VISIBLE)
    list(APPEND visible ${theirs})
  endforeach()
  list(REMOVE_DUPLICATES visible)
  set_target_properties(${target} PROPERTIES FUSEBENCH_VISIBLE "${visible}")

  set(stamp ${CMAKE_CURRENT_BINARY_DIR}/${target}.includes)
  list(JOIN visible "," allowed)
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR} -DROOM=${folder} -DALLOWED=${allowed} -DSTAMP=${stamp}
            -P ${CMAKE_SOURCE_DIR}/cmake/CheckIncludes.cmake
    DEPENDS ${sources} ${CMAKE_SOURCE_DIR}/cmake/CheckIncludes.cmake
    COMMENT "" VERBATIM)
endfunction()

# fusebench_rooms(TARGET room...): a name for several rooms.
function(fusebench_rooms target)
  add_library(${target} INTERFACE)
  target_link_libraries(${target} INTERFACE ${ARGN})
  set(visible "")
  foreach(room IN LISTS ARGN)
    get_target_property(theirs ${room} FUSEBENCH_VISIBLE)
    list(APPEND visible ${theirs})
  endforeach()
  list(REMOVE_DUPLICATES visible)
  set_target_properties(${target} PROPERTIES FUSEBENCH_VISIBLE "${visible}")
endfunction()
