"""Saves, runs and comparisons for make.py to record: all_saves(), all_runs(), all_comparisons()."""
import shlex

# A cost of 1 arrives late, so that decisions wait when the run is saved.
LATE = ["--delay", "outcome:2:15"]
LINEAR = ["--world", "linear:arms=4,dim=3"]
DRIFTING = ["--world", "drifting:arms=4,dim=3,jump=50"]
NONLINEAR = ["--world", "nonlinear:arms=3,dim=3"]
COSINE = ["--world", "nonlinear:arms=3,dim=3,shape=cosine"]
BILINEAR = ["--world", "nonlinear:arms=3,dim=3,shape=bilinear"]
MISSPECIFIED = ["--world", "misspecified:arms=4,dim=3"]
ARMED = ["--world", "armed:arms=4"]
PRODUCT = ["--world", "product:factors=3,choices=4,features=2"]
SQUARE_PRODUCT = ["--world", "product:factors=2,choices=3,features=3,curve=square,rank=2"]
ROWS = ["--data", "rows.csv:class=outcome"]
TRAINED = ["--data", "rows.csv:class=outcome,scale=minmax", "--baseline", "trained:20"]
COSTS = ["--data", "costs.csv", "--costs", "low,middle,high", "--cost-max", "2"]
LOGGED = ["--data", "costs.csv:ignore=group", "--costs", "low,middle,high", "--cost-max", "2",
          "--baseline", "column:played"]
PER_ROUND, MEAN, FLOOR, UNKNOWN = (
    ["--baseline-known", word] for word in ("per_round", "mean", "floor", "unknown"))

NETWORK = "width=3,batch=4,buffer=10"
NEURAL_UCB = "hidden=3,train_steps=10,train_every=10,train_until=20,memory=10"
NEURAL_TS = "hidden=3,train_steps=3,train_every=10,memory=10"
NEURAL_LINEAR = "units=3,train_batch=8,train_every=10,train_epochs=10,kept=10"
EE_NET = "units=3,pool=3,train_steps=20,kept=10"

# (name, SPEC of the agent, environment and more). The name begins with the part under test.
SAVES = [
    ("gate-open", "c-squarecb:oracle=ridge,gate=open", DRIFTING + LATE),
    ("gate-shut", "c-squarecb:oracle=ridge,gate=shut", LINEAR + LATE),
    ("gate-certified", "c-squarecb:oracle=ridge", DRIFTING + LATE),
    ("gate-certified-mixture", "c-squarecb:oracle=ridge,bound=mixture,members=open",
     LINEAR + LATE),
    ("gate-certified-mean", "c-squarecb:oracle=ridge", ROWS + LATE + MEAN),
    ("gate-certified-floor", "c-squarecb:oracle=ridge", COSTS + LATE + FLOOR + ["--reserve", "5"]),
    ("gate-paper", "c-fastcb:oracle=linear,gate=paper,margin_scale=0.02", LINEAR + LATE),
    ("gate-paper-plus-one",
     "c-squarecb:oracle=ridge,gate=paper,margin_scale=0.5,margin_rounds=m_plus_one", LINEAR + LATE),
    ("gate-model", "c-squarecb:oracle=ridge,gate=model,ridge_regret=realised,loss=square", LINEAR),
    ("gate-model-log", "c-fastcb:oracle=linear,gate=model,regret_bound=0.5", LINEAR),
    ("gate-ellipsoid", "c-linucb:bonus_scale=0.3,lambda=0.1,sigma=0.1,radius=0.5", LINEAR + LATE),
    ("gate-contrast", "c-linucb-unknown:lambda=0.1,sigma=0.01,radius=0.1", LINEAR + LATE),
    ("gate-contrast-unknown", "c-linucb-unknown:lambda=0.1,sigma=0.01,radius=0.1",
     ROWS + LATE + UNKNOWN),
    ("gate-safeset", "c-linucb2:lambda=0.1,sigma=0.1,radius=0.5", LINEAR + LATE),
    ("gate-safeset-mean", "c-linucb2:lambda=0.1,sigma=0.1,bound=mixture", ROWS + LATE + MEAN),
    ("gate-checkpoint", "c-linucb2:gate=checkpoint,checkpoint_every=15,future_cost=0.1",
     LINEAR + LATE),
    ("gate-stagewise", "linucb:gate=stagewise,lambda=0.1,sigma=0.1,radius=0.5", LINEAR + LATE),
    ("gate-certified-ips", "c-squarecb:oracle=ridge,gate=certified-ips,baseline_floor=0.5",
     ROWS + LATE + UNKNOWN + ["--alpha", "4"]),
    ("gate-certified-dr", "c-squarecb:oracle=linear,gate=certified-dr,baseline_floor=0.5",
     ROWS + LATE + UNKNOWN + ["--alpha", "4"]),
    ("gate-certified-dr-mixture",
     "c-squarecb:oracle=linear,gate=certified-dr,bound=mixture,delta_split=0.3",
     ROWS + UNKNOWN + ["--alpha", "9"]),
    ("gate-certified-stationary", "uniform:gate=certified-stationary",
     ROWS + LATE + UNKNOWN + ["--alpha", "2"]),
    ("gate-armwise", "c-ucb:arm_width=first", ARMED + LATE + ["--alpha", "2"]),
    ("gate-armwise-unknown", "c-ucb", ROWS + LATE + UNKNOWN + ["--alpha", "4"]),
    ("gate-budget", "budget-first:budget_regret=1.5", ARMED + LATE),
    ("oracle-ridge", "greedy:oracle=ridge,lambda=0.5", NONLINEAR + LATE),
    ("oracle-linear", "greedy:oracle=linear", COSINE + LATE),
    ("oracle-linear-block", "c-squarecb:oracle=linear,gate=open", ROWS + LATE),
    ("oracle-mlp", "c-squarecb:" + NETWORK, DRIFTING + LATE),
    ("oracle-mlp-double", "c-squarecb:precision=double," + NETWORK, DRIFTING + LATE),
    ("oracle-mlp-ensemble",
     "c-squarecb:ensemble=3,optimizer=sgd,pull=0,update=online,width=4", LINEAR + LATE),
    ("oracle-mlp-ensemble-ball",
     "c-squarecb:ensemble=2,optimizer=sgd,update=online,width=4,parametrisation=ntk,rho=1,rho_1=1",
     LINEAR + LATE),
    ("oracle-mlp-adam", "squarecb:optimizer=adam,activation=gelu,pull=0.01,clip=1," + NETWORK,
     LINEAR + LATE),
    ("oracle-mlp-two-layers", "squarecb:width=3x2,batch=4,buffer=10,skip=yes,activation=tanh",
     LINEAR + LATE),
    ("oracle-mlp-periodic",
     "c-fastcb:update=periodic,period=7,optimizer=sgd,reading=mean,width=4,activation=softplus",
     LINEAR + LATE),
    ("oracle-mlp-block", "squarecb:" + NETWORK, ROWS + LATE),
    ("oracle-mlp-block-first", "squarecb:own_layer=first," + NETWORK, COSTS + LATE),
    ("paper-squarecb", "c-squarecb@paper:width=4,margin_scale=0.02", LINEAR + LATE),
    ("paper-fastcb", "c-fastcb@paper:width=4,margin_scale=0.02,best_cost=0.2", LINEAR + LATE),
    ("policy-igw-relative", "fastcb:oracle=linear,floor=0.1", MISSPECIFIED + LATE),
    ("policy-igw-first-order", "fastcb:oracle=linear,gamma=first-order", LINEAR + LATE),
    ("policy-linucb", "linucb:bonus_scale=0.3", LINEAR + LATE),
    ("policy-uniform", "uniform:gate=certified", BILINEAR + LATE),
    ("policy-greedy", "greedy:" + NETWORK, LINEAR + LATE),
    ("policy-epsilon-greedy", "epsilon-greedy:oracle=ridge,epsilon=0.3", LINEAR + LATE),
    ("policy-ucb", "ucb", ARMED + LATE),
    ("policy-lints", "c-lints", LINEAR + LATE),
    ("policy-lints-draws", "lints:draws=3,nu=0.1", LINEAR + LATE),
    ("policy-glm-ucb-block", "glm-ucb:gate=certified,history=15", ROWS + LATE),
    ("policy-falcon", "falcon:oracle=ridge,history=15", LINEAR + LATE),
    ("policy-falcon-plus", "falcon:oracle=linear,variant=plus,history=15,passes=2,horizon=200",
     LINEAR + LATE),
    ("policy-falcon-network", "falcon:history=15,width=4", LINEAR + LATE),
    ("policy-neural-ucb", "neural-ucb:nu=0.1," + NEURAL_UCB, LINEAR + LATE),
    ("policy-neural-ucb-block", "neural-ucb:gate=certified," + NEURAL_UCB, ROWS + LATE),
    ("policy-neural-ts", "neural-ts:" + NEURAL_TS, LINEAR + LATE),
    ("policy-neural-ts-draws", "neural-ts:draws=5,nu=0.01," + NEURAL_TS, ROWS + LATE),
    ("policy-neural-linear", "neural-linear:" + NEURAL_LINEAR, LINEAR + LATE),
    ("policy-neural-linear-draws",
     "neural-linear:draws=5,rate_resets=yes,gate=certified," + NEURAL_LINEAR, LINEAR + LATE),
    ("policy-ee-net", "ee-net:" + EE_NET, LINEAR + LATE),
    ("policy-ee-net-decider",
     "ee-net:decider=network,decider_from=20,early_rounds=30,late_train_every=15,gate=certified,"
     + EE_NET, LINEAR + LATE),
    ("policy-smooth-igw", "c-smooth-igw:oracle=ridge", PRODUCT + LATE),
    ("policy-smooth-igw-igw", "smooth-igw:oracle=linear,acceptance=igw,propensity_draws=8",
     PRODUCT + LATE),
    ("policy-smooth-igw-rows", "smooth-igw:" + NETWORK, LINEAR + LATE),
    ("policy-spanner-igw", "spanner-igw:oracle=ridge", PRODUCT + LATE),
    ("policy-spanner-igw-certified", "spanner-igw:gate=certified,oracle=linear",
     SQUARE_PRODUCT + LATE),
    ("data-trained-baseline", "c-squarecb:oracle=ridge", TRAINED + LATE + PER_ROUND),
    ("data-flipped-labels", "c-fastcb:oracle=linear", ROWS + ["--noise", "flip:0.2"]),
    ("data-columns-of-costs", "c-squarecb:oracle=linear", COSTS + ["--noise", "bernoulli"] + LATE),
    ("data-logged-baseline", "c-squarecb:oracle=ridge", LOGGED + LATE),
    ("warm-start", "c-squarecb:oracle=ridge", LINEAR + LATE + ["--warm-start", "log.csv"]),
    ("warm-start-network", "c-squarecb:" + NETWORK, LINEAR + ["--warm-start", "log.csv"]),
    ("warm-start-falcon", "falcon:oracle=ridge,gate=certified,history=15",
     LINEAR + LATE + ["--warm-start", "log.csv"]),
    ("given-up", "uniform:gate=certified,pending_limit=10", LINEAR + ["--delay", "30"]),
    ("no-delay", "c-squarecb:oracle=linear", LINEAR + ["--reserve", "3", "--delta", "0.01"]),
    ("uniform-delay", "c-fastcb:oracle=ridge", LINEAR + ["--delay", "uniform:20"]),
    ("no-noise", "c-squarecb:oracle=ridge,learn_from_baseline=no",
     LINEAR + LATE + ["--noise", "none"]),
]
# The program refuses to trace a run that gives decisions up, since nobody could follow the trace.
UNTRACED = ("given-up",)
# With a tolerance this large most gates open within the 60 rounds, and many shut again.
SAVE_ALPHA = ["--alpha", "0.5"]
SAVE_TERMS = ["--seed", "7", "--rounds", "60"]

# Fresh runs. The network is wider than the vectors of any kernel are long.
WIDE = "width=20,batch=8,buffer=50"
RUN_AGENTS = {
    "c-squarecb": "c-squarecb:" + WIDE,
    "c-squarecb-linear": "c-squarecb:oracle=linear",
    "c-fastcb": "c-fastcb:" + WIDE,
    "fastcb": "fastcb:oracle=linear",
    "paper": "c-squarecb@paper:width=20,margin_scale=0.1",
    "c-linucb": "c-linucb",
    "c-linucb-unknown": "c-linucb-unknown:sigma=0.1",
    "c-linucb2": "c-linucb2",
    "stagewise": "linucb:gate=stagewise,sigma=0.1",
    "c-lints": "c-lints:draws=4",
    "falcon": "falcon:oracle=ridge",
    "glm-ucb": "glm-ucb:gate=certified",
    "c-smooth-igw": "c-smooth-igw:oracle=linear",
    "spanner-igw": "spanner-igw:oracle=ridge",
    "c-squarecb-ips": "c-squarecb-ips:oracle=ridge",
    "c-squarecb-dr": "c-squarecb-dr:oracle=linear,bound=mixture",
    "epsilon-greedy": "epsilon-greedy:oracle=ridge",
    "neural-ucb": "neural-ucb:gate=certified,hidden=20,train_steps=20,train_every=20",
    "neural-ts": "neural-ts:hidden=20,train_steps=5,train_every=20,draws=3",
    "neural-linear": "neural-linear:units=20,train_batch=16,train_epochs=20,gate=certified",
    "ee-net": "ee-net:units=20,pool=5,train_steps=50,gate=certified",
}
RUN_WORLDS = {
    "linear": ["--world", "linear:arms=5,dim=4"],
    "nonlinear": ["--world", "nonlinear:arms=5,dim=4", "--delay", "uniform:10"],
    "misspecified": ["--world", "misspecified:arms=5,dim=4", "--noise", "none"],
    "drifting": ["--world", "drifting:arms=5,dim=4,jump=100", "--delay", "outcome:5:30"],
    "armed": ["--world", "armed:arms=5"],
}
# These policies need arms that are the same in every round.
ARMED_AGENTS = {
    "c-ucb": "c-ucb",
    "budget-first": "budget-first:budget_regret=2",
    "ucb": "ucb:gate=certified",
}
# Products refuse all other policies, which look at every arm.
PRODUCT_AGENTS = {
    "c-smooth-igw": "c-smooth-igw:oracle=linear",
    "smooth-igw-ridge": "smooth-igw:oracle=ridge,acceptance=igw,gate=certified-ips",
    "smooth-igw-network": "smooth-igw:" + WIDE,
    "spanner-igw": "spanner-igw:oracle=ridge,gate=certified",
}
PRODUCTS = {"product": PRODUCT, "square-product": SQUARE_PRODUCT}
# An agent plays on data and in three worlds: those so many steps behind its own place in the list.
WORLD_STEPS = (0, 1, 3)
RUN_TERMS = ["--alpha", "0.3", "--seed", "11", "--rounds", "200"]

# (name, words, files that the run writes beside its trace).
MORE_RUNS = [
    ("log-csv", ["--agent", "uniform", *COSTS, "--log", "log-csv.log.csv"], ["log-csv.log.csv"]),
    ("log-json", ["--agent", "c-squarecb:oracle=ridge", *LINEAR, "--log", "log-json.log.jsonl"],
     ["log-json.log.jsonl"]),
    ("warm-started", ["--agent", "c-fastcb:" + WIDE, *LINEAR, "--warm-start", "log.csv"], []),
    ("trace-features", ["--agent", "c-squarecb:oracle=linear", *TRAINED, "--trace-features"], []),
    ("known-per-round", ["--agent", "c-squarecb:oracle=ridge", *TRAINED, *PER_ROUND], []),
    ("known-as-floor", ["--agent", "c-fastcb:oracle=ridge", *COSTS, *FLOOR, "--reserve", "5"], []),
    ("flipped", ["--agent", "squarecb:" + WIDE, *ROWS, "--noise", "flip:0.1"], []),
    ("in-order", ["--agent", "c-squarecb:oracle=linear", "--data",
                  "rows.csv:class=outcome,shuffle=no,norm=no,scale=none,indicators=no",
                  "--baseline", "good"], []),
]

# (name, words). Each comparison writes the folder of its name.
COMPARISONS = [
    ("grid", ["--agent", "c-squarecb:oracle=linear,lr=0.1|0.01", "--agent",
              "squarecb:oracle=linear", "--agent", "baseline", *LINEAR, *ROWS, "--alpha", "0.1",
              "--alpha", "0.5", "--runs", "3", "--tuning-runs", "2"]),
    ("networks", ["--agent", "c-fastcb:batch=8,width=8|20,optimizer=sgd|adam", "--agent",
                  "neural-ucb:gate=certified,hidden=8,train_steps=10,train_every=20",
                  *NONLINEAR, *DRIFTING, *LATE, "--alpha", "0.2", "--runs", "2", "--tuning-runs",
                  "1"]),
    ("many-gates", ["--agent", "c-smooth-igw:oracle=ridge,acceptance=smooth|igw", "--agent",
                    "c-linucb", "--agent", "c-lints", "--agent", "c-squarecb-ips:oracle=ridge",
                    "--agent", "uniform", *ARMED, *MISSPECIFIED, "--data",
                    "costs.csv:costs=low|middle|high,cost_max=2", "--noise", "bernoulli",
                    "--alpha", "0.1", "--alpha", "1", "--alpha", "4", "--runs", "2"]),
]
COMPARISON_TERMS = ["--rounds", "100", "--seed", "3", "--threads", "2", "--quiet", "-o"]


def all_saves():
    for name, spec, environment in SAVES:
        alpha = [] if "--alpha" in environment else SAVE_ALPHA
        words = ["handrail", "run", "--agent", spec, *environment, *alpha, *SAVE_TERMS, "--save",
                 name + ".save"]
        untraced = {"untraced": True} if name in UNTRACED else {}
        yield {"name": name, **untraced, "command": shlex.join(words)}


def run(name, words, audited, files):
    command = shlex.join(["handrail", "run", *words, *RUN_TERMS, "--trace", name + ".jsonl",
                          "--json"])
    return {"name": name, "command": command, **({"audited": True} if audited else {}),
            **({"files": files} if files else {})}


def all_runs():
    worlds = list(RUN_WORLDS)
    for place, (name, spec) in enumerate(RUN_AGENTS.items()):
        for step in WORLD_STEPS:
            world = worlds[(place + step) % len(worlds)]
            yield run("%s.%s" % (name, world), ["--agent", spec, *RUN_WORLDS[world]], False, [])
        yield run(name + ".rows", ["--agent", spec, *ROWS], True, [])
    for name, spec in ARMED_AGENTS.items():
        for world, words in (("armed", RUN_WORLDS["armed"]), ("rows", ROWS), ("costs", COSTS)):
            yield run("%s.%s" % (name, world), ["--agent", spec, *words], True, [])
    for name, spec in PRODUCT_AGENTS.items():
        for world, words in PRODUCTS.items():
            yield run("%s.%s" % (name, world), ["--agent", spec, *words], True, [])
    for name, words, files in MORE_RUNS:
        yield run(name, words, True, files)


def all_comparisons():
    for name, words in COMPARISONS:
        command = shlex.join(["handrail", "compare", *words, *COMPARISON_TERMS, name])
        yield {"name": name, "command": command}
