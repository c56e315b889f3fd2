// Neural-linear Thompson sampling (Riquelme, Tucker and Snoek 2018), after TensorFlow's deep
// contextual bandits: a network learns features, and on its last hidden layer each arm has a
// Bayesian linear regression of costs. A round draws the weights of every arm from their posterior
// and plays the least cost under them. It promises nothing about its regret; use it behind the
// certified gate.
//
// At first each arm is played twice, in turn. The network is trained after every `train_every`-th
// cost, from where it is, and every regression is then computed anew from the examples kept.
// Between trainings the played arm's takes in each new cost. (TensorFlow's code means to update the
// arms of the newest rounds and takes all but those: actions[:-freq] for actions[-freq:].)
//
// With block features the arms share the hidden layer and have a regression each, as in the
// original. With features in rows there is one regression for all arms, and a round draws it once.
//
// One draw a round says nothing of its chance. With more, the distribution is the share of draws
// that each arm won, an estimate of its chance.
#pragma once

#include <memory>

#include "handrail/oracle/bayesian_regression.h"
#include "handrail/oracle/learned_features.h"
#include "handrail/policy/entry.h"

namespace handrail {

struct NeuralLinearConfig {
  LearnedFeaturesConfig features = {};
  RegressionPrior prior = {};
  std::uint64_t train_every = 50;   // costs
  std::size_t train_epochs = 100;   // minibatches a training: TensorFlow's word for them
  std::uint64_t initial_pulls = 2;  // of each arm
  std::size_t draws = 1;            // a round
  std::size_t kept = 40'000;        // newest examples
  std::uint64_t seed = 0;           // of the minibatches
};

std::unique_ptr<Policy> make_neural_linear(const NeuralLinearConfig& config,
                                           const FeatureLayout& layout);

extern const PolicyEntry kNeuralLinearPolicy;

}  // namespace handrail
