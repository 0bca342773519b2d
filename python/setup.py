"""Makes the wheel of the machine that its binary is for: see build.sh."""
import os
import re
from pathlib import Path

from setuptools import Distribution, setup
from wheel.bdist_wheel import bdist_wheel

# The binary is static: it needs no C library, so any Linux of the processor will do.
TAGS = {"linux-amd64": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
        "linux-arm64": "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
        "darwin-amd64": "macosx_11_0_x86_64", "darwin-arm64": "macosx_11_0_arm64"}


class Binary(Distribution):
    """A distribution that differs by platform."""

    def has_ext_modules(self):
        return True


class Wheel(bdist_wheel):
    """A wheel of one platform and of any Python."""

    def get_tag(self):
        return "py3", "none", TAGS[os.environ["LOADSTONE_PLATFORM"]]


source = (Path(__file__).resolve().parent.parent / "internal/version/version.go").read_text()
setup(version=re.search(r'Number = "(.+)"', source)[1], distclass=Binary, cmdclass={"bdist_wheel": Wheel})
