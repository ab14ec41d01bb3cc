# The house rules of the build, in one place: how a library, a tool or a unit
# test of Formwork is declared, which layer it belongs to, and what that layer
# may depend on. A link or an include that goes up a layer fails the build.

include_guard(GLOBAL)

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # What ccache needs to know to cache with a precompiled header.
  set(launcher ${CMAKE_COMMAND} -E env
    CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
    CCACHE_PCH_EXTSUM=1 ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()

# Lowest first; a layer may depend on itself and on what stands before it.
set(FORMWORK_LAYERS engine normalforms verifier transforms tools)
# The folders of a layer in the same order, where it has an order; "." are the
# files that are in none.
set(FORMWORK_ROOMS_verifier target source solver payload state parameters . trials
  spaces step findings clauses models walk plan report solving)
# The abstract state knows of payload only what verifier/payload says.
set(FORMWORK_PLAIN_ROOM_verifier state)

# Everything that every target of ours shares: language flags, the include
# root, MLIR's headers as system headers, the shared libraries.
add_library(FormworkBase INTERFACE)
target_include_directories(FormworkBase INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/formwork>)
target_include_directories(FormworkBase SYSTEM INTERFACE
  ${MLIR_INCLUDE_DIRS} ${LLVM_INCLUDE_DIRS})
# Without NDEBUG, no extension of the Transform dialect links to MLIR's library.
target_compile_definitions(FormworkBase INTERFACE
  NDEBUG $<BUILD_INTERFACE:FORMWORK_VERSION="${PROJECT_VERSION}">
  $<$<BOOL:${FORMWORK_ENABLE_ASSERTIONS}>:FORMWORK_ENABLE_ASSERTIONS>)
# How we compile is not how those have to who use what is installed.
add_library(FormworkOwnOptions INTERFACE)
target_link_libraries(FormworkBase INTERFACE
  $<BUILD_INTERFACE:FormworkOwnOptions>)
target_compile_options(FormworkOwnOptions INTERFACE
  -Wall -Wextra -Werror -Wno-unused-parameter
  # What a check does calls MLIR's library all the time: straight through the
  # table of addresses, it takes three to five percent less. Of other layers,
  # that would only make each start look up more addresses.
  $<$<IN_LIST:$<TARGET_PROPERTY:FORMWORK_LAYER>,normalforms$<SEMICOLON>verifier>:-fno-plt>
  # libstdc++ 12's own std::stable_sort is marked so.
  -Wno-deprecated-declarations
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>
  $<$<COMPILE_LANGUAGE:CXX>:-Xclang$<SEMICOLON>-fno-pch-timestamp>)
target_link_options(FormworkOwnOptions INTERFACE -fuse-ld=lld)
target_link_options(FormworkBase INTERFACE
  # All objects are position-independent, which is clang's default, and bind to
  # themselves, as in a program. So a shared library of them has to, too.
  $<$<IN_LIST:$<TARGET_PROPERTY:TYPE>,SHARED_LIBRARY$<SEMICOLON>MODULE_LIBRARY>:LINKER:-Bsymbolic>)
if(FORMWORK_SANITIZE)
  # MLIR's dialects are linked without the sanitizers, so container checks across
  # the border would be false alarms, and so is the vptr check.
  # The instrumented loops do not vectorize, which is no mistake in them.
  set(sanitizers -fsanitize=address,undefined -fno-sanitize=vptr,function -Wno-pass-failed)
  target_compile_options(FormworkOwnOptions INTERFACE ${sanitizers})
  target_link_options(FormworkOwnOptions INTERFACE ${sanitizers})
endif()
target_link_libraries(FormworkBase INTERFACE MLIR LLVM)

include(CheckCXXSourceCompiles)
check_cxx_source_compiles("#ifndef __PIC__\n#error\n#endif\nint main() {}"
  FORMWORK_OBJECTS_ARE_PIC)
if(NOT FORMWORK_OBJECTS_ARE_PIC)
  target_compile_options(FormworkOwnOptions INTERFACE -fPIE)
endif()

# One precompiled header for all targets but the one that includes Z3. Another
# build tree names and holds it differently: with a relative path, and with a
# checksum of what it is made of beside it, one cache serves all trees.
set(pchFolder ${PROJECT_BINARY_DIR}/CMakeFiles/FormworkPCH.dir)
if(CMAKE_GENERATOR STREQUAL Ninja)
  # Where the compiler runs.
  cmake_path(RELATIVE_PATH pchFolder BASE_DIRECTORY ${CMAKE_BINARY_DIR})
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH
    -Xclang -include-pch -Xclang ${pchFolder}/cmake_pch.hxx.pch)
  cmake_path(ABSOLUTE_PATH pchFolder BASE_DIRECTORY ${CMAKE_BINARY_DIR})
endif()
file(SHA256 ${PROJECT_SOURCE_DIR}/cmake/Precompiled.h pchSum)
string(SHA256 pchSum
  "${pchSum} ${LLVM_VERSION} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_BUILD_TYPE}")
file(CONFIGURE OUTPUT ${pchFolder}/cmake_pch.hxx.pch.sum CONTENT "${pchSum}\n")
set_property(DIRECTORY APPEND PROPERTY
  CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/Precompiled.h)
add_library(FormworkPCH STATIC ${PROJECT_SOURCE_DIR}/cmake/Precompiled.cpp)
target_link_libraries(FormworkPCH PRIVATE FormworkBase)
target_precompile_headers(FormworkPCH PRIVATE
  ${PROJECT_SOURCE_DIR}/cmake/Precompiled.h)

# Fails the configuration when `target` (of layer `layer`) links upwards.
function(formwork_check_links target layer)
  list(FIND FORMWORK_LAYERS ${layer} rank)
  get_target_property(links ${target} LINK_LIBRARIES)
  foreach(link IN LISTS links)
    if(NOT TARGET ${link})
      continue()
    endif()
    get_target_property(other ${link} FORMWORK_LAYER)
    if(NOT other)
      continue()
    endif()
    list(FIND FORMWORK_LAYERS ${other} otherRank)
    if(otherRank GREATER rank)
      message(FATAL_ERROR
        "layering: ${target} (${layer}) must not link ${link} (${other})")
    endif()
  endforeach()
endfunction()

# Adds to `target` a build step that fails when one of its files includes a
# header of a higher layer.
function(formwork_check_includes target layer)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS
    ${CMAKE_CURRENT_SOURCE_DIR}/*.h ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp
    ${CMAKE_CURRENT_SOURCE_DIR}/*.td)
  set(stamp ${CMAKE_CURRENT_BINARY_DIR}/${target}.layers)
  list(JOIN files "|" joined)
  list(JOIN FORMWORK_LAYERS "|" layers)
  list(JOIN FORMWORK_ROOMS_${layer} "|" rooms)
  add_custom_command(OUTPUT ${stamp}
    COMMAND ${CMAKE_COMMAND} "-DFILES=${joined}" -DLAYER=${layer}
      "-DLAYERS=${layers}" "-DROOMS=${rooms}"
      "-DPLAIN=${FORMWORK_PLAIN_ROOM_${layer}}" -DSTAMP=${stamp}
      -P ${PROJECT_SOURCE_DIR}/cmake/CheckIncludes.cmake
    DEPENDS ${files} ${PROJECT_SOURCE_DIR}/cmake/CheckIncludes.cmake
    COMMENT "Checking the layers of ${target}" VERBATIM)
  add_custom_target(${target}Layers DEPENDS ${stamp})
  add_dependencies(${target} ${target}Layers)
endfunction()

function(formwork_configure target layer)
  set_target_properties(${target} PROPERTIES FORMWORK_LAYER ${layer})
  set_property(GLOBAL APPEND PROPERTY FORMWORK_TARGETS ${target})
  target_link_libraries(${target} PUBLIC FormworkBase)
  formwork_check_includes(${target} ${layer})
endfunction()

# Four files of `sources` each become one, in the variable `batches`. Generated
# files stay as they are.
function(formwork_batch target sources batches)
  set(result ${sources})
  list(FILTER result INCLUDE REGEX "^/")
  list(FILTER sources EXCLUDE REGEX "^/")
  list(LENGTH sources count)
  math(EXPR last "${count} - 1")
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR})
  foreach(first RANGE 0 ${last} 4)
    list(SUBLIST sources ${first} 4 members)
    list(TRANSFORM members REPLACE "(.+)" "#include \"${folder}/\\1\"\n")
    list(JOIN members "" content)
    set(file ${CMAKE_CURRENT_BINARY_DIR}/${target}${first}.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "${content}" @ONLY)
    list(APPEND result ${file})
  endforeach()
  set(${batches} ${result} PARENT_SCOPE)
endfunction()

# formwork_add_library(<name> LAYER <layer> SOURCES <file>...
#                      [LINK <target>...] [DEPENDS <tablegen target>...]
#                      [NO_PCH] [BATCHES])
# With BATCHES and the option FORMWORK_BATCHES, four small files are compiled as
# one: a first build is shorter, and names of file scope have to differ in the
# whole folder.
function(formwork_add_library name)
  cmake_parse_arguments(ARG "NO_PCH;BATCHES" "LAYER" "SOURCES;LINK;DEPENDS" ${ARGN})
  if(ARG_BATCHES AND FORMWORK_BATCHES)
    formwork_batch(${name} "${ARG_SOURCES}" ARG_SOURCES)
  endif()
  add_library(${name} STATIC ${ARG_SOURCES})
  formwork_configure(${name} ${ARG_LAYER})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  if(NOT ARG_NO_PCH)
    target_precompile_headers(${name} REUSE_FROM FormworkPCH)
  endif()
endfunction()

# formwork_add_tool(<name> SOURCES <file>... LINK <target>... [BATCHES])
function(formwork_add_tool name)
  cmake_parse_arguments(ARG "BATCHES" "" "SOURCES;LINK" ${ARGN})
  if(ARG_BATCHES AND FORMWORK_BATCHES)
    formwork_batch(${name} "${ARG_SOURCES}" ARG_SOURCES)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  formwork_configure(${name} tools)
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
  target_precompile_headers(${name} REUSE_FROM FormworkPCH)
endfunction()

# formwork_add_plugin(<name> SOURCES <file>... LINK <target>...): a library that
# tools of MLIR load, lib/<name>.so.
function(formwork_add_plugin name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} MODULE ${ARG_SOURCES})
  formwork_configure(${name} tools)
  set_target_properties(${name} PROPERTIES PREFIX ""
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_ARCHIVE_OUTPUT_DIRECTORY})
  target_link_libraries(${name} PRIVATE ${ARG_LINK})
endfunction()

# formwork_add_unittest(<name> SOURCES <file>... LINK <target>...): a
# GoogleTest program whose tests ctest sees one by one.
function(formwork_add_unittest name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE
    FormworkBase ${ARG_LINK} GTest::gmock GTest::gtest GTest::gtest_main)
  target_precompile_headers(${name} REUSE_FROM FormworkPCH)
  set_property(GLOBAL APPEND PROPERTY FORMWORK_UNITTESTS ${name})
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 120 DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT 300)
endfunction()

# formwork_embed(<target> <file> <symbol>): makes the text of `file` available
# as `extern const llvm::StringLiteral formwork::embedded::<symbol>`, declared in
# the generated header "embedded/<symbol>.h" under the build's include root.
function(formwork_embed target file symbol)
  cmake_path(ABSOLUTE_PATH file)
  set(out ${PROJECT_BINARY_DIR}/embedded/${symbol}.h)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DFILE=${file} -DSYMBOL=${symbol} -DOUT=${out}
      -P ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
    DEPENDS ${file} ${PROJECT_SOURCE_DIR}/cmake/EmbedText.cmake
    COMMENT "Embedding ${symbol}" VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()

# formwork_embed_pages(<target> <folder> <symbol>): the same for the names and the
# texts of all Markdown files of `folder`, as an array.
function(formwork_embed_pages target folder symbol)
  set(out ${PROJECT_BINARY_DIR}/embedded/${symbol}.h)
  file(GLOB pages CONFIGURE_DEPENDS ${folder}/*.md)
  add_custom_command(OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DFOLDER=${folder} -DSYMBOL=${symbol} -DOUT=${out}
      -P ${PROJECT_SOURCE_DIR}/cmake/EmbedPages.cmake
    DEPENDS ${pages} ${PROJECT_SOURCE_DIR}/cmake/EmbedPages.cmake
    COMMENT "Embedding ${symbol}" VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()

# Called behind all of the layers: checks the links of their targets, and makes one target
# of each layer, formwork-<layer>, for who uses Formwork as a library.
function(formwork_finish)
  get_property(targets GLOBAL PROPERTY FORMWORK_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(layer ${target} FORMWORK_LAYER)
    formwork_check_links(${target} ${layer})
    get_target_property(type ${target} TYPE)
    get_target_property(folder ${target} SOURCE_DIR)
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    if(type STREQUAL STATIC_LIBRARY AND folder MATCHES "^${layer}(/|$)")
      list(APPEND of_${layer} ${target})
    endif()
  endforeach()
  foreach(layer IN LISTS FORMWORK_LAYERS)
    if(of_${layer} AND NOT layer STREQUAL tools)
      add_library(formwork-${layer} INTERFACE)
      set_target_properties(formwork-${layer} PROPERTIES EXPORT_NAME ${layer})
      target_link_libraries(formwork-${layer} INTERFACE ${of_${layer}})
      add_library(Formwork::${layer} ALIAS formwork-${layer})
      list(APPEND libraries ${of_${layer}} formwork-${layer})
    endif()
  endforeach()
  set_property(GLOBAL PROPERTY FORMWORK_LIBRARIES ${libraries})
endfunction()

# The target `check-headers` compiles each header of the layers that others use
# as a library alone, so that a header includes what it needs. That takes minutes
# the first time: no other target depends on it.
function(formwork_add_header_check)
  add_custom_target(check-headers)
  foreach(layer IN LISTS FORMWORK_LAYERS)
    if(NOT TARGET formwork-${layer})
      continue()
    endif()
    file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}
      ${PROJECT_SOURCE_DIR}/${layer}/*.h)
    set(sources)
    foreach(header IN LISTS headers)
      set(source ${PROJECT_BINARY_DIR}/headers/${header}.cpp)
      file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n" @ONLY)
      list(APPEND sources ${source})
    endforeach()
    add_library(${layer}Headers OBJECT EXCLUDE_FROM_ALL ${sources})
    target_link_libraries(${layer}Headers PRIVATE formwork-${layer})
    add_dependencies(check-headers ${layer}Headers)
  endforeach()
endfunction()
