// A small comparison to test with: two data sets whose names need quotes, one agent, two alphas.
#pragma once

#include <string>

namespace handrail {

inline const std::string kSampleResults =
    R"({"handrail_results":1,"version":"0.2.0","command":"handrail compare","title":null,)"
    R"("runs":2,"rounds":10,"seed":18446744073709551615,"delta":0.05,"reserve":0,)"
    R"("alphas":[0.1,0.5],)"
    R"("environments":[{"data":"a,\"b\"","notes":[]},{"data":"</script>","notes":[]}],)"
    R"("agents":[{"agent":"safe","gate":"certified","conservative":true,"control":null}],)"
    R"("results":[{"data":"a,\"b\"","agent":"safe","alpha":0.5,"regret":{"mean":1,"stderr":null}},)"
    R"({"data":"</script>","agent":"safe","alpha":0.1,"regret":null,"cost_ratio":0.5}],)"
    R"("differences":[],"tuning":[]})";

inline const std::string kSampleHeader =
    "data,agent,alpha,t,quantity,mean,stderr,q05,q25,q50,q75,q95\n";

// Rows of every quantity that each cell has to have, at rounds 1 and 10.
inline std::string sample_rows() {
  std::string text;
  for (const char* cell : {"\"a,\"\"b\"\"\",safe,0.5", "</script>,safe,0.1"}) {
    for (const char* quantity : {"regret", "cost_ratio", "explored_share", "violated_share"}) {
      for (const char* round : {"1", "10"}) {
        text += std::string(cell) + "," + round + "," + quantity + ",0.123456789,,0,0,0,0,1e5\n";
      }
    }
  }
  return text;
}

// `text` with its first `part` replaced.
inline std::string with(std::string text, const std::string& part, const std::string& instead) {
  return text.replace(text.find(part), part.size(), instead);
}

}  // namespace handrail
