# Every header compiles alone: for each there is a source file of one line, and a header that needs
# another to come first does not build. Once is enough, so not under a sanitizer, and nothing of it
# is ever run, so without optimising.
if(CMAKE_CXX_FLAGS MATCHES "fsanitize")
  return()
endif()
set(sources)
foreach(header IN LISTS HANDRAIL_PUBLIC_HEADERS HANDRAIL_PRIVATE_HEADERS)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/headers_alone/${header}.cc)
  file(CONFIGURE OUTPUT ${source} CONTENT "#include \"${header}\"\n" @ONLY)
  list(APPEND sources ${source})
endforeach()
add_library(headers_alone OBJECT ${sources})
target_link_libraries(headers_alone PRIVATE handrail handrail_warnings)
target_compile_options(headers_alone PRIVATE -O0 -g0)
