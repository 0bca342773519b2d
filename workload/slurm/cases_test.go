package slurm_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// TestCases reads the texts in testdata/cases. The name of a text is followed by its time zone.
// After it comes the result, worked out by hand: the first columns of each job (those of SWF, or of
// a line "columns ..."), "warning" with rule, count and line, "header" with lines that occur in the
// header, or "error:" with part of the error, or of the warning that contains one.
//
// The ordinary job of sacct.txt was submitted at 36,000 s of its day, waited 300 s, ran 3600 s on 4
// processors, each of which was busy for 1800 s, and requested 7200 s and 2,097,152 KB for each. In
// zones.txt the clock of Zurich advances from 2:00 to 3:00 on 28 March 2021, and goes back from
// 3:00 to 2:00 on 31 October. Times are from midnight of the first job's day; on that day 2:30 is
// 9000 s in the first pass of the hour and 12,600 s in the second.
func TestCases(t *testing.T) {
	files, _ := filepath.Glob("testdata/cases/*.txt")
	for _, file := range files {
		parts := strings.Split("\n"+readText(file), "\n-- ")[1:]
		for i := 0; i < len(parts); i += 2 {
			head, text, _ := strings.Cut(parts[i], " --\n")
			name, zone, _ := strings.Cut(head, "; ")
			zone, isCut := strings.CutSuffix(zone, "no newline")
			if !isCut {
				text += "\n"
			}
			t.Run(filepath.Base(file)+"/"+name, func(t *testing.T) {
				want := strings.Split(strings.TrimSpace(parts[i+1]), "\n")[1:]
				checkCase(t, text, strings.Trim(zone, "; "), want)
			})
		}
	}
}

// readText returns the content of a file.
func readText(path string) string { return string(jobtest.Must(os.ReadFile(path))) }

func checkCase(t *testing.T, text, zone string, want []string) {
	var columns []string
	if len(want) > 0 && strings.HasPrefix(want[0], "columns ") {
		columns, want = strings.Fields(want[0])[1:], want[1:]
	}
	got, header := outcome(text, zone, columns)
	want = slices.DeleteFunc(want, func(line string) bool {
		line, is := strings.CutPrefix(line, "header")
		return is && slices.Contains(header, line)
	})
	if len(want) == 1 && strings.HasPrefix(want[0], "error: ") {
		part := strings.TrimPrefix(want[0], "error: ")
		if !slices.ContainsFunc(got, func(g string) bool { return strings.Contains(g, part) }) {
			t.Errorf("%q, want %s", got, part)
		}
		return
	}
	for i, w := range want[:min(len(want), len(got))] {
		if strings.HasPrefix(got[i], w+" ") {
			got[i] = w
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("%s\nheader %q", d, header)
	}
}

// outcome returns the result of reading a text: jobs by columns, by default those of SWF, then
// warnings by rule, or an error; and the header, with the time at which the log was taken.
func outcome(text, zone string, columns []string) (lines, header []string) {
	if columns == nil {
		columns = workload.ColumnNames([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17})
	}
	l, err := logfile.OpenReader("log", strings.NewReader(text), workload.Options{TimeZone: zone})
	if err != nil {
		return []string{err.Error()}, nil
	}
	defer l.Close()
	for j, err := range l.Jobs() {
		if err != nil {
			return []string{err.Error()}, nil
		}
		var values []string
		for _, name := range columns {
			c, value := workload.FindColumn(name), "-1"
			switch {
			case name == "line":
				value = strconv.FormatInt(l.Line(j.Row), 10)
			case !c.Known(&j):
			case c.Float():
				value = strconv.FormatFloat(c.Number(&j), 'f', -1, 64)
			default:
				value = strconv.FormatInt(c.Int(&j), 10)
			}
			values = append(values, value)
		}
		lines = append(lines, strings.Join(values, " "))
	}
	var warnings []string
	for _, w := range l.Warnings() {
		warnings = append(warnings, strings.Join([]string{"warning", w.Rule, strconv.FormatInt(w.Count, 10), strconv.FormatInt(w.Line, 10), w.Saw}, " "))
	}
	slices.Sort(warnings)
	taken, _ := l.Taken()
	return append(lines, warnings...), append(l.Header.Lines, fmt.Sprintf(" Taken: %g", taken), " Format: "+l.Format)
}

// jobsAndRules returns the jobs of a text, by columns, and the rules of its warnings.
func jobsAndRules(text string, columns []string) (jobs, rules []string) {
	lines, _ := outcome(text, "UTC", columns)
	for _, line := range lines {
		if words := strings.Fields(line); words[0] == "warning" {
			rules = append(rules, words[1])
		} else {
			jobs = append(jobs, line)
		}
	}
	return jobs, slices.Compact(rules)
}
