#include "handrail/data/catalog.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "handrail/base/text.h"
#include "handrail/data/arff_reader.h"
#include "handrail/data/csv_reader.h"
#include "handrail/data/format_registry.h"
#include "handrail/data/idx_reader.h"
#include "handrail/data/openml_cache.h"
#include "tests/table_fixture.h"

namespace handrail {
namespace {

namespace fs = std::filesystem;

// ".arff, .csv" and so on.
std::string endings_of_names() {
  std::vector<std::string_view> endings;
  for (const FormatEntry* const format : formats()) {
    for (const FormatEnding& ending : format->endings) {
      if (ending.ends_names) endings.push_back(ending.text);
    }
  }
  return join(endings, ", ");
}

class CatalogTest : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = temporary_path("root");
    fs::remove_all(root_);
    config_.data_dir = folder("mirror");
    config_.cache_dir = folder("cache");
    config_.fashion_mnist_dir = folder("package");
    config_.offline = true;
    came_from_ = fs::current_path();
    fs::current_path(folder("here"));
  }
  void TearDown() override {
    fs::current_path(came_from_);
    fs::remove_all(root_);
  }

  std::string folder(const std::string& name) const {
    fs::create_directories(root_ + "/" + name);
    return root_ + "/" + name;
  }
  static void write(const std::string& path, std::string_view bytes = "x") {
    std::ofstream(path, std::ios::binary) << bytes;
  }
  std::string path_of(const std::string& name) const {
    const Result<DataSource> source = locate(name, config_);
    return source.ok() ? source.value().paths.front() : source.error().message;
  }
  std::string refusal(const std::string& name) const {
    const Result<DataSource> source = locate(name, config_);
    return source.ok() ? "no refusal" : source.error().message;
  }
  void install_fashion_mnist() const {
    for (const char* name : {"train-images", "t10k-images"}) {
      write(config_.fashion_mnist_dir + "/" + name + "-idx3-ubyte.gz");
    }
  }

  std::string root_;
  fs::path came_from_;
  CatalogConfig config_;
};

TEST_F(CatalogTest, TakesPathsAsTheyAre) {
  for (const char* path : {"-", "/absent/x", "./x", "absent.arff", "absent.csv.gz",
                           "absent.libsvm.zst", "train-images-idx3-ubyte.gz"}) {
    EXPECT_EQ(path_of(path), path);
  }
  EXPECT_EQ(locate("-", config_).value().origin, "stdin");
}

TEST_F(CatalogTest, AFileThatIsHereComesBeforeTheDataFolder) {
  write(config_.data_dir + "/nettle.arff");
  EXPECT_EQ(path_of("nettle"), config_.data_dir + "/nettle.arff");
  write("nettle");
  EXPECT_EQ(path_of("nettle"), "nettle");
}

TEST_F(CatalogTest, AFolderThatIsHereIsNoDataSet) {
  fs::create_directory("nettle");
  write(config_.data_dir + "/nettle.arff");
  EXPECT_EQ(path_of("nettle"), config_.data_dir + "/nettle.arff");
}

TEST_F(CatalogTest, FindsEveryEndingInTheDataFolder) {
  const std::string begin = config_.data_dir + "/nettle";
  for (const char* ending : {".svm.zst", ".svm", ".libsvm.gz", ".tsv", ".csv.zst", ".csv.gz",
                             ".csv", ".arff.zst", ".arff.gz", ".arff"}) {
    write(begin + ending);  // each comes before all that are there already
    EXPECT_EQ(path_of("nettle"), begin + ending);
  }
  EXPECT_EQ(locate("nettle", config_).value().format, nullptr);
  EXPECT_EQ(locate("nettle", config_).value().class_column, "");
  EXPECT_EQ(locate("nettle", config_, "kind").value().class_column, "kind");
}

TEST_F(CatalogTest, TheDataFolderComesBeforePackages) {
  install_fashion_mnist();
  const Result<DataSource> packaged = locate("fashion-mnist", config_);
  ASSERT_TRUE(packaged.ok()) << packaged.error().message;
  EXPECT_EQ(packaged.value().format, &kIdxFormat);
  EXPECT_EQ(packaged.value().paths,
            (std::vector<std::string>{config_.fashion_mnist_dir + "/train-images-idx3-ubyte.gz",
                                      config_.fashion_mnist_dir + "/t10k-images-idx3-ubyte.gz"}));
  write(config_.data_dir + "/fashion-mnist.csv");
  EXPECT_EQ(path_of("fashion-mnist"), config_.data_dir + "/fashion-mnist.csv");
}

TEST_F(CatalogTest, SaysWhichPackageIsMissing) {
  EXPECT_NE(refusal("fashion-mnist").find("Debian package dataset-fashion-mnist"),
            std::string::npos);
  write(config_.fashion_mnist_dir + "/train-images-idx3-ubyte.gz");  // half of it is not enough
  EXPECT_NE(refusal("fashion-mnist").find("Debian package dataset-fashion-mnist"),
            std::string::npos);
}

TEST_F(CatalogTest, OpenmlNamesDoNotMeanTheDataFolder) {
  write(config_.data_dir + "/nettle.arff");
  write(config_.data_dir + "/openml:nettle.arff");
  EXPECT_TRUE(refusal("openml:nettle").starts_with("openml:nettle: offline")) << path_of("nettle");
}

TEST_F(CatalogTest, PlainNamesDoNotMeanOpenml) {
  config_.offline = false;
  config_.openml_address = "http://127.0.0.1:1";  // nobody listens there
  const std::string message = refusal("nettle");
  EXPECT_EQ(message, "no data set is called \"nettle\"; looked in " + config_.data_dir +
                         " for nettle" + endings_of_names() +
                         ", plain, .gz and .zst; "
                         "openml:nettle would ask OpenML");
}

TEST_F(CatalogTest, SuggestsNamesThatMayBeMeant) {
  for (const char* name : {"Nettle", "nettle-tall", "dock", "oat-a", "oat-b", "oat-c", "oat-d"}) {
    write(config_.data_dir + "/" + name + ".arff.gz");
  }
  EXPECT_NE(refusal("nettle").find("near to it: \"Nettle\", \"nettle-tall\";"), std::string::npos);
  EXPECT_NE(refusal("dokc").find("near to it: \"dock\";"), std::string::npos);
  EXPECT_NE(refusal("oat").find("near to it: \"oat-a\", \"oat-b\", \"oat-c\";"), std::string::npos);
  EXPECT_NE(refusal("").find("no data set is called \"\""), std::string::npos);
}

TEST_F(CatalogTest, SuggestsWhatTheCacheHoldsUnderTheName) {
  const OpenmlCache cache(config_.cache_dir);
  ASSERT_TRUE(keep_file(cache.description_path(7),
                        R"({"data_set_description":{"id":7,"name":"Nettle","version":2,)"
                        R"("format":"ARFF","file_id":1,)"
                        R"("md5_checksum":"0123456789abcdef0123456789abcdef"}})")
                  .ok());
  ASSERT_TRUE(keep_file(cache.rows_path(7), "rows").ok());
  EXPECT_NE(refusal("nettle").find("near to it: \"openml:7\";"), std::string::npos);
}

TEST_F(CatalogTest, SaysThatThereIsNoDataFolder) {
  config_.data_dir = root_ + "/absent";
  EXPECT_NE(refusal("nettle").find(root_ + "/absent: cannot read the data folder"),
            std::string::npos);
  EXPECT_FALSE(list_catalog(config_).ok());
  config_.data_dir = "";
  EXPECT_NE(refusal("nettle").find("HANDRAIL_DATA"), std::string::npos);
  EXPECT_TRUE(list_catalog(config_).value().empty());
}

TEST_F(CatalogTest, ListsWhatCanBeNamed) {
  install_fashion_mnist();
  config_.data_dir += "/";
  write(config_.data_dir + "b.csv.gz", "12345");
  write(config_.data_dir + "a.arff");
  write(config_.data_dir + "a.csv");  // hidden by a.arff
  write(config_.data_dir + "README.md");
  write(config_.data_dir + ".arff");
  fs::create_directory(config_.data_dir + "c.arff");
  const Result<std::vector<CatalogEntry>> listed = list_catalog(config_);
  ASSERT_TRUE(listed.ok()) << listed.error().message;
  const std::vector<CatalogEntry>& entries = listed.value();
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].name, "a");
  EXPECT_EQ(entries[0].format, &kArffFormat);
  EXPECT_EQ(entries[1].name, "b");
  EXPECT_EQ(entries[1].format, &kCsvFormat);
  EXPECT_EQ(entries[1].bytes, 5U);
  EXPECT_EQ(entries[1].place, "data folder");
  EXPECT_EQ(entries[2].name, "fashion-mnist");
  EXPECT_EQ(entries[2].bytes, 2U);
  for (const CatalogEntry& entry : entries) EXPECT_TRUE(locate(entry.name, config_).ok());
}

}  // namespace
}  // namespace handrail
