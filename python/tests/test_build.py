"""The script that builds the wheel."""
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "build.sh"


class Build(unittest.TestCase):
    def test_folder_is_the_callers(self):
        with tempfile.TemporaryDirectory() as folder:
            # A compiler that fails ends the script once it has made the folder.
            fake = Path(folder) / "go"
            fake.write_text("#!/bin/sh\nexit 1\n")
            fake.chmod(0o755)
            subprocess.run(["bash", str(SCRIPT), "-o", "made"], cwd=folder, env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
            self.assertTrue((Path(folder) / "made").is_dir())

    def test_help(self):
        said = subprocess.run(["bash", str(SCRIPT), "--help"], capture_output=True, text=True, check=True).stdout
        self.assertIn("build.sh -o FOLDER", said)
        self.assertNotIn("set -", said)

    def test_usage(self):
        said = subprocess.run(["bash", str(SCRIPT), "--nonsense"], capture_output=True, text=True)
        self.assertEqual(said.returncode, 2)
        self.assertIn("want -o FOLDER", said.stderr)
