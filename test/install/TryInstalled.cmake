# Script: installs BUILD below WORK, moves the result, and builds and runs
# PROJECT against it.
include(${CMAKE_CURRENT_LIST_DIR}/Run.cmake)

file(REMOVE_RECURSE ${WORK}/first ${WORK}/prefix ${WORK}/project
  ${WORK}/project-gnu)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
# Nothing may remember where it was installed first.
file(RENAME ${WORK}/first ${WORK}/prefix)

foreach(path bin/formwork bin/formwork-opt lib/FormworkPlugin.so
    include/formwork/transforms/Registration.h
    include/formwork/normalforms/IR/NormalFormOps.h.inc
    share/doc/formwork/docs/commands.md
    share/doc/formwork/test/install/project/Counting.cpp share/man/man1/formwork-check.1
    share/bash-completion/completions/formwork
    share/formwork/editors/neovim/formwork.lua
    share/formwork/python/LICENSE share/formwork/python/src/formwork/py.typed
    share/doc/formwork/examples/batch_matmul/schedule.mlir)
  if(NOT EXISTS ${WORK}/prefix/${path})
    message(FATAL_ERROR "not installed: ${path}")
  endif()
endforeach()
include(${CMAKE_CURRENT_LIST_DIR}/CheckLinks.cmake)
check_links(${WORK}/prefix/share/doc/formwork)
set(example ${WORK}/prefix/share/doc/formwork/examples/batch_matmul)
run(${WORK}/prefix/bin/formwork check ${example}/payload.mlir
  --transform=${example}/schedule.mlir)
# The links of a report lead to the pages beside the tool.
execute_process(COMMAND ${WORK}/prefix/bin/formwork check --format=sarif
    --transform=${example}/schedule.mlir ${example}/payload.mlir
  OUTPUT_VARIABLE output)
string(REGEX MATCH "\"helpUri\": \"file://([^\"]*/fw-[a-z-]*\\.md)\"" link
  "${output}")
if(NOT EXISTS "${CMAKE_MATCH_1}")
  message(FATAL_ERROR "no link to an installed page in\n${output}")
endif()
run(${LLVM_TOOLS}/mlir-opt
  --load-dialect-plugin=${WORK}/prefix/lib/FormworkPlugin.so
  --load-pass-plugin=${WORK}/prefix/lib/FormworkPlugin.so
  "--pass-pipeline=builtin.module(formwork-check)"
  ${example}/schedule.mlir -o /dev/null)

run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${PROJECT} -B ${WORK}/project
  -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_BUILD_TYPE=${BUILD_TYPE}
  -DCMAKE_PREFIX_PATH=${WORK}/prefix)
run(${CMAKE_COMMAND} --build ${WORK}/project)
# Where GCC is the compiler, the package says why it cannot be.
find_program(GNU_CXX g++)
if(GNU_CXX)
  execute_process(COMMAND ${CMAKE_COMMAND} -G ${GENERATOR} -S ${PROJECT}
      -B ${WORK}/project-gnu -DCMAKE_CXX_COMPILER=${GNU_CXX}
      -DCMAKE_PREFIX_PATH=${WORK}/prefix
    RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(result EQUAL 0 OR NOT output MATCHES "set[ \n]+CMAKE_CXX_COMPILER[ \n]+to[ \n]+clang")
    message(FATAL_ERROR "GCC is not refused: ${result}\n${output}")
  endif()
endif()
# The form, the contract, the predicate and the operation of the project.
run(${WORK}/project/counting-opt ${PROJECT}/counting.mlir
  "--pass-pipeline=builtin.module(formwork-interpreter{forms=${PROJECT}/forms.mlir contracts=${PROJECT}/contracts.mlir})")
foreach(part "remark: holds 2 operations" "counted")
  if(NOT output MATCHES "${part}")
    message(FATAL_ERROR "'${part}' is not in\n${output}")
  endif()
endforeach()
# The contract tells of the operation before the run.
execute_process(COMMAND ${WORK}/project/counting-opt ${PROJECT}/refused.mlir
    "--pass-pipeline=builtin.module(formwork-check{forms=${PROJECT}/forms.mlir contracts=${PROJECT}/contracts.mlir require-forms})"
  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(result EQUAL 0 OR NOT output MATCHES "fw-missing-form")
  message(FATAL_ERROR "not refused: ${result}\n${output}")
endif()

# The plugin of the project, whose model tells what no clause of the contract
# can. It says so before a run, and the run agrees.
function(formwork expected)
  execute_process(COMMAND ${WORK}/prefix/bin/formwork ${ARGN}
      --load-dialect-plugin=${WORK}/project/counting.so
      --forms=${PROJECT}/forms.mlir --contracts=${PROJECT}/contracts.mlir
    OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT output MATCHES "${expected}")
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: '${expected}' is not in\n${output}")
  endif()
endfunction()
set(batches ${PROJECT}/batches.mlir)
formwork("proved: 0 errors, 0 warnings" check --static ${batches})
formwork("validated: 5 steps" apply --validate ${batches} -o /dev/null)
set(uneven ${PROJECT}/uneven.mlir)
set(refusal "error: requires a number of steps that the size divides")
formwork("${refusal} .fw-step-fails" check --static ${uneven})
formwork("${refusal}" apply --unchecked ${uneven} -o /dev/null)
formwork("size = 16" solve ${PROJECT}/open.mlir)
formwork("`counting.batch`" contracts --coverage)
