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

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/logtest"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// swfLine is a line of 18 fields, those given by number (from 1, as the format
// counts) replaced.
func swfLine(fields map[int]string) string {
	words := strings.Fields("1 0 5 10 4 9 100 4 60 200 1 2 3 4 5 6 7 8")
	for f, word := range fields {
		words[f-1] = word
	}
	return strings.Join(words, " ")
}

// readString reads a log with two workers and small chunks under a checked
// allocator.
func readString(t *testing.T, text string) (*workload.Log, []logtest.SimpleJob, error) {
	t.Helper()
	l, err := swf.OpenChunks("log.swf", strings.NewReader(text), workload.Options{Workers: 2}, 100)
	if err != nil {
		return nil, nil, err
	}
	jobs, err := logtest.ReadAll(l)
	return l, jobs, err
}

// TestSWFNumbers holds the number's text against its value, written here by
// hand.
func TestSWFNumbers(t *testing.T) {
	for _, c := range []struct {
		text  string
		float float64
		whole int64
		both  bool // also an integer
	}{
		{"0", 0, 0, true},
		{"-0", math.Copysign(0, -1), 0, true},
		{"+7", 7, 7, true},
		{"007", 7, 7, true},
		{"64.0", 64, 64, true},
		{"64.", 64, 64, true},
		{"6.4e1", 64, 64, true},
		{"-2", -2, -2, true},
		{"123456789012345", 123456789012345, 123456789012345, true},
		{"9007199254740993", 9007199254740992, 9007199254740993, true},
		{"9223372036854775807", 9223372036854775808, math.MaxInt64, true},
		{"0.1", 0.1, 0, false},
		{".5", 0.5, 0, false},
		{"489.00", 489, 489, true},
		{"17.83", 17.83, 0, false},
		{"0.30000000000000004", 0.30000000000000004, 0, false},
		{"1e300", 1e300, 0, false},
		{"1e-400", 0, 0, true},
		{"123456789012345678901234567890", 123456789012345678901234567890, 0, false},
	} {
		if _, jobs, err := readString(t, swfLine(map[int]string{6: c.text})); err != nil {
			t.Errorf("%s as a float64: %v", c.text, err)
		} else if got := jobs[0][workload.ColCPUTime].Float; math.Float64bits(got) != math.Float64bits(c.float) {
			t.Errorf("%s as a float64 is %v, want %v", c.text, got, c.float)
		}
		_, jobs, err := readString(t, swfLine(map[int]string{12: c.text}))
		switch {
		case c.both && err != nil:
			t.Errorf("%s as an int64: %v", c.text, err)
		case c.both && jobs[0][workload.ColUser].Whole != c.whole:
			t.Errorf("%s as an int64 is %v, want %d", c.text, jobs[0][workload.ColUser], c.whole)
		case !c.both && err == nil:
			t.Errorf("%s as an int64 is %v, want an error", c.text, jobs[0][workload.ColUser])
		}
	}
}

// TestSWFDecimalsAgainstStrconv draws decimals on both sides of the border, 53
// bits, up to which they are read by hand.
func TestSWFDecimalsAgainstStrconv(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	for range 20_000 {
		text := strconv.FormatUint(rng.Uint64()>>rng.IntN(64), 10)
		if rng.IntN(2) == 0 {
			text = strconv.FormatUint(1<<52+rng.Uint64N(1<<54), 10)
		}
		point := rng.IntN(len(text) + 1)
		text = text[:point] + "." + text[point:]
		want, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		for _, sign := range []string{"", "-"} {
			if got, bad := parse.Number([]byte(sign + text)); bad != "" || math.Abs(got) != want || math.Signbit(got) != (sign == "-") {
				t.Fatalf("%s%s is %v, want %v (%s)", sign, text, got, want, bad)
			}
		}
	}
}

func TestSWFErrors(t *testing.T) {
	const suffix = " (the standard workload format has 18 numbers a line, separated by blanks)"
	good := swfLine(nil) + "\n"
	for _, c := range []struct{ name, text, want string }{
		{"17 fields", good + "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n", `log.swf:2: saw 17 fields in "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 1"..., want 18`},
		{"1 field", good + "\n  7\t\r\n", `log.swf:3: saw 1 field in "  7\t", want 18`},
		{"text", good + swfLine(map[int]string{4: "ten"}), `log.swf:2: run_time_s: saw "ten", want a number`},
		{"text in an integer", good + swfLine(map[int]string{12: "alice"}), `log.swf:2: user_id: saw "alice", want a whole number`},
		{"not a number", good + swfLine(map[int]string{3: "NaN"}), `log.swf:2: wait_time_s: saw "NaN", want a number`},
		{"infinity", good + swfLine(map[int]string{3: "-inf"}), `log.swf:2: wait_time_s: saw "-inf", want a number`},
		{"hexadecimal", good + swfLine(map[int]string{3: "0x10"}), `log.swf:2: wait_time_s: saw "0x10", want a number`},
		{"underscore", good + swfLine(map[int]string{3: "1_000"}), `log.swf:2: wait_time_s: saw "1_000", want a number`},
		{"two points", good + swfLine(map[int]string{3: "1.2.3"}), `log.swf:2: wait_time_s: saw "1.2.3", want a number`},
		{"a sign alone", good + swfLine(map[int]string{3: "-"}), `log.swf:2: wait_time_s: saw "-", want a number`},
		{"a point alone", good + swfLine(map[int]string{3: "."}), `log.swf:2: wait_time_s: saw ".", want a number`},
		{"fraction", good + swfLine(map[int]string{5: "4.5"}), `log.swf:2: allocated_processors: saw "4.5", want a whole number, not a fraction`},
		{"float too large", good + swfLine(map[int]string{6: "1e999"}), `log.swf:2: cpu_time_s: saw "1e999", want a number of at most 1.8e308`},
		{"integer too large", good + swfLine(map[int]string{13: "9223372036854775808"}), `log.swf:2: group_id: saw "9223372036854775808", want a whole number of at most 9.2e18`},
		{"large integer with an exponent", good + swfLine(map[int]string{13: "1e17"}), `log.swf:2: group_id: saw "1e17", want a whole number written in digits alone`},
		{"the integer that means unknown", good + swfLine(map[int]string{13: "-9223372036854775808"}), `log.swf:2: group_id: saw "-9223372036854775808", want a whole number of at most 9.2e18`},
		{"commas", "1,2,3\n", `log.swf:1: job_id: saw "1,2,3", want a whole number` + suffix},
		{"too few in the first line", "; x\n1 2\n", `log.swf:2: saw 2 fields in "1 2", want 18` + suffix},
		{"comment glued on", good + swfLine(map[int]string{18: "8;"}), `log.swf:2: think_time_s: saw "8;", want a number`},
		{"binary", good + "1 2 \x00\x01 3\n", `log.swf:2: saw binary data "1 2 \x00\x01 3", want a text file`},
		{"binary behind the fields", good + swfLine(nil) + " \x00\n", `log.swf:2: saw binary data "1 0 5 10 4 9 100 4 60 200 1 2 3 4 5 6 7 "..., want a text file`},
		{"binary header", "; ok\n; \x00\n" + good, `log.swf:2: saw binary data "; \x00", want a text file`},
		{"UTF-16", "\xff\xfe1\x00 \x00", `log.swf:1: saw binary data "\xff\xfe1\x00 \x00", want UTF-8 text, not UTF-16`},
		{"carriage returns alone", good + "1 0 5\r2 0 5\r", `log.swf:2: saw a carriage return inside a line, want lines that end with a newline`},
		{"blank lines", "\n\n", `log.swf: no jobs in 2 lines`},
		{"nothing", "", `log.swf: no jobs in 0 lines`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, err := readString(t, c.text)
			if err == nil {
				t.Fatalf("no error, want %s", c.want)
			}
			if got := err.Error(); got != c.want {
				t.Errorf("error\n\t%s\nwant\n\t%s", got, c.want)
			}
			var e *workload.InputError
			if !errors.As(err, &e) {
				t.Errorf("%T is no InputError", err)
			}
		})
	}
	if _, _, err := readString(t, "\n"); !errors.Is(err, workload.ErrNoJobs) {
		t.Errorf("%v does not wrap ErrNoJobs", err)
	}
}

// TestSWFWarnings counts every rule, with the first line at which it is met,
// over chunks of 100 bytes: two or three lines each.
func TestSWFWarnings(t *testing.T) {
	lines := []string{
		"; header",                        // 1
		swfLine(map[int]string{2: "100"}), // 2
		"",                                // 3
		swfLine(map[int]string{2: "90"}),  // 4: steps back
		swfLine(map[int]string{2: "-1"}),  // 5: unknown, no step
		swfLine(map[int]string{2: "80"}),  // 6: steps back
		"; a comment",                     // 7
		swfLine(map[int]string{2: "80", 4: "-5.5"}),         // 8
		swfLine(map[int]string{2: "-7"}),                    // 9: negative and back
		swfLine(map[int]string{2: "200", 4: "-2", 5: "0"}),  // 10
		swfLine(map[int]string{2: "200", 8: "0.0", 9: "0"}), // 11
		"", // 12
		"", // 13
		swfLine(map[int]string{2: "200"}) + " 19 20 21",        // 14
		swfLine(map[int]string{2: "200"}) + "\t19",             // 15
		swfLine(map[int]string{2: "200", 4: "0"}) + " ; says",  // 16
		"  ; another comment",                                  // 17
		swfLine(map[int]string{2: "150", 3: "0", 16: "-3"}),    // 18: steps back
		swfLine(map[int]string{2: "150", 15: "0", 18: "-1.5"}), // 19
	}
	l, jobs, err := readString(t, strings.Join(lines, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	if len(jobs) != 13 {
		t.Errorf("%d jobs, want 13", len(jobs))
	}
	type count struct {
		Rule        string
		Count, Line int64
		Saw         string
	}
	var got []count
	for _, w := range l.Warnings() {
		got = append(got, count{w.Rule, w.Count, w.Line, w.Saw})
	}
	want := map[string]count{}
	for _, c := range []count{
		{"submit-order", 4, 4, "90 s after 100 s"},
		{"late-comment", 2, 7, `"; a comment"`},
		{"negative-run-time", 2, 8, "-5.5"},
		{"negative-submit-time", 1, 9, "-7"},
		{"zero-allocated-processors", 1, 10, "0"},
		{"zero-requested-processors", 1, 11, "0.0"},
		{"zero-requested-time", 1, 11, "0"},
		{"extra-fields", 2, 14, "21 fields"},
		{"zero-run-time", 1, 16, "0"},
		{"negative-partition-id", 1, 18, "-3"},
		{"negative-think-time", 1, 19, "-1.5"},
	} {
		want[c.Rule] = c
	}
	for _, c := range got {
		if c != want[c.Rule] {
			t.Errorf("got %v, want %v", c, want[c.Rule])
		}
		delete(want, c.Rule)
	}
	for _, c := range want {
		t.Errorf("missing %v", c)
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

// TestSWFLineLength holds the border: a line of a mebibyte is read, one byte
// more is an error, wherever chunks are cut.
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
				l, err := swf.OpenChunks("log.swf", &logtest.Endless{Text: []byte(text), Left: int64(len(text))}, workload.Options{Workers: 2}, size)
				if err != nil {
					t.Fatal(err)
				}
				jobs, err := logtest.ReadAll(l)
				var e *workload.InputError
				switch {
				case extra == 0 && err != nil:
					t.Errorf("chunks of %d: %v", size, err)
				case extra == 0 && len(jobs) < 2:
					t.Errorf("chunks of %d: %d jobs", size, len(jobs))
				case extra == 1 && (!errors.As(err, &e) || e.Line != 2):
					t.Errorf("chunks of %d, end %q: error %v, want one in line 2", size, end, err)
				}
			}
		}
	}
}

// swfCases puts a fault in each line in turn, among blank lines, comments and jobs.
func swfCases() logtest.Cases {
	lines := []string{"; header", "", swfLine(nil), "", "", swfLine(map[int]string{2: "-1", 4: "0"}), "; late", swfLine(nil), swfLine(nil) + " 19", "", "; late", "; late", swfLine(nil)}
	c := logtest.Cases{
		Texts: []string{strings.Join(lines, "\n"), string(logtest.MadeUpSWF(3, 1<<15))},
		Endless: map[string][2]string{
			"digits": {"", "1"}, "blanks": {swfLine(nil) + "\n", " "}, "comment": {"; header\n", ";"}, "late comment": {swfLine(nil) + "\n;", "x"},
			"more fields": {swfLine(nil) + " ", "x "}, "fields": {swfLine(nil) + "\n\n", "1 "},
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

func TestSWFConforms(t *testing.T) { logtest.Conform(t, swf.OpenChunks, swfCases()) }
