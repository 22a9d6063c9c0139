# src/modules/list.txt as C++: whatever needs a list of modules includes what is made here.
#   modules/list_rows.hpp     formats, record views and tables, in order of id
#   modules/list_slots.hpp    where a file keeps its record of each module, and how many modules observe
#   modules/capture_rows.hpp  hooks and imports of the modules that observe
# Also as a script: cmake -DMODULES=src/modules -DOUT=folder -P TrikalModules.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  cmake_minimum_required(VERSION 3.25)
endif()

# "object_store" -> "ObjectStore"
function(trikal_camel_case text out)
  string(REGEX MATCHALL "[a-z0-9]+" parts "${text}")
  set(camel "")
  foreach(part ${parts})
    string(SUBSTRING ${part} 0 1 first)
    string(SUBSTRING ${part} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND camel ${first}${rest})
  endforeach()
  set(${out} ${camel} PARENT_SCOPE)
endfunction()

# That of a folder; the template's is no word of C++.
function(trikal_namespace folder out)
  string(REGEX REPLACE "^_(.*)$" "\\1_module" space ${folder})
  set(${out} ${space} PARENT_SCOPE)
endfunction()

# Appends a line to `rows`: the address of `constant` where the folder has a header of that name, and its include to `includes`.
function(trikal_module_part modules folder header constant includes rows)
  set(value nullptr)
  if(EXISTS ${modules}/${folder}/${header}.hpp)
    trikal_namespace(${folder} space)
    set(value "&modules::${space}::${constant}")
    set(${includes} "${${includes}}#include \"modules/${folder}/${header}.hpp\"\n" PARENT_SCOPE)
  endif()
  set(${rows} "${${rows}}    ${value},\n" PARENT_SCOPE)
endfunction()

# Writes the three headers below `out`/modules; lines behind `out` are taken as if they were in the list. Sets in the caller:
# trikal_modules (folders, in order) and trikal_observers (those that observe).
function(trikal_module_list modules out)
  file(STRINGS ${modules}/list.txt lines REGEX "^[a-z]")
  list(APPEND lines ${ARGN})
  set(rows_includes "")
  set(capture_includes "")
  foreach(rows formats record_views tables hooks imports slots)
    set(${rows} "")
  endforeach()
  set(folders "")
  set(observers "")
  set(import_count 0)
  foreach(line ${lines})
    string(REGEX REPLACE "[ \t]+" ";" words "${line}")
    list(POP_FRONT words folder)
    if(NOT EXISTS ${modules}/${folder}/format.hpp)
      message(FATAL_ERROR "src/modules/list.txt: ${folder} has no format.hpp")
    endif()
    list(APPEND folders ${folder})
    trikal_namespace(${folder} space)
    trikal_module_part(${modules} ${folder} format kFormat rows_includes formats)
    trikal_module_part(${modules} ${folder} record_view kRecordView rows_includes record_views)
    trikal_module_part(${modules} ${folder} tables kTables rows_includes tables)
    if(NOT EXISTS ${modules}/${folder}/capture.hpp)
      if(words)
        message(FATAL_ERROR "src/modules/list.txt: ${folder} has no capture.hpp, so it keeps nothing with a file")
      endif()
      continue()
    endif()
    list(APPEND observers ${folder})
    string(APPEND capture_includes "#include \"modules/${folder}/capture.hpp\"\n")
    string(APPEND hooks "    modules::${space}::kHooks,\n")
    if(EXISTS ${modules}/${folder}/imports.hpp)
      string(APPEND capture_includes "#include \"modules/${folder}/imports.hpp\"\n")
      string(APPEND imports "    modules::${space}::kImports,\n")
      math(EXPR import_count "${import_count} + 1")
    endif()
    trikal_camel_case(${folder} module_name)
    foreach(slot ${words})
      set(suffix "")
      if(NOT slot STREQUAL "file")
        trikal_camel_case(${slot} suffix)
      endif()
      string(APPEND slots "  k${module_name}${suffix}Slot,\n")
    endforeach()
  endforeach()
  list(LENGTH observers observer_count)
  set(head "#pragma once\n// Made from src/modules/list.txt.\n\n")
  file(CONFIGURE OUTPUT ${out}/modules/list_rows.hpp @ONLY CONTENT "@head@@rows_includes@
namespace trikal {

// In order of module id; null where a module has none.
inline constexpr const ModuleFormat* kListedFormats[] = {
@formats@};
inline constexpr const RecordView* kListedRecordViews[] = {
@record_views@};
inline constexpr const ModuleTables* kListedTables[] = {
@tables@};

}  // namespace trikal
")
  file(CONFIGURE OUTPUT ${out}/modules/list_slots.hpp @ONLY CONTENT "@head@#include <cstddef>
#include <cstdint>

namespace trikal::capture {

// Where a file keeps its record of each module (capture/tables/files.hpp).
enum ModuleSlot : std::uint8_t {
@slots@  kModuleSlotCount,
};
inline constexpr std::size_t kObservingModules = @observer_count@;
inline constexpr std::size_t kImportedLibraries = @import_count@;

}  // namespace trikal::capture
")
  file(CONFIGURE OUTPUT ${out}/modules/capture_rows.hpp @ONLY CONTENT "@head@#include <array>

@capture_includes@
namespace trikal::capture {

inline constexpr std::array kListedHooks = {
@hooks@};
inline constexpr std::array kListedImports = {
@imports@};

}  // namespace trikal::capture
")
  set(trikal_modules ${folders} PARENT_SCOPE)
  set(trikal_observers ${observers} PARENT_SCOPE)
endfunction()

if(CMAKE_SCRIPT_MODE_FILE)
  trikal_module_list(${MODULES} ${OUT})
  return()
endif()

set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${PROJECT_SOURCE_DIR}/src/modules/list.txt)
# Looked at again when a module gains or loses one of these.
file(GLOB module_parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/modules/*/*.hpp)
set(TRIKAL_GENERATED ${PROJECT_BINARY_DIR}/generated)
# With the template in it, for tests of the template and of what holds for every module that Darshan does not know.
set(TRIKAL_GENERATED_SAMPLE ${PROJECT_BINARY_DIR}/generated-sample)
trikal_module_list(${PROJECT_SOURCE_DIR}/src/modules ${TRIKAL_GENERATED_SAMPLE} "_template file")
trikal_module_list(${PROJECT_SOURCE_DIR}/src/modules ${TRIKAL_GENERATED})

# trikal_observer_files(OUT PATTERN): files of that name of all modules that observe.
function(trikal_observer_files out pattern)
  set(found "")
  foreach(folder ${trikal_observers})
    file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/modules/${folder}/${pattern})
    list(APPEND found ${files})
  endforeach()
  list(FILTER found EXCLUDE REGEX "_test\\.cpp$")
  set(${out} ${found} PARENT_SCOPE)
endfunction()
