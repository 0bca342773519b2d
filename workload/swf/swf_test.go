package swf_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// swfLine returns a line of 18 fields, with the given fields, numbered from 1 as in the format,
// replaced.
func swfLine(fields map[int]string) string {
	words := strings.Fields("1 0 5 10 4 9 100 4 60 200 1 2 3 4 5 6 7 8")
	for f, word := range fields {
		words[f-1] = word
	}
	return strings.Join(words, " ")
}

// readString reads a log with two workers and small chunks.
func readString(t *testing.T, text string) (*workload.Log, *workload.Batch, error) {
	t.Helper()
	l, err := swf.OpenChunks("log.swf", strings.NewReader(text), workload.Options{Workers: 2}, 100)
	if err != nil {
		return nil, nil, err
	}
	jobs, err := logtest.ReadAll(l)
	return l, jobs, err
}

// Numbers have the same value as in Go; "whole" has those that are integers too.
func TestSWFNumbers(t *testing.T) {
	const whole, others = "0 -0 +7 007 64.0 64. 6.4e1 -2 123456789012345 9007199254740993 489.00 1e-400 9223372036854775807",
		"0.1 .5 17.83 0.30000000000000004 1e300 123456789012345678901234567890"
	for _, text := range strings.Fields(whole + " " + others) {
		want, _ := strconv.ParseFloat(text, 64)
		if _, jobs, err := readString(t, swfLine(map[int]string{6: text})); err != nil || math.Float64bits(jobs.Float(workload.ColCPUTime, 0)) != math.Float64bits(want) {
			t.Errorf("%s as a float64: %v", text, err)
		}
		_, jobs, err := readString(t, swfLine(map[int]string{12: text}))
		if (err == nil) != strings.Contains(whole, text) {
			t.Errorf("%s as an int64: %v", text, err)
		} else if n, bad := strconv.ParseInt(text, 10, 64); err == nil && (bad != nil && float64(jobs.Int(workload.ColUser, 0)) != want || bad == nil && jobs.Int(workload.ColUser, 0) != n) {
			t.Errorf("%s as an int64 is %v", text, jobs.Int(workload.ColUser, 0))
		}
	}
}

func TestSWFBinary(t *testing.T) {
	good := swfLine(nil) + "\n"
	for text, want := range map[string]string{
		good + "1 2 \x00\x01 3\n":       `log.swf:2: saw binary data "1 2 \x00\x01 3", want a text file`,
		good + swfLine(nil) + " \x00\n": `log.swf:2: saw binary data "1 0 5 10 4 9 100 4 60 200 1 2 3 4 5 6 7 "..., want a text file`,
		"; ok\n; \x00\n" + good:         `log.swf:2: saw binary data "; \x00", want a text file`,
		"\xff\xfe1\x00 \x00":            `log.swf:1: saw binary data "\xff\xfe1\x00 \x00", want UTF-8 text, not UTF-16`,
		"\n\n":                          `log.swf: no jobs in 2 lines`,
	} {
		if _, _, err := readString(t, text); err == nil || err.Error() != want {
			t.Errorf("error\n\t%v\nwant\n\t%s", err, want)
		}
	}
	if _, _, err := readString(t, ""); !errors.Is(err, workload.ErrNoJobs) {
		t.Errorf("%v does not wrap ErrNoJobs", err)
	}
}

// TestSWFDecimalsAgainstStrconv draws decimals around 53 bits, the limit up to which they are
// parsed without strconv.
func TestSWFDecimalsAgainstStrconv(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	for range 20_000 {
		text := strconv.FormatUint(rng.Uint64()>>rng.IntN(64), 10)
		if rng.IntN(2) == 0 {
			text = strconv.FormatUint(1<<52+rng.Uint64N(1<<54), 10)
		}
		point := rng.IntN(len(text) + 1)
		text = text[:point] + "." + text[point:]
		want := jobtest.Must(strconv.ParseFloat(text, 64))
		for _, sign := range []string{"", "-"} {
			if got, bad := parse.Number([]byte(sign + text)); bad != "" || math.Abs(got) != want || math.Signbit(got) != (sign == "-") {
				t.Fatalf("%s%s is %v, want %v (%s)", sign, text, got, want, bad)
			}
		}
	}
}

func TestSWFHeaderIsKeptAsItStands(t *testing.T) {
	text := "\xef\xbb\xbf; Version: 2.2\r\n;\r\n\n;  Note:  two  blanks  \n\t; indented\n;Caf\xe9\n" + swfLine(nil) + "\n; Late: 1\n"
	l, _, err := readString(t, text)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{" Version: 2.2", "", "  Note:  two  blanks  ", " indented", "Caf\xe9"}
	if d := cmp.Diff(want, l.Header.Lines); d != "" {
		t.Error(d)
	}
}

func TestSWFHeaderIsBounded(t *testing.T) {
	// Empty comments take more memory than text.
	for _, line := range []string{";\n", "; " + strings.Repeat("x", 1000) + "\n"} {
		text := strings.Repeat(line, (17<<20)/len(line))
		_, err := swf.Open("log.swf", strings.NewReader(text), workload.Options{})
		var e *workload.InputError
		if !errors.As(err, &e) || e.Saw != "more than 16 MiB of header" || e.Line == 0 {
			t.Errorf("error %v, want one for the header's size", err)
		}
	}
}

// TestSWFLineLength checks the limit: a line of one mebibyte is read, and one byte more is an
// error, wherever chunks are split.
func TestSWFLineLength(t *testing.T) {
	for _, size := range []int{1 << 10, 1<<19 + 7, parse.ChunkSize} {
		for _, extra := range []int{0, 1} {
			for _, end := range []string{"", "\n", "\n" + swfLine(nil) + "\n"} {
				line := make([]byte, parse.MaxLine+extra)
				for i := range line {
					line[i] = ' '
				}
				copy(line, swfLine(nil))
				text := swfLine(nil) + "\n" + string(line) + end
				l, err := swf.OpenChunks("log.swf", strings.NewReader(text), workload.Options{Workers: 2}, size)
				if err != nil {
					t.Fatal(err)
				}
				jobs, err := logtest.ReadAll(l)
				var e *workload.InputError
				switch {
				case extra == 0 && err != nil:
					t.Errorf("chunks of %d: %v", size, err)
				case extra == 0 && jobs.Rows < 2:
					t.Errorf("chunks of %d: %d jobs", size, jobs.Rows)
				case extra == 1 && (!errors.As(err, &e) || e.Line != 2):
					t.Errorf("chunks of %d, end %q: error %v, want one in line 2", size, end, err)
				}
			}
		}
	}
}

// swfCases puts a fault in each line in turn, among blank lines, comments and jobs.
func swfCases(t *testing.T) logtest.Cases {
	lines := []string{"; header", "", swfLine(nil), "", "", swfLine(map[int]string{2: "-1", 4: "0"}), "; late", swfLine(nil), swfLine(nil) + " 19", "", "; late", "; late", swfLine(nil)}
	c := logtest.Cases{
		Texts: []string{strings.Join(lines, "\n"), string(logtest.MadeUpSWF(t, 3, 300))},
		Endless: map[string][2]string{
			"digits": {"", "1"}, "blanks": {swfLine(nil) + "\n", " "}, "comment": {"; header\n", ";"}, "late comment": {swfLine(nil) + "\n;", "x"},
			"more fields": {swfLine(nil) + " ", "x "}, "fields": {swfLine(nil) + "\n\n", "1 "}, "line ends": {swfLine(nil) + "\n", strings.Repeat("\n", 4096)},
		},
		Line:  func(n int) string { return swfLine(map[int]string{1: strconv.Itoa(n), 2: strconv.Itoa(n)}) + "\n" },
		Bound: 100 << 20,
	}
	for bad := range lines {
		text := slices.Clone(lines)
		text[bad] = "bad"
		c.Texts = append(c.Texts, strings.Join(text, "\n"))
	}
	return c
}

func TestSWFConforms(t *testing.T) { logtest.Conform(t, swf.OpenChunks, swfCases(t)) }
