# The page of the report: built by npm from a copy of web/ in the build tree, so that two builds do
# not meet and the sources stay clean, then taken into the library by the assembler.
if(NOT HANDRAIL_REPORT)
  target_sources(handrail PRIVATE ${CMAKE_CURRENT_LIST_DIR}/../handrail/report/no_page.cc)
  return()
endif()

find_program(NPM npm)
if(NOT NPM)
  message(FATAL_ERROR "npm builds the page of the report and was not found. Install it "
    "(scripts/setup does), or build without a report: -DHANDRAIL_REPORT=OFF")
endif()

set(web_packages
  .npmrc
  package-lock.json
  package.json
)
set(web_sources
  LICENSES.md
  index.html
  licences.js
  one_file.ts
  src/chart_board.ts
  src/charts/alpha_chart.ts
  src/charts/band.ts
  src/charts/common.ts
  src/charts/drawing.ts
  src/charts/engine.ts
  src/charts/figures.ts
  src/charts/legend.ts
  src/charts/look.ts
  src/charts/ranges.ts
  src/charts/time_chart.ts
  src/charts/view.ts
  src/charts/violation_bars.ts
  src/comparison.ts
  src/controls.ts
  src/dom.ts
  src/figure_export.ts
  src/main.ts
  src/number_format.ts
  src/page.ts
  src/palette.ts
  src/report_input.ts
  src/result_tables.ts
  src/section.ts
  src/sentence.ts
  src/standings.ts
  src/style.css
  src/summary.ts
  src/swatch.ts
  src/table.ts
  tsconfig.json
  vite.config.ts
)
set(web_tests
  test/build.test.ts
  test/charts.test.ts
  test/comparison.test.ts
  test/number_format.test.ts
  test/sample.ts
  test/standings.test.ts
  test/summary.test.ts
)
set(web_folder ${PROJECT_BINARY_DIR}/web)

# Copies of the files under web/ that follow, as a list in `copies`.
function(copy_web copies)
  set(made)
  foreach(file IN LISTS ARGN)
    add_custom_command(OUTPUT ${web_folder}/${file}
      COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/web/${file} ${web_folder}/${file}
      DEPENDS ${PROJECT_SOURCE_DIR}/web/${file} VERBATIM)
    list(APPEND made ${web_folder}/${file})
  endforeach()
  set(${copies} ${made} PARENT_SCOPE)
endfunction()

copy_web(package_copies ${web_packages})
copy_web(source_copies ${web_sources})

# The page's names of metrics, from the table that the program has them from. What writes them must
# not link the library, which holds the page.
add_executable(handrail_metric_names ${CMAKE_CURRENT_LIST_DIR}/../web/metric_names.cc)
target_include_directories(handrail_metric_names PRIVATE ${PROJECT_SOURCE_DIR})
target_link_libraries(handrail_metric_names PRIVATE handrail_warnings)
set(metric_names ${web_folder}/src/metric_names.ts)
add_custom_command(OUTPUT ${metric_names}
  COMMAND handrail_metric_names ${metric_names}
  DEPENDS handrail_metric_names ${source_copies}
  COMMENT "Writing the page's names of metrics" VERBATIM)
list(APPEND source_copies ${metric_names})

set(installed ${web_folder}/packages-installed)
add_custom_command(OUTPUT ${installed}
  COMMAND ${NPM} ci --loglevel=error
  COMMAND ${CMAKE_COMMAND} -E touch ${installed}
  WORKING_DIRECTORY ${web_folder} DEPENDS ${package_copies}
  COMMENT "Installing the packages of the report's page" VERBATIM)

set(page ${web_folder}/dist/index.html)
add_custom_command(OUTPUT ${page}
  COMMAND ${NPM} run build --silent -- --logLevel warn
  WORKING_DIRECTORY ${web_folder} DEPENDS ${installed} ${source_copies}
  COMMENT "Building the report's page" VERBATIM)

set(embedded ${PROJECT_BINARY_DIR}/report_page.cc)
configure_file(${CMAKE_CURRENT_LIST_DIR}/report_page.cc.in ${embedded} @ONLY)
set_source_files_properties(${embedded} PROPERTIES OBJECT_DEPENDS ${page})
target_sources(handrail PRIVATE ${embedded})
target_include_directories(handrail PRIVATE ${PROJECT_SOURCE_DIR})

if(HANDRAIL_TESTS)
  copy_web(test_copies ${web_tests})
  add_custom_target(handrail_web_tests ALL DEPENDS ${page} ${test_copies})
endif()
