#include "handrail/base/json.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace handrail {
namespace {

TEST(JsonWriter, WritesNestedValues) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.field("t", std::uint64_t{1});
  json.field("costs", std::span<const double>(std::vector<double>{0.1, 1.0}));
  json.key("baseline");
  json.begin_object();
  json.field("arm", 2u);
  json.field("cost", 0.25);
  json.end_object();
  json.field("gamma", std::optional<double>());
  json.field("slack", std::optional<double>(-1.5));
  json.key("open");
  json.boolean(true);
  json.key("list");
  json.begin_array();
  json.null();
  json.value(std::string_view("x"));
  json.end_array();
  json.end_object();
  EXPECT_EQ(out, R"({"t":1,"costs":[0.1,1],"baseline":{"arm":2,"cost":0.25},"gamma":null,)"
                 R"("slack":-1.5,"open":true,"list":[null,"x"]})");
}

TEST(JsonWriter, WhatIsNotThereIsNull) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.field("first", std::optional<std::uint64_t>(3));
  json.field("second", std::optional<std::uint64_t>());
  json.field("arm", std::optional<std::string>("a"));
  json.field("title", std::optional<std::string>());
  json.end_object();
  EXPECT_EQ(out, R"({"first":3,"second":null,"arm":"a","title":null})");
}

TEST(JsonWriter, HasNoNanAndNoInfinity) {
  std::string out;
  JsonWriter json(out);
  json.begin_array();
  json.value(std::numeric_limits<double>::infinity());
  json.value(std::numeric_limits<double>::quiet_NaN());
  json.end_array();
  EXPECT_EQ(out, "[null,null]");
}

TEST(JsonWriter, EscapesWhatJsonDoesNotAllow) {
  std::string out;
  JsonWriter json(out);
  json.value(std::string_view("a\"b\\c\nd"));
  EXPECT_EQ(out, "\"a\\\"b\\\\c\\u000ad\"");
}

TEST(NestedKeys, NeighboursOfOneObjectComeIntoOne) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  NestedKeys keys(json);
  for (const char* name : {"a", "b.x", "b.y", "c.x", "d"}) {
    keys.key(name);
    json.value(1u);
  }
  keys.end();
  json.end_object();
  EXPECT_EQ(out, R"({"a":1,"b":{"x":1,"y":1},"c":{"x":1},"d":1})");
}

TEST(NestedKeys, TheLastObjectIsClosed) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  NestedKeys keys(json);
  keys.key("b.x");
  json.null();
  keys.end();
  json.end_object();
  EXPECT_EQ(out, R"({"b":{"x":null}})");
}

}  // namespace
}  // namespace handrail
