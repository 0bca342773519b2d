"""What a fit returns."""
from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path
from typing import Any, Union

import pandas as pd


@dataclasses.dataclass
class Fit:
    """A fit: the model that ``fit -o`` writes, as a dict, and the report of ``fit``."""

    model: dict[str, Any]
    report: dict[str, Any]

    @property
    def fits(self) -> pd.DataFrame:
        """One row for each fitted distribution, best first, with its parameters in columns."""
        return pd.json_normalize(self.report["fits"]).convert_dtypes()

    def __repr__(self) -> str:
        return f"<loadstone.Fit: {self.model['schema']} of {self.model['name']}, {len(self.report['fits'])} fitted distributions>"

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Write the model to a file."""
        Path(path).write_text(json.dumps(self.model, indent=2) + "\n")
