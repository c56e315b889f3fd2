# The folders under handrail/ name their own files. Each begins with handrail_room(), which says
# which program runs its tests, and has one handrail_part() for each header, source and test that
# belong together:
#
#   handrail_room(NUMBERS)     tests of what computes: an optimiser may change it, so every build
#                              has them
#   handrail_room(LOGIC)       tests of what decides, reads and writes: one build is enough
#   handrail_part([PUBLIC] NAME.h NAME.cc NAME_test.cc)
#
# PUBLIC is for headers that handrail.h includes, directly or not: they are installed and promised.
macro(handrail_room tests)
  set(handrail_room_tests ${tests})
endmacro()

function(handrail_part)
  cmake_parse_arguments(PARSE_ARGV 0 arg "PUBLIC" "" "")
  if(arg_PUBLIC)
    set(headers HANDRAIL_PUBLIC_HEADERS)
  else()
    set(headers HANDRAIL_PRIVATE_HEADERS)
  endif()
  foreach(file IN LISTS arg_UNPARSED_ARGUMENTS)
    set(path ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    if(file MATCHES "_test\\.cc$")
      set_property(GLOBAL APPEND PROPERTY HANDRAIL_${handrail_room_tests}_TESTS ${path})
    elseif(file MATCHES "\\.cc$")
      target_sources(handrail PRIVATE ${path})
    elseif(file MATCHES "\\.h$")
      cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
      set_property(GLOBAL APPEND PROPERTY ${headers} ${path})
    else()
      message(FATAL_ERROR "handrail_part(): ${file} is neither a header nor a source")
    endif()
  endforeach()
endfunction()
