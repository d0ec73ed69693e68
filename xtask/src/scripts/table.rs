//! The projects, and the scripts that their workflows run.

/// A project whose checkout is recognised by a file.
pub struct Project {
    pub name: &'static str,
    /// The file by which a checkout is recognised.
    pub marker: &'static str,
    /// The folder that is copied, and in which its scripts run.
    pub folder: &'static str,
    /// Files that a script looks for and nobody reads.
    pub empty_files: &'static [&'static str],
    pub scripts: &'static [Script],
}

/// A line of the shell, and its expected end.
pub struct Script {
    pub line: &'static str,
    pub exit: i32,
    /// Why it takes many minutes, with TLC too, if it does: such a line runs only with `--long`.
    pub long: Option<&'static str>,
}

const fn line(line: &'static str) -> Script {
    Script { line, exit: 0, long: None }
}

const fn long_line(line: &'static str, why: &'static str) -> Script {
    Script { line, exit: 0, long: Some(why) }
}

const fn failing_line(line: &'static str, exit: i32) -> Script {
    Script { line, exit, long: None }
}

pub const PROJECTS: &[Project] = &[
    Project {
        name: "CCF",
        marker: "tla/tlc.py",
        folder: "tla",
        empty_files: &[],
        scripts: &[
            line("./tlc.py mc consistency/MCSingleNode.tla"),
            line("./tlc.py mc consistency/MCSingleNodeReads.tla"),
            line(
                "./tlc.py --config consistency/MCSingleNodeOrderedSerializable.cfg mc consistency/MCSingleNode.tla",
            ),
            line("./tlc.py mc consistency/MCMultiNode.tla"),
            line("./tlc.py mc consistency/MCMultiNodeReads.tla"),
            line("./tlc.py mc consistency/MCMultiNodeReadsAlt.tla"),
            line(
                "for trace in consistency/traces/*.ndjson; do JSON=$trace ./tlc.py --workers 1 tv --disable-dfs \
                 consistency/TraceMultiNodeReads.tla || exit 1; done",
            ),
            line(
                "./tlc_debug.sh --config consistency/MCSingleNodeCommitReachability.cfg mc consistency/MCSingleNodeReads.tla",
            ),
            line(
                "./tlc_debug.sh --config consistency/MCMultiNodeCommitReachability.cfg mc consistency/MCMultiNodeReads.tla",
            ),
            line(
                "./tlc_debug.sh --config consistency/MCMultiNodeInvalidReachability.cfg mc consistency/MCMultiNodeReads.tla",
            ),
            line(
                "./tlc_debug.sh --config consistency/MCMultiNodeReadsNotLinearizable.cfg mc consistency/MCMultiNodeReads.tla",
            ),
            line("./tlc.py sim --num 500 --depth 50 consistency/MultiNodeReads.tla"),
            line("./tlc.py mc consensus/MCabs.tla"),
            long_line(
                "./tlc.py --trace-name 1C2N mc --term-count 2 --request-count 2 --raft-configs 1C2N consensus/MCccfraft.tla",
                "millions of states under VIEW and SYMMETRY",
            ),
            line(
                "./tlc.py --trace-name 1C3N mc --term-count 0 --request-count 3 --raft-configs 1C3N consensus/MCccfraft.tla",
            ),
            line("./tlc.py sim --max-seconds 60 consensus/SIMccfraft.tla"),
        ],
    },
    Project {
        name: "etcd raft",
        marker: "tla/Traceetcdraft.tla",
        folder: "tla",
        empty_files: &[],
        scripts: &[
            line("./validate.sh -s Traceetcdraft.tla -c Traceetcdraft.cfg example.ndjson"),
            // The log has a line that did not happen like this.
            failing_line(
                "sed '/BecomeLeader/d' example.ndjson > wrong.ndjson && \
                 ./validate.sh -s Traceetcdraft.tla -c Traceetcdraft.cfg wrong.ndjson",
                1,
            ),
        ],
    },
    Project {
        name: "tlaplus/Examples",
        marker: ".github/scripts/check_small_models.py",
        folder: ".",
        empty_files: &[],
        scripts: &[
            line("python3 .github/scripts/parse_modules.py --examples_root ."),
            line(
                "python3 .github/scripts/check_small_models.py --skip_apalache --examples_root . --skip \
                 specifications/ewd840/EWD840.cfg",
            ),
        ],
    },
    Project {
        name: "MongoDB",
        marker: "src/mongo/tla_plus/model-check.sh",
        folder: "src/mongo/tla_plus",
        empty_files: &["tla2tools.jar"],
        scripts: &[
            line("./model-check.sh Concurrency/OrderedTicketSemaphore"),
            long_line("./model-check.sh Replication/MongoReplReconfig", "tens of millions of states"),
            line("./model-check.sh Replication/RaftMongo"),
            line("./model-check.sh Replication/RaftMongoReplTimestamp"),
            line("./model-check.sh Sharding/MoveRange"),
            line("./model-check.sh Sharding/RangeDeletionsSecondaryNodes"),
            line("./model-check.sh Sharding/TxnsCollectionIncarnation"),
            line("./model-check.sh Sharding/TxnsMoveRange"),
        ],
    },
    Project {
        name: "pgbattery",
        marker: "tla/lease_fencing.tla",
        folder: "tla",
        empty_files: &[".tools/tla2tools.jar"],
        scripts: &[line("make check-specs"), line("make check-counterexamples"), line("make check-raft_lsn")],
    },
    Project {
        name: "gh-audit",
        marker: "tla/EmptyCommit.tla",
        folder: "tla",
        empty_files: &[".tools/tla2tools.jar"],
        // Attacks that must be found, rules that must hold, and states that must be there.
        scripts: &[line("./run.sh"), line("./run.sh Checks")],
    },
    Project {
        name: "lightepoch-tla",
        marker: "tla/StoreBuffer.tla",
        folder: "tla",
        empty_files: &[],
        scripts: &[line("TLA_TOOLS=tla2tools.jar bash run.sh")],
    },
    Project {
        name: "lightning-tla",
        marker: "SpecificationIIItoIV.tla",
        folder: ".",
        empty_files: &[],
        // A model of the Toolbox whose modules are in the current folder. The script passes over how TLC ends.
        scripts: &[line("./run-tlc.sh --smoke-test && tail -n 20 output/smoke_test.log | grep 'No error'")],
    },
    Project {
        name: "dag-consensus",
        marker: "TLCSailfish1.tla",
        folder: ".",
        empty_files: &["tla2tools.jar"],
        scripts: &[line("make sany TLA_SPEC=BlockDag.tla"), line("make block-dag-test")],
    },
    Project {
        name: "flurm",
        marker: "tla/FlurmMigration.tla",
        folder: "tla",
        empty_files: &["tla2tools.jar"],
        scripts: &[
            line(
                "./run_tlc.sh FlurmMigration > log; grep 'TLC completed successfully for FlurmMigration' log",
            ),
            // Modules with unknown names: the script goes on, and tells that nothing is known.
            line("./run_tlc.sh FlurmScheduler > log; grep 'TLC status unknown for FlurmScheduler' log"),
        ],
    },
    Project {
        name: "lockstep",
        marker: "specs/XShardCommit.tla",
        folder: ".",
        empty_files: &["tools/tla/tla2tools.jar"],
        scripts: &[
            line("scripts/tlc.sh -config specs/Sequencer.cfg specs/Sequencer.tla"),
            line("scripts/tlc.sh -config specs/Consensus1.cfg specs/Consensus.tla"),
            failing_line("scripts/tlc.sh -config specs/Membership2.cfg specs/Membership.tla", 12),
        ],
    },
];
