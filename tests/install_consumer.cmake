# Installs the build tree BUILD_DIR into a folder of its own under WORK_DIR, then builds and runs a
# program that finds Handrail there. FLAGS are those of the build: a library with sanitizers needs a
# program with sanitizers.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${WORK_DIR})
set(prefix ${WORK_DIR}/prefix)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix}
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
# The README's example is compiled as it stands there.
file(READ ${SOURCE_DIR}/README.md readme)
if(NOT readme MATCHES "```cpp\n([^`]*)```")
  message(FATAL_ERROR "README.md has no C++ example")
endif()
file(WRITE ${WORK_DIR}/readme_example.cc "${CMAKE_MATCH_1}")
execute_process(COMMAND ${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE_DIR}/tests/consumer
  -DREADME_EXAMPLE=${WORK_DIR}/readme_example.cc -B ${WORK_DIR}/build
  -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_COMPILER=${COMPILER}
  -DCMAKE_CXX_FLAGS=${FLAGS} -DCMAKE_BUILD_TYPE=None
  -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK_DIR}/build COMMAND_ERROR_IS_FATAL ANY)
foreach(program consumer readme_example)
  execute_process(COMMAND ${WORK_DIR}/build/${program} WORKING_DIRECTORY ${WORK_DIR}
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
