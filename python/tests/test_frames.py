"""The declared types of frames, and frames as inputs."""
import io
import json
import os
import subprocess
import tempfile
import unittest
import warnings
import zoneinfo
from pathlib import Path
from unittest import mock

import pandas as pd

import loadstone
from loadstone import _command, _frames

TRACES = Path(os.environ.get("LOADSTONE_TRACES", "none"))


class Frames(unittest.TestCase):
    def setUp(self):
        context = warnings.catch_warnings()
        context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        warnings.simplefilter("ignore")

    def assertSameJobs(self, a, b):
        """Two tables are the same but for numbers that stand for names."""
        self.assertEqual(list(a.columns), list(b.columns))
        for name in a.columns:
            if not (name.endswith("_id") and name[:-3] in a):
                pd.testing.assert_series_equal(a[name], b[name], check_categorical=False)


class JobTable(Frames):
    def test_types_are_declared(self):
        jobs = loadstone.generate("lublin1999", jobs=500, seed=1)
        for name, column in _command.interface()["columns"].items():
            if name in jobs and name != "status":
                self.assertEqual(str(jobs[name].dtype), "Float64" if column["float"] else "Int64", name)
        self.assertEqual(jobs["status"].cat.categories.tolist()[:2], ["failed", "completed"])
        self.assertEqual(str(jobs["submit_time"].dtype), "datetime64[ns, UTC]")
        self.assertEqual(jobs["queue"].cat.categories.tolist(), ["interactive", "batch"])
        self.assertTrue(jobs["wait_time_s"].isna().all())
        self.assertEqual(jobs.attrs["header"]["MaxProcs"], "128")

    def test_moments(self):
        with tempfile.TemporaryDirectory() as folder:
            log = Path(folder) / "log.swf"
            log.write_text("; UnixStartTime: 86400\n1 10 5 20 2 -1 -1 2 -1 -1 5 -1 -1 -1 -1 -1 -1 -1\n")
            jobs = loadstone.read(log)
        self.assertEqual(jobs["submit_time"][0], pd.Timestamp("1970-01-02 00:00:10", tz="UTC"))
        self.assertEqual(jobs["status"][0], "cancelled")
        self.assertIs(jobs["user_id"][0], pd.NA)

    def test_whole_numbers_are_exact(self):
        numbers = pd.array([2**53 - 1, None], "Int64")
        jobs = loadstone.read(pd.DataFrame({"job_id": numbers, "submit_time_s": [0, 0.1]}), quiet=True)
        self.assertEqual((jobs["job_id"][0], jobs["submit_time_s"][1]), (2**53 - 1, 0.1))

    def test_read_again_is_the_same(self):
        jobs = loadstone.simulate(loadstone.generate("lublin1999", jobs=500, seed=1))
        self.assertSameJobs(loadstone.read(jobs), jobs)

    def test_filtered_frame_keeps_machine_and_clock(self):
        jobs = loadstone.generate("lublin1999", jobs=500, seed=1)
        batch = jobs[jobs["queue"] == "batch"]
        log = loadstone.json("describe", batch)["log"]
        self.assertEqual((log["processors"], log["start"]), (128, "2001-01-01T00:00:00Z"))
        self.assertEqual(len(loadstone.simulate(batch)), len(batch))

    def test_header_lines_are_kept(self):
        lines = """; Version: 2.2
; Computer: IBM SP2
; Information: http://www.pdc.kth.se/
;              http://www.cs.huji.ac.il/labs/parallel/workload/
; Conversion: Dror Feitelson
; UnixStartTime: 86400
; StartTime: Fri Jan 02 00:00:00 UTC 1970
; MaxProcs: 8
; Note: uses the EASY scheduler
; Note: job<=14: removed
""".splitlines()
        stale = ["; MaxJobs: 1", "; MaxRecords: 1", "; EndTime: Fri Jan 02 00:00:30 UTC 1970"]
        with tempfile.TemporaryDirectory() as folder:
            log, again = Path(folder) / "log.swf", Path(folder) / "again.swf"
            log.write_text("\n".join([*lines, *stale, "1 10 5 20 2 -1 -1 2 -1 -1 5 -1 -1 -1 -1 -1 -1 -1", ""]))
            jobs = loadstone.read(log)
            self.assertEqual(jobs.attrs["header"]["Note"], "uses the EASY scheduler\njob<=14: removed")
            loadstone.convert(jobs, again)
            kept = [line for line in again.read_text().splitlines() if line.startswith(";")]
            lines[3] = "; Information: http://www.cs.huji.ac.il/labs/parallel/workload/"
            self.assertEqual(kept, lines)
            self.assertEqual(loadstone.read(again).attrs, jobs.attrs)

    @unittest.skipUnless((TRACES / "swf").is_dir(), "no real logs: LOADSTONE_TRACES names none")
    def test_real_logs(self):
        kth = loadstone.read(TRACES / "swf/KTH-SP2-1996-2.1-cln.swf.gz")
        # The log's page in the archive gives its jobs, users, machine and start.
        self.assertEqual((len(kth), kth["user_id"].nunique(), kth.attrs["header"]["MaxProcs"]), (28476, 214, "100"))
        self.assertEqual(kth["submit_time"].min(), pd.Timestamp(843480031 + 599850, unit="s", tz="UTC"))
        self.assertSameJobs(loadstone.read(kth), kth)
        slurm = loadstone.read(TRACES / "slurm-json/sacct-22.05.json")
        self.assertIn("user", slurm)
        self.assertSameJobs(loadstone.read(slurm), slurm)


class Sacct(unittest.TestCase):
    """Frames of what Slurm's sacct prints."""

    TEXT = """JobID|JobIDRaw|User|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|NCPUS
100|100|ann|COMPLETED|2024-01-01T10:00:00|2024-01-01T10:10:00|2024-01-01T11:10:00|3600|120|4
101_3|102|bob|CANCELLED by 1001|2024-01-01T10:05:00|None|2024-01-01T10:30:00|0|UNLIMITED|8
103|103|cat|RUNNING|2024-01-01T10:07:00|2024-01-01T10:20:00|Unknown|17|1440|1
"""

    def test_same_as_the_listing(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "jobs.txt"
            file.write_text(self.TEXT)
            wanted = loadstone.read(file, timezone="UTC", quiet=True)
        self.assertEqual(wanted["job_id"].tolist(), [100, 102, 103])
        self.assertEqual(wanted["requested_time_s"].fillna(-1).tolist(), [7200, -1, 86400])
        self.assertEqual(wanted["run_time_s"].fillna(-1).tolist(), [3600, -1, -1])
        frame = pd.read_csv(io.StringIO(self.TEXT), sep="|")
        times = frame.assign(Submit=pd.to_datetime(frame["Submit"]))
        floats = frame.assign(TimelimitRaw=pd.to_numeric(frame["TimelimitRaw"], errors="coerce"), NCPUS=frame["NCPUS"].astype(float), ElapsedRaw=frame["ElapsedRaw"].astype(float))
        lengths = times.drop(columns=["ElapsedRaw", "TimelimitRaw"]).assign(
            Elapsed=pd.to_timedelta(frame["ElapsedRaw"], unit="s"), Timelimit=pd.to_timedelta([7200, None, 86400], unit="s"))
        for name, form in {"texts": frame, "times": times, "floats": floats, "lengths": lengths}.items():
            with self.subTest(name):
                jobs = loadstone.read(form, timezone="UTC", quiet=True)
                for column in "job_id", "submit_time_s", "wait_time_s", "run_time_s", "requested_time_s", "allocated_processors", "array_id", "user":
                    self.assertEqual(jobs[column].astype(object).fillna(-1).tolist(), wanted[column].astype(object).fillna(-1).tolist(), column)


class Disagreeing(unittest.TestCase):
    """Columns that are computed from others, after one of them was changed."""

    @classmethod
    def setUpClass(cls):
        cls.jobs = loadstone.generate("lublin1999", jobs=50, seed=1)

    def test_moments(self):
        hour = pd.Timedelta("1h")
        later = self.jobs.assign(submit_time=self.jobs["submit_time"] + hour)
        with self.assertWarnsRegex(loadstone.Warning, "^submit_time and submit_time_s disagree: submit_time_s is read"):
            loadstone.read(later)
        later = loadstone.read(later.drop(columns="submit_time_s"))
        self.assertEqual(later["submit_time"].tolist(), (self.jobs["submit_time"] + hour).tolist())

    def test_moments_that_are_no_datetimes(self):
        moments = self.jobs["submit_time"]
        hours = pd.to_datetime(pd.Series(range(50)) * 3600, unit="s", origin="2001-03-02", utc=True)
        objects = moments.astype(object)
        objects[3] = pd.Timestamp("2001-03-02 03:00")
        for column, want in [
            (hours.astype(str), hours), (hours.dt.strftime("%Y-%m-%dT%H:%M:%S"), hours), (hours.dt.date, hours.dt.floor("D")),
            (pd.Series(list(hours.dt.to_pydatetime()), dtype=object), hours), (hours.dt.tz_localize(None).dt.to_period("D"), hours.dt.floor("D")),
            (pd.Series(range(983491200, 983491200 + 50 * 3600, 3600)), hours), (hours.astype(str).astype("category"), hours),
            (pd.Series([60.0 * i for i in range(50)]), moments[0].floor("D") + pd.to_timedelta(range(50), unit="min")),
            (objects, moments.mask(objects.index == 3, pd.Timestamp("2001-03-02 03:00", tz="UTC"))),
            (hours.astype(str).mask(hours.index == 2), hours.mask(hours.index == 2)),
        ]:
            read = loadstone.read(self.jobs.assign(submit_time=column.array).drop(columns="submit_time_s"), quiet=True)
            pd.testing.assert_series_equal(read["submit_time"], pd.Series(want), check_names=False)
            self.assertEqual((read.attrs["header"]["MaxProcs"], read["queue"].tolist()), ("128", self.jobs["queue"].tolist()))
            with self.assertWarnsRegex(loadstone.Warning, "^submit_time and submit_time_s disagree: submit_time_s is read"):
                beside = loadstone.read(self.jobs.assign(submit_time=column.array))
            self.assertEqual(beside["submit_time"].tolist(), moments.tolist())
        rubbish = self.jobs.assign(submit_time="soon")
        with self.assertRaisesRegex(loadstone.Error, '^DataFrame, row 0: submit_time .*: saw "soon"'):
            loadstone.read(rubbish.drop(columns="submit_time_s"))
        with self.assertWarnsRegex(loadstone.Warning, "^submit_time and submit_time_s disagree: submit_time_s is read"):
            self.assertEqual(loadstone.read(rubbish)["submit_time"].tolist(), moments.tolist())

    def test_texts_of_moments_that_agree(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            loadstone.read(self.jobs.assign(submit_time=self.jobs["submit_time"].astype(str)))

    def test_moments_in_the_header_s_zone(self):
        local = self.jobs.assign(submit_time="2001-01-05 12:00").drop(columns="submit_time_s")
        local.attrs = {"header": {**self.jobs.attrs["header"], "TimeZoneString": "America/Los_Angeles"}}
        self.assertEqual(loadstone.read(local)["submit_time"][0], pd.Timestamp("2001-01-05 20:00", tz="UTC"))

    def test_moments_beside_a_header_without_a_start(self):
        jobs = self.jobs.drop(columns="submit_time_s")
        jobs.attrs = {"header": {"MaxProcs": "128"}}
        read = loadstone.read(jobs)
        self.assertEqual((read["submit_time"].tolist(), read.attrs["header"]["MaxProcs"]), (jobs["submit_time"].tolist(), "128"))

    def test_names(self):
        changed = self.jobs.copy()
        changed.loc[3, "queue_id"] = 99
        with self.assertWarnsRegex(loadstone.Warning, "^queue and queue_id disagree: queue is read"):
            loadstone.read(changed)

    def test_names_of_some_numbers(self):
        mine = pd.DataFrame({"submit_time": range(4), "run_time": 5, "requested_processors": 1, "user_id": [7.0, 8, None, 9], "user": ["ann", None, None, ""]})
        jobs = loadstone.read(mine, quiet=True)
        named = pd.DataFrame({"user_id": [1], "user": ["ann"]})
        for frame in (mine, jobs.drop(columns="user").assign(user_id=[7, 8, None, 9], user=["ann", None, None, ""])):
            with self.assertWarnsRegex(loadstone.Warning, "^user and user_id disagree: user is read"):
                read = loadstone.read(frame)
            self.assertEqual((read["user"][0], read["user_id"].isna().sum()), ("ann", 3))

    def test_a_name_of_several_numbers(self):
        mine = pd.DataFrame({"submit_time": range(3), "run_time": 5, "user_id": [7, 8, 9], "user": ["ann", "same", "same"]})
        for frame in (mine, loadstone.read(mine, quiet=True).assign(user_id=[7, 8, 9])):
            with self.assertWarnsRegex(loadstone.Warning, "^user and user_id disagree: user is read. Change"):
                self.assertEqual(loadstone.read(frame)["user"].tolist(), ["ann", "same", "same"])

    def test_texts_for_numbers(self):
        changed = self.jobs.drop(columns="queue").assign(queue_id=["night", *["day"] * 49])
        self.assertEqual(loadstone.read(changed)["queue"].tolist(), changed["queue_id"].tolist())

    def test_unchanged(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            loadstone.read(self.jobs[self.jobs["queue"] == "batch"])


class Derived(unittest.TestCase):
    """Frames that were made from one that was read here, and are job tables no longer."""

    @classmethod
    def setUpClass(cls):
        cls.jobs = loadstone.generate("lublin1999", jobs=50, seed=1)

    def assertKeepsTheMachine(self, jobs):
        self.assertEqual((jobs.attrs["header"]["MaxProcs"], jobs["submit_time"].tolist()), ("128", self.jobs["submit_time"].tolist()))
        self.assertEqual(jobs["queue"].tolist(), self.jobs["queue"].tolist())

    def test_fractions(self):
        jobs = self.jobs.copy()
        jobs["allocated_processors"] = 1.5
        with self.assertWarnsRegex(loadstone.Warning, "^DataFrame: values of allocated_processors that are not whole numbers: left unknown; 50 times, first in row 0: 1.5"):
            read = loadstone.read(jobs)
        self.assertKeepsTheMachine(read)

    def test_whole_numbers_as_floats(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            read = loadstone.read(self.jobs.assign(allocated_processors=self.jobs["allocated_processors"] * 1.0))
        self.assertEqual(read["allocated_processors"].tolist(), self.jobs["allocated_processors"].tolist())

    def test_renamed(self):
        renamed = self.jobs.rename(columns={"run_time_s": "runtime"})
        with self.assertWarnsRegex(loadstone.Warning, "^DataFrame: columns read under other names: runtime as run_time_s"):
            read = loadstone.read(renamed)
        self.assertEqual(read["run_time_s"].tolist(), self.jobs["run_time_s"].tolist())
        self.assertEqual(read["status"].tolist(), self.jobs["status"].tolist())
        self.assertKeepsTheMachine(read)

    def test_renamed_with_map(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            read = loadstone.read(self.jobs.rename(columns={"run_time_s": "took"}), map={"run_time": "took"})
        self.assertEqual(read["run_time_s"].tolist(), self.jobs["run_time_s"].tolist())
        self.assertKeepsTheMachine(read)

    def test_map_to_a_new_column(self):
        read = loadstone.read(self.jobs.assign(twice=self.jobs["run_time_s"] * 2), map={"run_time": "twice"}, quiet=True)
        self.assertEqual(read["run_time_s"].tolist(), (self.jobs["run_time_s"] * 2).tolist())

    def test_added_columns_are_left_alone(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertKeepsTheMachine(loadstone.read(self.jobs.assign(hour=self.jobs["submit_time"].dt.hour)))

    def test_header_with_numbers(self):
        jobs = self.jobs.copy()
        jobs.attrs["header"] = {**jobs.attrs["header"], "MaxProcs": 256}
        self.assertEqual(loadstone.read(jobs).attrs["header"]["MaxProcs"], "256")
        jobs.attrs["header"]["MaxProcs"] = "many"
        with self.assertRaisesRegex(loadstone.Error, r'^DataFrame: MaxProcs: saw "many", want a whole number$'):
            loadstone.read(jobs)

    def test_predictions(self):
        predictions = self.jobs[["job_id"]].assign(predicted_s=100.0)
        scores = loadstone.table("score", self.jobs, predictions, quiet=True)
        self.assertEqual(scores["predicted"].tolist(), [50])
        # The mean of the predictions less that of the run times.
        self.assertAlmostEqual(scores["bias_s"][0], 100 - self.jobs["run_time_s"].mean(), places=6)


class ForeignFrames(Frames):
    texts = pd.DataFrame({"Job ID": ["b_2", "a_1", "12_3"], "submit_time": [0, 60, 30], "run_time": [5, 7, 9], "requested_processors": [1, 2, 3]})

    def test_text_ids(self):
        jobs = loadstone.read(self.texts)
        self.assertEqual(jobs[["job_id", "job"]].values.tolist(), [[1, "b_2"], [2, "a_1"], [3, "12_3"]])
        named = self.texts.rename(columns={"Job ID": "name"})
        for scheduled in (loadstone.simulate(self.texts, procs=4), loadstone.simulate(jobs, procs=4),
                          loadstone.simulate(named, procs=4, map={"job_id": "name"}), loadstone.simulate(named, procs=4, map={"job": "name"})):
            self.assertEqual(scheduled["job"].tolist(), ["b_2", "12_3", "a_1"])
            self.assertEqual(scheduled["run_time_s"].tolist(), [5, 9, 7])
        self.assertEqual(loadstone.read(jobs[jobs["job_id"] > 1]).values.tolist(), jobs[1:].values.tolist())
        self.assertEqual(loadstone.read(jobs.rename(columns={"run_time_s": "runtime"}))["job"].tolist(), ["b_2", "a_1", "12_3"])

    def test_text_ids_of_predictions(self):
        predictions = pd.DataFrame({"job_id": ["a_1", "b_2"], "predicted_s": [7, 10]})
        # Exact for a_1, half for b_2, which takes 5 s; 12_3 has none.
        for log in (self.texts, loadstone.read(self.texts)):
            self.assertEqual(loadstone.score(log, predictions)[["jobs", "predicted", "accuracy_mean"]].values.tolist(), [[3, 2, 0.75]])
        with self.assertRaisesRegex(ValueError, "^1 predictions are for jobs that the log does not have, such as 'x'$"):
            loadstone.score(self.texts, predictions.assign(job_id=["a_1", "x"]))

    def test_text_ids_with_leading_zeros(self):
        padded = self.texts.assign(**{"Job ID": ["000003", "000001", "000002"]})
        jobs = loadstone.read(padded)
        self.assertEqual(jobs[["job_id", "job"]].values.tolist(), [[1, "000003"], [2, "000001"], [3, "000002"]])
        # Exact for all three, which take 5, 7 and 9 s, in any order.
        exact = pd.DataFrame({"job_id": ["000001", "000002", "000003"], "predicted_s": [7, 9, 5]})
        for log in (padded, jobs):
            self.assertEqual(loadstone.score(log, exact)[["predicted", "accuracy_mean"]].values.tolist(), [[3, 1]])
        numbered = pd.DataFrame([["007", 0, 5], ["7", 60, 6]])
        self.assertEqual(loadstone.read(numbered, map={"job_id": 0, "submit_time": 1, "run_time": 2})["job"].tolist(), ["007", "7"])
        for ids in (["01", "1", "001"], ["1", "1.0", "2"]):
            jobs = loadstone.read(self.texts.assign(**{"Job ID": ids}))
            self.assertEqual((jobs["job_id"].tolist(), jobs["job"].tolist()), ([1, 2, 3], ids))
        self.assertEqual(loadstone.read(self.texts.assign(**{"Job ID": ["a", None, "a"]}))["job"].isna().tolist(), [False, True, False])
        self.assertEqual(loadstone.score(self.texts.assign(**{"Job ID": ["01", "1", "x"]}), pd.DataFrame({"job_id": ["1"], "predicted_s": [7]}))["accuracy_mean"].tolist(), [1])

    def test_text_ids_of_the_index(self):
        frame = self.texts.rename(columns={"Job ID": "job_id"})
        for indexed in (frame.set_index("job_id"), frame.rename(columns={"job_id": "job"}).set_index("job"), loadstone.read(frame).set_index("job"),
                        loadstone.read(frame).drop(columns="job_id").set_index("job")):
            self.assertEqual(loadstone.read(indexed)["job"].tolist(), ["b_2", "a_1", "12_3"])
            self.assertEqual(loadstone.simulate(indexed, procs=4)[["job", "run_time_s"]].values.tolist(), [["b_2", 5], ["12_3", 9], ["a_1", 7]])

    def test_text_ids_of_two_logs(self):
        parts = [loadstone.read(self.texts.assign(submit_time=pd.to_datetime([day] * 3, utc=True), **{"Job ID": ids}))
                 for day, ids in (("2026-01-01", ["1_a", "1_b", "1_c"]), ("2026-02-01", ["2_a", "2_b", "2_c"]))]
        parts[1].loc[1, "preceding_job_id"] = 1
        for both in (pd.concat(parts, ignore_index=True), pd.concat(parts)):
            read = loadstone.read(both)
            self.assertEqual((read["job_id"].tolist(), read["job"].tolist()), ([1, 2, 3, 4, 5, 6], both["job"].tolist()))
            self.assertTrue(read["preceding_job_id"].isna().all())  # it would be a job of the first log

    def test_text_ids_in_a_frame_that_was_read(self):
        jobs = loadstone.read(self.texts.assign(**{"Job ID": [1, 2, 3]})).assign(job_id=["15_a", "15_b", "15_c"])
        self.assertEqual(loadstone.read(jobs)[["job_id", "job", "run_time_s"]].values.tolist(), [[1, "15_a", 5], [2, "15_b", 7], [3, "15_c", 9]])

    def test_anonymise_has_no_text_ids(self):
        self.assertNotIn("job", loadstone.anonymise(self.texts))
        self.assertNotIn("job", loadstone.anonymise(loadstone.read(self.texts)))

    def test_numbers_as_texts(self):
        jobs = loadstone.read(self.texts.assign(**{"Job ID": ["3", "1", "2"]}))
        self.assertEqual(jobs["job_id"].tolist(), [3, 1, 2])
        self.assertNotIn("job", jobs)

    def test_rows_count_from_0(self):
        backwards = self.texts.assign(**{"Job ID": [1, 2, 3]})
        for frame in (backwards, loadstone.read(backwards)):
            faults = loadstone.validate(frame).set_index("rule")
            self.assertEqual(faults.loc["submit-order", ["row", "job_id", "saw"]].tolist(), [2, 3, "30"])
            self.assertTrue(faults["line"].isna().all())
        predictions = pd.DataFrame({"job_id": [1, 2, 3], "predicted_s": [1, None, 1]})
        with self.assertWarnsRegex(loadstone.Warning, "^DataFrame: rows of DataFrame-1 whose predicted_s is empty .* in row 1: nothing"):
            loadstone.score(loadstone.read(self.texts.sort_values("submit_time")), predictions)

    def test_two_columns_of_one_name(self):
        frame = self.texts.rename(columns={"requested_processors": "run_time"})
        for frame in (frame, loadstone.read(self.texts).rename(columns={"wait_time_s": "run_time"}).rename(columns={"run_time_s": "run_time"})):
            with self.assertRaisesRegex(ValueError, "^the frame has two columns 'run_time': rename or drop one$"):
                loadstone.read(frame)

    def test_names_with_details(self):
        names = ["ann (staff)", '"bob"', "c \\ d", "- e"]
        jobs = loadstone.read(pd.DataFrame({"submit_time": range(4), "run_time": 5, "requested_processors": 1, "user": names}))
        self.assertEqual(jobs["user"].tolist(), names)
        self.assertEqual(loadstone.read(jobs)["user"].tolist(), names)

    def test_time_zones(self):
        frame = self.texts.assign(submit_time=["2024-05-31 14:30:00"] * 3)
        for zone in ("Zurich", "CET/Zurich"):
            with self.assertRaisesRegex(loadstone.Error, f'^timezone: "{zone}" is no time zone: want a name such as UTC, Europe/Zurich'):
                loadstone.read(frame, timezone=zone)
        with self.assertRaisesRegex(TypeError, r"^convert\(\) got an unexpected keyword argument 'tz'; did you mean timezone\?$"):
            loadstone.read(frame, tz="UTC")
        with self.assertWarnsRegex(loadstone.Warning, "read as UTC: name the zone by timezone, such as Europe/Zurich"):
            loadstone.read(frame)

    def test_time_zone_of_a_column(self):
        # Every hour of two weeks, 14 of them at nine o'clock in Los Angeles.
        times = pd.date_range("2026-03-16", periods=24 * 14, freq="h", tz="America/Los_Angeles")
        frame = pd.DataFrame({"submit_time": times, "run_time": 60, "requested_processors": 1})
        for own in (frame, frame.set_index("submit_time"), frame.assign(submit_time=times.tz_convert(zoneinfo.ZoneInfo("America/Los_Angeles")))):
            hours = loadstone.clean(own, "keep hour=9")["submit_time"].dt.tz_convert("America/Los_Angeles").dt.hour
            self.assertEqual(hours.tolist(), [9] * 14)
        self.assertEqual(loadstone.read(frame).attrs["header"]["TimeZoneString"], "America/Los_Angeles")
        self.assertEqual(loadstone.read(frame)["submit_time"].tolist(), times.tz_convert("UTC").tolist())
        day = loadstone.clean(frame, "keep submit>=2026-03-20 and submit<2026-03-21")["submit_time"]
        self.assertEqual([day.min(), len(day)], [pd.Timestamp("2026-03-20", tz="America/Los_Angeles"), 24])
        self.assertEqual(loadstone.read(frame, timezone="Europe/Zurich").attrs["header"]["TimeZoneString"], "Europe/Zurich")
        self.assertNotIn("TimeZoneString", loadstone.read(frame.assign(submit_time=times.tz_convert("UTC"))).attrs["header"])
        # Beside a log of another zone, each keeps its own.
        other = frame.assign(submit_time=times.tz_convert("Europe/Zurich"))
        zones = []
        with mock.patch("loadstone._frames.pd.DataFrame.to_csv", lambda frame, out, **_: zones.append(Path(out.name).read_text() or out.flush() or Path(out.name).read_text())), \
                self.assertRaises(loadstone.Error):
            loadstone.compare(frame, other)
        self.assertEqual(zones, ["; TimeZoneString: America/Los_Angeles\n", "; TimeZoneString: Europe/Zurich\n"])

    def test_no_submissions(self):
        frame = pd.DataFrame({"start": pd.to_datetime(["2024-05-31 14:30", None]), "end": pd.to_datetime(["2024-05-31 15:30", "2024-05-31 16:30"]), "cores": [1, 2]})
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            jobs = loadstone.read(frame)
        self.assertEqual({w.category for w in caught}, {loadstone.Warning})
        self.assertTrue(any("no column has submission times" in str(w.message) for w in caught))
        self.assertTrue(jobs["submit_time_s"].isna().all())

    def test_moments_names_and_lengths(self):
        frame = pd.DataFrame({
            "submit_time": pd.to_datetime(["2024-05-31 14:30:00", "2024-05-31 14:30:01.5"]).tz_localize("Europe/Zurich"),
            "run_time": pd.to_timedelta(["0:10:00", "1 days"]), "requested_processors": [2, 4],
            "user": pd.Categorical(["alice", "bob"]), "status": ["COMPLETED", "FAILED"]})
        jobs = loadstone.read(frame)
        self.assertEqual(jobs["submit_time"].tolist(), frame["submit_time"].dt.tz_convert("UTC").tolist())
        self.assertEqual(jobs["run_time_s"].tolist(), [600, 86400])
        self.assertEqual(jobs["user"].tolist(), ["alice", "bob"])
        self.assertEqual(jobs["status"].tolist(), ["completed", "failed"])

    def test_common_names(self):
        jobs = loadstone.read(pd.DataFrame({
            "job_id": [1, 2], "submit": [0, 60], "start": [10, 60], "end": [110, 70], "nodes": [1, 2], "cores": [16, 32], "user": ["ann", "bob"]}))
        self.assertEqual(jobs[["wait_time_s", "run_time_s", "allocated_nodes", "allocated_processors"]].values.tolist(), [[10, 100, 1, 16], [0, 10, 2, 32]])

    def test_column_named_model(self):
        frame = pd.DataFrame({"submit_time": [0, 60], "run_time": [5, 7], "requested_processors": [1, 2], "model": ["a", "b"]})
        self.assertEqual(loadstone.read(frame)["run_time_s"].tolist(), [5, 7])

    def test_map(self):
        frame = pd.DataFrame({"when": [0, 60], "long": [5, 7], "cpus": [1, 2]})
        jobs = loadstone.read(frame, map={"submit_time": "when", "run_time": "long", "requested_processors": "cpus"})
        self.assertEqual(jobs["run_time_s"].tolist(), [5, 7])

    def test_map_of_names_with_commas(self):
        frame = pd.DataFrame({"when": [0, 60], 'long, "s"': [5, 7]})
        self.assertEqual(loadstone.read(frame, map={"submit_time": "when", "run_time": 'long, "s"'})["run_time_s"].tolist(), [5, 7])

    def test_map_of_several_logs(self):
        frames = [pd.DataFrame({"when": range(0, 6000, 60), "waited": n, "long": 5, "cpus": 1}) for n in (30, 40)]
        names = {"submit_time": "when", "wait_time": "waited", "run_time": "long", "requested_processors": "cpus"}
        scores = loadstone.predict(*frames, map=names, predictors="bmbp")
        self.assertEqual(scores["log"].unique().tolist(), ["DataFrame", "DataFrame-1"])


class WithoutHeader(Frames):
    """Job tables that have lost their attrs, as by pandas.merge and pandas.concat, or in a file."""

    @classmethod
    def setUpClass(cls):
        cls.jobs = loadstone.generate("lublin1999", jobs=50, seed=1)

    def assertSameMoments(self, a, b):
        self.assertEqual(a["submit_time"].tolist(), b["submit_time"].tolist())
        self.assertEqual(a["queue"].tolist(), b["queue"].tolist())

    def test_merged(self):
        merged = self.jobs.merge(pd.DataFrame({"job_id": range(1, 51), "mine": 1}), on="job_id")
        merged.attrs = {}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            read = loadstone.read(merged)
        self.assertSameMoments(read, self.jobs)
        self.assertEqual([str(w.message) for w in caught], ['DataFrame: columns left out, as no column of the job table is read from them: "mine" (unmapped-column)'])

    def test_csv(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "jobs.csv"
            self.jobs.to_csv(file, index=False)
            self.assertSameMoments(loadstone.read(file), self.jobs)
            self.assertSameMoments(loadstone.read(pd.read_csv(file)), self.jobs)

    def test_two_logs(self):
        other = loadstone.generate("lublin1999", jobs=50, seed=2, start="2026-03-02")
        both = pd.concat([self.jobs, other], ignore_index=True)
        self.assertNotIn("header", both.attrs)
        self.assertSameMoments(loadstone.read(both), both)

    def test_names_without_numbers(self):
        self.assertSameMoments(loadstone.read(self.jobs.drop(columns="queue_id")), self.jobs)
        mine = pd.DataFrame({"submit_time": [0, 1], "run_time": 5, "user": ["ann", "bob"], "user_id": [7, 9]})
        self.assertEqual(loadstone.read(mine)["user"].tolist(), ["ann", "bob"])
        self.assertEqual(loadstone.read(mine.assign(user=["001", "1"]))["user"].tolist(), ["001", "1"])

    def test_index(self):
        for index in ("submit_time", ["queue", "job_id"], "run_time_s"):
            self.assertSameJobs(loadstone.read(self.jobs.set_index(index)), self.jobs)
        self.assertSameMoments(loadstone.read(self.jobs.rename_axis("queue")), self.jobs)

    def test_local_times(self):
        local = self.jobs.assign(submit_time=self.jobs["submit_time"].dt.tz_convert("Europe/Zurich").dt.tz_localize(None)).drop(columns="submit_time_s")
        local.attrs = {"header": {**self.jobs.attrs["header"], "TimeZoneString": "Europe/Zurich"}}
        self.assertSameMoments(loadstone.read(local), self.jobs)

    def test_unknown_zone_of_a_header(self):
        jobs = self.jobs.rename(columns={"run_time_s": "took"})
        for zone in ("CET/Zurich", "nowhere"):
            jobs.attrs = {"header": {**self.jobs.attrs["header"], "TimeZoneString": zone}}
            self.assertSameMoments(loadstone.read(jobs, map={"run_time": "took"}), self.jobs)

    def test_local_times_with_map(self):
        local = self.jobs.assign(submitted=self.jobs["submit_time"].dt.tz_convert("Europe/Zurich").dt.tz_localize(None)).drop(columns=["submit_time", "submit_time_s"])
        local.attrs = {"header": {**self.jobs.attrs["header"], "TimeZoneString": "Europe/Zurich"}}
        for read in (loadstone.read(local, map={"submit_time": "submitted"}), loadstone.read(local.drop(columns="think_time_s"))):
            self.assertSameMoments(read, self.jobs)

    def test_empty(self):
        self.assertEqual(loadstone.read(self.jobs[:0]).columns.tolist(), self.jobs.drop(columns="queue").columns.tolist())
        with self.assertRaisesRegex(loadstone.Error, "^DataFrame"):
            loadstone.read(pd.DataFrame())


class Results(Frames):
    @classmethod
    def setUpClass(cls):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            cls.log = loadstone.simulate(loadstone.generate("lublin2003", jobs=1500, set="users.count=20", seed=1))

    def test_types_are_declared(self):
        for frame, types in [
            (loadstone.describe(self.log), {"column": "string", "known": "Int64", "mean": "Float64"}),
            (loadstone.describe(self.log, by="user"), {"jobs": "Int64", "run_time_mean_s": "Float64"}),
            (loadstone.describe(self.log, by="weekday,hour"), {"name": "string", "jobs": "Int64"}),
            (loadstone.runtime(self.log), {"predictor": "string", "jobs": "Int64", "accuracy_mean": "Float64"}),
            (loadstone.predict(self.log, predictors="bmbp"), {"predictor": "string", "coverage": "Float64", "correlation_log": "Float64"}),
            (loadstone.compare(self.log, "lublin1999"), {"attribute": "string", "a_jobs": "Int64", "ks_d": "Float64", "why": "string"}),
            (loadstone.models(), {"name": "string"}),
            (loadstone.compare(self.log, like=True, schedule="easy"), {"name": "string", "a": "Float64", "why": "string"}),
        ]:
            for name, kind in types.items():
                self.assertEqual(str(frame[name].dtype), kind, name)

    def test_functions_of_the_readme(self):
        self.assertEqual(loadstone.wait(self.log, at=500000, size=[1, 8], predictors=["simulated"])["size"].unique().tolist(), [1, 8])
        self.assertEqual(loadstone.lifetimes(self.log, by="user", least_jobs=10)["class"].dtype, "string")
        self.assertEqual(len(loadstone.sample(self.log, jobs=100)), 100)
        with tempfile.TemporaryDirectory() as folder:
            self.assertIsNone(loadstone.split(self.log, Path(folder) / "{n}.swf", parts=2))
            self.assertEqual(sum(len(loadstone.read(part)) for part in Path(folder).iterdir()), len(self.log))
            self.assertIsNone(loadstone.report(self.log, Path(folder) / "log.html", without=["runtime", "predict", "compare"]))

    def test_types_of_columns(self):
        frame = _frames.result("predictor,jobs,coverage,ready\nbmbp,7,0.5,true\nlast,8,,\n")
        self.assertEqual(frame.dtypes.astype(str).tolist(), ["string", "Int64", "Float64", "boolean"])
        self.assertEqual(_frames.result("name,jobs\n007,1\n")["name"].tolist(), ["007"])

    def test_names_like_formulas(self):
        frame = pd.DataFrame({"submit_time": range(4), "run_time": 5, "requested_processors": 1, "user": ["=a", "-b", "@c", "d"]})
        self.assertEqual(sorted(loadstone.describe(frame, by="user")["name"]), ["-b", "=a", "@c", "d"])

    def test_describe_is_pandas(self):
        known = loadstone.describe(self.log).set_index("column")
        for name in ("run_time_s", "wait_time_s"):
            self.assertAlmostEqual(known.loc[name, "mean"], self.log[name].mean(), places=6)
            self.assertAlmostEqual(known.loc[name, "median"], self.log[name].median(), places=6)

    def test_edited_model(self):
        model = loadstone.model("lublin1999-batch")
        model["processors"] = 64
        self.assertEqual(loadstone.generate(model, jobs=10).attrs["header"]["MaxProcs"], "64")

    def test_fit_is_what_the_command_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            log, file = Path(folder) / "log.swf", Path(folder) / "model.json"
            loadstone.convert(self.log, log)
            for options, schema in [({}, "loadstone.population/1"), ({"form": "users"}, "loadstone.population/1"),
                                    ({"form": "lublin2003"}, "loadstone.model/1"), ({"family": "gamma"}, "loadstone.model/1")]:
                loadstone.run("fit", log, output=file, **options)
                site = loadstone.fit(log, **options)
                self.assertEqual(site.model, json.loads(file.read_text()), options)
                self.assertEqual(site.model["schema"], schema, options)
                self.assertIn("gamma", site.fits["family"].tolist())
            with self.assertRaisesRegex(loadstone.Error, "^family does not go with form users"):
                loadstone.fit(log, form="users", family="gamma")
            with mock.patch("loadstone._command.subprocess.Popen", wraps=subprocess.Popen) as runs:
                loadstone.fit(log)
            self.assertEqual(runs.call_count, 1)

    def test_fit_of_a_frame(self):
        site = loadstone.fit(self.log)
        self.assertEqual(repr(site), f"<loadstone.Fit: loadstone.population/1 of DataFrame, {len(site.fits)} fitted distributions>")
        site = loadstone.fit(self.log, family="gamma")
        self.assertEqual((site.model["name"], site.model["source"]), ("DataFrame", "fitted by loadstone to DataFrame"))

    def test_classes_of_ranges_have_names(self):
        self.assertEqual(sorted(loadstone.describe(self.log, by="size:4:16")["name"]), ["size<=4", "size=5-16", "size>16"])

    def test_fit_and_twins(self):
        site = loadstone.fit(self.log)
        self.assertEqual(site.report["schema"], "loadstone.fit/1")
        self.assertGreater(len(loadstone.generate(site, days=7)), 0)
        self.assertGreater(len(loadstone.generate(like=self.log, jobs=100)), 0)
        self.assertGreater(len(loadstone.compare(self.log, site)), 0)
