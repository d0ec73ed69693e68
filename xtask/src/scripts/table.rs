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
}

const fn line(line: &'static str) -> Script {
    Script { line, exit: 0 }
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
            line(
                "./tlc.py --trace-name 1C2N mc --term-count 2 --request-count 2 --raft-configs 1C2N consensus/MCccfraft.tla",
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
            Script {
                line: "sed '/BecomeLeader/d' example.ndjson > wrong.ndjson && \
                       ./validate.sh -s Traceetcdraft.tla -c Traceetcdraft.cfg wrong.ndjson",
                exit: 1,
            },
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
        scripts: &[line(
            "for spec in */*/; do spec=${spec%/}; [ -f \"$spec/MC${spec#*/}.tla\" ] || continue; echo \"$spec\"; \
             ./model-check.sh \"$spec\" || exit 1; done",
        )],
    },
];
