# `cmake --install` gives the headers, the library and a package: find_package(handrail) then
# offers the target handrail::handrail.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/handrail)

install(TARGETS handrail EXPORT handrail_targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT handrail_targets NAMESPACE handrail:: DESTINATION ${package_folder})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/handrail-config.cmake.in
  ${PROJECT_BINARY_DIR}/handrail-config.cmake INSTALL_DESTINATION ${package_folder})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/handrail-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/handrail-config.cmake
  ${PROJECT_BINARY_DIR}/handrail-config-version.cmake
  DESTINATION ${package_folder})
