# Copyright Spack Project Developers. See COPYRIGHT file for details.
#
# SPDX-License-Identifier: (Apache-2.0 OR MIT)

from spack_repo.builtin.build_systems.go import GoPackage

from spack.package import *


class Loadstone(GoPackage):
    """Statistical modelling of batch-computing workloads: reads the job log of a batch
    system, fits a model to it, generates synthetic workloads, simulates schedules, and
    scores predictors of job run times and queue waits."""

    homepage = "https://github.com/loadstone-hpc/loadstone"
    git = "https://github.com/loadstone-hpc/loadstone.git"

    license("Apache-2.0")

    # A released version gets its line here: version("0.1.0", tag="v0.1.0", commit="...")
    version("main", branch="main")

    depends_on("go@1.26:", type="build")

    sanity_check_is_file = [join_path("bin", "loadstone")]

    def build(self, spec, prefix):
        go("build", "-trimpath", "-ldflags", "-s -w", "-o", "loadstone", "./cmd/loadstone")

    def install(self, spec, prefix):
        mkdirp(prefix.bin)
        install("loadstone", prefix.bin)
        command = Executable(join_path(prefix.bin, "loadstone"))
        command("man", "man")
        for section in ("1", "7"):
            folder = join_path(prefix.share, "man", "man" + section)
            mkdirp(folder)
            install(join_path("man", "*." + section), folder)
        for shell, folder, name in (
            ("bash", "bash-completion/completions", "loadstone"),
            ("zsh", "zsh/site-functions", "_loadstone"),
            ("fish", "fish/vendor_completions.d", "loadstone.fish"),
        ):
            mkdirp(join_path(prefix.share, folder))
            with open(join_path(prefix.share, folder, name), "w") as script:
                command("completion", shell, output=script)
