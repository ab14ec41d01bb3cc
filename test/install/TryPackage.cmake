# Script: makes the Debian package of BUILD below WORK, and runs what is in it.
include(${CMAKE_CURRENT_LIST_DIR}/Run.cmake)

file(REMOVE_RECURSE ${WORK}/package)
run(${CPACK} --config ${BUILD}/CPackConfig.cmake -G DEB -B ${WORK}/package)
file(GLOB package ${WORK}/package/formwork_*.deb)
run(dpkg-deb -f ${package} Depends)
foreach(part libmlir-22 libz3-4)
  if(NOT output MATCHES ${part})
    message(FATAL_ERROR "does not depend on ${part}: ${output}")
  endif()
endforeach()
run(dpkg-deb -x ${package} ${WORK}/package/root)
set(usr ${WORK}/package/root/usr)
set(example ${usr}/share/doc/formwork/examples/batch_matmul)
run(${usr}/bin/formwork check ${example}/payload.mlir
  --transform=${example}/schedule.mlir)
run(${usr}/bin/formwork-lsp-server --version)
run(${LLVM_TOOLS}/mlir-opt
  --load-dialect-plugin=${usr}/lib/FormworkPlugin.so
  --load-pass-plugin=${usr}/lib/FormworkPlugin.so
  "--pass-pipeline=builtin.module(formwork-check)"
  ${example}/schedule.mlir -o /dev/null)
