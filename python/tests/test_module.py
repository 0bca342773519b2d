"""Errors, warnings, interrupts, temporary files and the installed command."""
import datetime
import importlib.metadata
import inspect
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import warnings
from pathlib import Path
from unittest import mock

import numpy as np
import pandas as pd

import loadstone
from loadstone import _command


class Folder(unittest.TestCase):
    """A test with a folder of its own, in which temporary files go too."""

    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)
        self.log = self.folder / "log.swf"
        loadstone.run("generate", model="lublin1999", jobs=2000, seed=3, output=self.log, quiet=True)
        self.temporary, tempfile.tempdir = tempfile.tempdir, str(self.folder / "temporary")
        os.mkdir(tempfile.tempdir)
        self.addCleanup(setattr, tempfile, "tempdir", self.temporary)

    def assertNoFilesLeft(self):
        self.assertEqual(os.listdir(tempfile.tempdir), [])


class Errors(Folder):
    def test_failed(self):
        with self.assertRaisesRegex(loadstone.Error, r"^nothing\.swf: no such file or directory$") as caught:
            loadstone.read("nothing.swf")
        self.assertEqual(caught.exception.code, 1)
        self.assertNoFilesLeft()

    def test_pickled(self):
        error = pickle.loads(pickle.dumps(loadstone.Error("no such file", 1, "a,b")))
        self.assertEqual((str(error), error.code, error.output), ("no such file", 1, "a,b"))

    def test_timedelta(self):
        day = datetime.timedelta(days=1)
        with self.assertRaisesRegex(loadstone.Error, "^exec true: it ended"):
            loadstone.runtime(self.log, exec="true", exec_timeout=day)
        self.assertEqual(loadstone.generate("lublin1999", jobs=10, estimates="tsafrir", max_estimate=day)["requested_time_s"].max(), 86400)

    def test_numpy_scalars(self):
        given = {"procs": np.int64(5), "load": np.float64(0.5), "like": np.str_("log"), "quiet": np.bool_(True), "days": datetime.timedelta(hours=36)}
        self.assertEqual(list(_command.flags("generate", given)), ["--procs=5", "--load=0.5", "--like=log", "--quiet", "--days=1.5"])
        given = {"at": np.datetime64("1996-10-20T09:00"), "quiet": np.bool_(False), "time": np.timedelta64(1, "h")}
        self.assertEqual(list(_command.flags("wait", given)), ["--at=1996-10-20T09:00:00", "--time=3600"])

    def test_flags(self):
        given = {"by": ["user", "queue"], "wait_from": "eligible", "quiet": True, "as_": None, "map": {"user": "Who", "run_time": "a,b"}}
        self.assertEqual(list(_command.flags("describe", given)), ["--by=user,queue", "--wait-from=eligible", "--quiet", '--map=user=Who,"run_time=a,b"'])
        given = {"require": ["coverage(bmbp)>=0.95", "jobs>1"], "unbias": False, "classes": []}
        self.assertEqual(list(_command.flags("predict", given)), ["--require=coverage(bmbp)>=0.95", "--require=jobs>1"])

    def test_unknown_status(self):
        jobs = pd.DataFrame({"submit_time_s": [0, 5], "run_time_s": [3, 4], "allocated_processors": [1, 2], "status": [1, 9]})
        status = loadstone.read(jobs, quiet=True)["status"]
        self.assertEqual(status[0], "completed")
        self.assertTrue(pd.isna(status[1]))

    def test_scores_of_parts(self):
        scheduled = loadstone.simulate(self.log)
        predictions = scheduled[["job_id"]].assign(predicted_s=100.0)
        for command, inputs, options in [("runtime", [self.log], {}), ("score", [scheduled, predictions], {}),
                                         ("score", [scheduled, predictions], {"of": "wait"}), ("predict", [scheduled], {"predictors": "bmbp"})]:
            with self.assertRaisesRegex(TypeError, rf'loadstone.json\("{command}", ..., by=...\) has them under "parts"'):
                getattr(loadstone, command)(*inputs, by="month", **options)
            result = loadstone.json(command, *inputs, by="month", quiet=True, **options)
            self.assertTrue(result.get("parts") or result["scores"][0]["parts"])

    def test_usage(self):
        with self.assertRaisesRegex(loadstone.Error, r'^predictors "last3": want one of es, rm') as caught:
            loadstone.runtime(self.log, predictors="last3")
        self.assertEqual(caught.exception.code, 2)

    def test_condition_not_met_keeps_the_result(self):
        with self.assertRaises(loadstone.Error) as caught:
            loadstone.runtime(self.log, classes="all", require="accuracy(last2,all)>=0.99")
        self.assertEqual(caught.exception.code, 3)
        self.assertTrue(caught.exception.output.startswith("classes,predictor,"))

    def test_input_that_looks_like_a_flag(self):
        with self.assertRaisesRegex(loadstone.Error, r"^(--)?help: no such file"):
            loadstone.read("--help")

    def test_any_command(self):
        page = self.folder / "report.html"
        loadstone.run("report", self.log, output=page, quiet=True)
        self.assertIn("<html", page.read_text())
        self.assertNoFilesLeft()

    def test_pictures(self):
        for command, log in ((loadstone.describe, self.log), (loadstone.fit, loadstone.read(self.log))):
            folder = self.folder / command.__name__
            command(log, plots=folder, plot_format="png", quiet=True)
            self.assertTrue(all(p.read_bytes().startswith(b"\x89PNG") for p in folder.iterdir()))
            self.assertIn({"describe": "submissions.png", "fit": "run-times.png"}[command.__name__], os.listdir(folder))
        self.assertNoFilesLeft()

    def test_frame_is_named_without_its_folder(self):
        jobs = loadstone.read(self.log)
        jobs["run_time_s"] = "soon"
        with self.assertRaisesRegex(loadstone.Error, r'^DataFrame, row 0: .*"soon"'):
            loadstone.describe(jobs)
        self.assertNoFilesLeft()

    def test_what_is_no_log(self):
        for wrong in (loadstone.read(self.log)["job_id"], 5, [1], None):
            with self.assertRaisesRegex(TypeError, f"^saw a {type(wrong).__name__}, want a DataFrame"):
                loadstone.read(wrong)
        with self.assertRaisesRegex(loadstone.Error, "^a=1: no such model file"):
            loadstone.generate({"a": 1})

    def test_no_such_command(self):
        with self.assertRaisesRegex(loadstone.Error, 'unknown command "descibe"; did you mean describe'):
            loadstone.table("descibe", self.log)

    def test_results_are_written_to_files(self):
        for function, name, begin in ((loadstone.runtime, "scores.csv", "classes,predictor,"), (loadstone.clean, "kept.swf", "; ")):
            options = {"filter": "run<60"} if function is loadstone.clean else {}
            self.assertIsNone(function(self.log, output=self.folder / name, **options))
            self.assertTrue((self.folder / name).read_text().startswith(begin))

    def test_arguments(self):
        self.assertEqual(len(loadstone.clean(self.log, "run<60")), len(loadstone.clean(self.log, filter=["run<60"])))
        with self.assertRaisesRegex(TypeError, r"^describe\(\) got an unexpected keyword argument 'proc'; did you mean procs\?$"):
            loadstone.describe(self.log, proc=4)
        with self.assertRaisesRegex(TypeError, r"^describe\(\) takes 1 positional arguments but 2 were given$"):
            loadstone.describe(self.log, self.log)
        self.assertIn("summarise the jobs of each class", loadstone.describe.__doc__)
        self.assertIn("wait_from=None", str(inspect.signature(loadstone.describe)))
        self.assertIn("describe", dir(loadstone))
        with self.assertRaisesRegex(AttributeError, "no attribute 'descibe'"):
            loadstone.descibe

    def test_no_command(self):
        with mock.patch.dict(os.environ, LOADSTONE=str(self.folder / "none")), \
                self.assertRaisesRegex(loadstone.Error, "^cannot run .*none: No such file"):
            loadstone.models()


class Warnings(Folder):
    def test_warning_is_in_the_callers_line(self):
        self.log.write_text("; MaxProcs: 8\n1 0 0 0 2 -1 -1 2 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            loadstone.read(self.log)
        self.assertEqual([(w.category, w.filename) for w in caught], [(loadstone.Warning, __file__)])
        self.assertRegex(str(caught[0].message), "run time of 0")

    def test_quiet(self):
        self.log.write_text("; MaxProcs: 8\n1 0 0 0 2 -1 -1 2 -1 -1 1 -1 -1 -1 -1 -1 -1 -1\n")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            loadstone.read(self.log, quiet=True)

    def test_notes_are_logged(self):
        with self.assertLogs("loadstone", "INFO") as logged, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loadstone.fit(self.log, family="gamma")
        self.assertTrue(any("left out: run time not above 1 s" in line for line in logged.output), logged.output)
        self.assertNoFilesLeft()


    def test_standard_error_of_a_program_is_logged(self):
        program = self.folder / "program.py"
        program.write_text(f"""#!{sys.executable}
import json, sys
for line in sys.stdin:
    event = json.loads(line)
    if "submit" in event:
        print(json.dumps({{"row": event["submit"]["row"], "predicted_s": 100}}), flush=True)
print("all answered", file=sys.stderr)
""")
        program.chmod(0o755)
        with self.assertLogs("loadstone", "INFO") as logged:
            loadstone.runtime(self.log, exec=program, predictors="last2", classes="all", quiet=True)
        self.assertTrue(any("all answered" in line for line in logged.output), logged.output)


class Interrupt(Folder):
    def test_interrupt_ends_the_command(self):
        # The shell in the command's place writes its number, and would run for a minute. It
        # does so a second after it began, when Popen has returned and knows it.
        fake = self.folder / "fake"
        fake.write_text(f"#!/bin/sh\nsleep 1\necho $$ >{self.folder}/number\nexec sleep 60\n")
        fake.chmod(0o755)
        code = "import loadstone; loadstone.read('log.swf')"
        process = subprocess.Popen([sys.executable, "-c", code], env={**os.environ, "LOADSTONE": str(fake), "TMPDIR": tempfile.tempdir}, stderr=subprocess.PIPE)
        number = self.folder / "number"
        for _ in range(600):
            if number.exists() and number.read_text().endswith("\n"):
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=20)
        self.assertIn(b"KeyboardInterrupt", said)
        with self.assertRaises(ProcessLookupError):
            os.kill(int(number.read_text()), 0)
        self.assertNoFilesLeft()


class Command(unittest.TestCase):
    def test_it_is_the_installed_one(self):
        version = f"loadstone version {importlib.metadata.version('loadstone')}"
        self.assertEqual(version, f"loadstone version {loadstone.__version__}")
        script = Path(sys.executable).parent / "loadstone"
        for command in ([sys.executable, "-m", "loadstone"], [str(script)], [loadstone.executable()]):
            said = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True).stdout
            self.assertTrue(said.startswith(version), said)

    def test_wheel_is_of_one_platform(self):
        wheel = importlib.metadata.distribution("loadstone").read_text("WHEEL")
        self.assertIn("Root-Is-Purelib: false", wheel)
        self.assertRegex(wheel, r"Tag: py3-none-(manylinux|macosx)_")
        self.assertNotIn("Tag: py3-none-any", wheel)


class Stubs(unittest.TestCase):
    def test_they_are_what_the_script_writes(self):
        python = Path(__file__).parent.parent
        environment = {**os.environ, "LOADSTONE": loadstone.executable()}
        wanted = subprocess.run([sys.executable, str(python / "stubs.py")], env=environment, capture_output=True, text=True, check=True).stdout
        self.assertEqual((python / "loadstone" / "__init__.pyi").read_text(), wanted, "run python/stubs.py, as it says")
        self.assertTrue((Path(loadstone.__file__).parent / "__init__.pyi").exists())
