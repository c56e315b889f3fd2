# Every header compiles alone. A header with a source of its own name does if that source, which
# includes it first, compiles; the tidy test sees that it comes first. For each of the others there
# is a source file of one line here, and a header that needs another to come first does not build.
# Once is enough, so not under a sanitizer, and nothing of it is ever run, so without optimising.
if(CMAKE_CXX_FLAGS MATCHES "fsanitize")
  return()
endif()
set(sources)
foreach(header IN LISTS HANDRAIL_PUBLIC_HEADERS HANDRAIL_PRIVATE_HEADERS)
  cmake_path(REPLACE_EXTENSION header LAST_ONLY .cc OUTPUT_VARIABLE own_source)
  if(EXISTS ${PROJECT_SOURCE_DIR}/${own_source})
    continue()
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/headers_alone/${header}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n" @ONLY)
  list(APPEND sources ${source})
endforeach()
add_library(headers_alone OBJECT ${sources})
target_link_libraries(headers_alone PRIVATE handrail handrail_warnings)
target_compile_options(headers_alone PRIVATE -O0 -g0)
