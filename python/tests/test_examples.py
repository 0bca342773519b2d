"""The examples of the module, its README and the guide are run."""
import doctest
import os
import tempfile
import warnings
from pathlib import Path

import pandas

import loadstone

PYTHON = Path(__file__).resolve().parent.parent
TEXTS = [PYTHON / "README.md", *PYTHON.parent.glob("docs/guides/python.md")]


def set_up(test):
    """Examples run where there is a log, as the reader's would be."""
    test.globs["folder"] = os.getcwd()
    test.globs["_made"] = tempfile.TemporaryDirectory()
    os.chdir(test.globs["_made"].name)
    warnings.simplefilter("ignore")
    pandas.set_option("display.width", 120, "display.max_columns", 12)
    loadstone.run("generate", model="lublin1999", jobs=5000, seed=7, output="log.swf")


def tear_down(test):
    os.chdir(test.globs["folder"])
    test.globs["_made"].cleanup()
    warnings.resetwarnings()


def load_tests(loader, tests, pattern):
    for text in TEXTS:
        tests.addTests(doctest.DocFileSuite(str(text), module_relative=False, setUp=set_up, tearDown=tear_down, encoding="utf-8",
                                           optionflags=doctest.NORMALIZE_WHITESPACE))
    return tests
