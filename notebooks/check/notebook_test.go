package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a run leaves: times, versions, a late count, and outputs in an order of
// their own.
const raw = `{"nbformat": 4, "nbformat_minor": 5,
 "metadata": {"kernelspec": {"name": "gonb"}, "language_info": {"name": "go", "version": "go1.26.8", "file_extension": ".go", "mimetype": "text/x-go"}},
 "cells": [
  {"cell_type": "markdown", "id": "m", "metadata": {"scrolled": true}, "source": "# A < B"},
  {"cell_type": "code", "id": "c", "execution_count": 17, "metadata": {"execution": {"iopub.status.idle": "2026-01-01T00:00:00Z"}}, "source": ["a\n", "b"],
   "outputs": [
    {"output_type": "display_data", "metadata": {"x": 1}, "data": {"image/svg+xml": ["<svg>\n", "</svg>"]}},
    {"output_type": "stream", "name": "stderr", "text": "careful\n"},
    {"output_type": "stream", "name": "stdout", "text": ["one\n"]},
    {"output_type": "stream", "name": "stdout", "text": "two\n"}]}]}`

const canonical = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "m",
   "metadata": {},
   "source": [
    "# A < B"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 1,
   "id": "c",
   "metadata": {},
   "outputs": [
    {
     "name": "stdout",
     "output_type": "stream",
     "text": [
      "one\n",
      "two\n"
     ]
    },
    {
     "name": "stderr",
     "output_type": "stream",
     "text": [
      "careful\n"
     ]
    },
    {
     "data": {
      "image/svg+xml": [
       "<svg>\n",
       "</svg>"
      ]
     },
     "metadata": {},
     "output_type": "display_data"
    }
   ],
   "source": [
    "a\n",
    "b"
   ]
  }
 ],
 "metadata": {
  "kernelspec": {
   "name": "gonb"
  },
  "language_info": {
   "file_extension": ".go",
   "mimetype": "text/x-go",
   "name": "go"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`

func TestCanonical(t *testing.T) {
	folder := t.TempDir()
	for _, text := range []string{raw, canonical} {
		name := filepath.Join(folder, "n.ipynb")
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		n, err := read(name)
		if err != nil {
			t.Fatal(err)
		}
		b, err := n.encode()
		if err != nil {
			t.Fatal(err)
		}
		if string(b) != canonical {
			t.Errorf("saw %s", b)
		}
	}
}

func TestReadSaysWhatIsWrong(t *testing.T) {
	name := filepath.Join(t.TempDir(), "n.ipynb")
	for text, want := range map[string]string{
		`{"nbformat": 3}`: "nbformat: saw 3, want 4",
		`{"nbformat": 4, "cells": [{"cell_type": "raw"}]}`: "cell 1: cell_type",
		`{"nbformat": 4, "cells": [{"source": 7}]}`:        "saw 7, want a text",
		`not`: "invalid character",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := read(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: saw %v, want %q", text, err, want)
		}
	}
}
