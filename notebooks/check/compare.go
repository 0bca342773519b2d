package main

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// closeEnough is the largest allowed difference of a coordinate in a picture, in its
// points, which is too small to be seen: NumPy's sums differ in the last digits between
// processors. Printed numbers have to be equal.
const closeEnough = 0.02

const svg = "image/svg+xml"

// compare returns the differences between the outputs of a committed notebook and
// those of a fresh run of it.
func compare(committed, fresh notebook) []string {
	if len(committed.cells) != len(fresh.cells) {
		return []string{fmt.Sprintf("%d cells are committed, and the run has %d", len(committed.cells), len(fresh.cells))}
	}
	var faults []string
	for i, was := range committed.cells {
		is := fresh.cells[i]
		fault := func(format string, args ...any) {
			faults = append(faults, fmt.Sprintf("cell %d (%s): ", i+1, was.id)+fmt.Sprintf(format, args...))
		}
		if was.source != is.source {
			fault("its source is another one: %s", firstDifference(was.source, is.source))
		}
		if is.failed != "" {
			fault("failed: %s", is.failed)
		}
		if len(was.outputs) != len(is.outputs) {
			fault("%d outputs are committed, and the run has %d", len(was.outputs), len(is.outputs))
			continue
		}
		for k := range was.outputs {
			a, b := was.outputs[k].data, is.outputs[k].data
			if x, y := slices.Sorted(maps.Keys(a)), slices.Sorted(maps.Keys(b)); !slices.Equal(x, y) {
				fault("output %d: %v is committed, and the run has %v", k+1, x, y)
				continue
			}
			for _, mime := range slices.Sorted(maps.Keys(a)) {
				if a[mime] == b[mime] || mime == svg && samePicture(a[mime], b[mime]) {
					continue
				}
				fault("output %d, %s: %s", k+1, mime, firstDifference(a[mime], b[mime]))
			}
		}
	}
	return faults
}

var (
	// written matches text in a picture.
	written = regexp.MustCompile(`>[^<]*<`)
	// number matches a number in a picture, or a colour or a name, which may contain digits.
	number = regexp.MustCompile(`#\w+|[A-Za-z_]\w*[A-Za-z_]\w*|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`)
)

// samePicture reports whether two SVG files are the same, except for coordinates that
// differ by at most closeEnough. Their text has to be equal.
func samePicture(a, b string) bool {
	if !slices.Equal(written.FindAllString(a, -1), written.FindAllString(b, -1)) {
		return false
	}
	x, y := number.FindAllStringIndex(a, -1), number.FindAllStringIndex(b, -1)
	if len(x) != len(y) {
		return false
	}
	i, k := 0, 0
	for n := range x {
		if a[i:x[n][0]] != b[k:y[n][0]] {
			return false
		}
		p, q := a[x[n][0]:x[n][1]], b[y[n][0]:y[n][1]]
		i, k = x[n][1], y[n][1]
		if p == q {
			continue
		}
		u, err1 := strconv.ParseFloat(p, 64)
		v, err2 := strconv.ParseFloat(q, 64)
		if err1 != nil || err2 != nil || !(math.Abs(u-v) <= closeEnough) {
			return false
		}
	}
	return a[i:] == b[k:]
}

// firstDifference returns the first line that differs, of both texts.
func firstDifference(a, b string) string {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range max(len(x), len(y)) {
		was, is := "nothing", "nothing"
		if i < len(x) {
			was = around(x[i])
		}
		if i < len(y) {
			is = around(y[i])
		}
		if i >= len(x) || i >= len(y) || x[i] != y[i] {
			return fmt.Sprintf("line %d:\n    committed %s\n    fresh     %s", i+1, was, is)
		}
	}
	return "no line"
}

// around quotes a line, cut if it is long.
func around(s string) string {
	const most = 200
	if len(s) > most {
		s = s[:most] + "..."
	}
	return strconv.Quote(s)
}
