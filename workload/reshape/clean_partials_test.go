package reshape

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every way in which a job in parts can stand in a log.
func TestPartials(t *testing.T) {
	for _, c := range []struct {
		name, log string
		filter    string
		want      string   // lines
		removed   []string // reasons
		merged    int64
		warnings  int64
	}{
		{name: "whole and parts (Preemption: Double)", log: `
1 0 5 30 4 20 64 4 99 -1 1 1 1 1 1 1 -1 -1
1 0 5 10 4 8 64 4 99 -1 2 1 1 1 1 1 -1 -1
1 -1 7 20 4 12 32 4 99 -1 3 1 1 1 1 1 -1 -1
2 50 0 5 1 -1 -1 1 9 -1 0 1 1 1 1 1 -1 -1`, want: `
1 0 5 30 4 20 64 4 99 -1 1 1 1 1 1 1 -1 -1
2 50 0 5 1 -1 -1 1 9 -1 0 1 1 1 1 1 -1 -1`,
			removed: []string{"1/2: part of the job in row 1", "1/3: part of the job in row 1"}},
		{name: "parts alone (Preemption: Yes)", log: `
1 0 5 10 4 8 64 4 99 -1 2 1 1 1 1 1 -1 -1
1 -1 7 20 4 12.5 32 4 99 -1 2 1 1 1 1 1 -1 -1
1 -1 9 1.5 6 -1 128 4 99 -1 3 1 1 1 1 1 -1 -1
2 50 0 5 1 -1 -1 1 9 -1 0 1 1 1 1 1 -1 -1`,
			// 10+20+1.5 s of run time, 8+12.5 s of CPU time, the largest size and memory.
			want: `
1 0 5 31.5 6 20.5 128 4 99 -1 1 1 1 1 1 1 -1 -1
2 50 0 5 1 -1 -1 1 9 -1 0 1 1 1 1 1 -1 -1`,
			removed: []string{"1/2: part merged into row 1", "1/3: part merged into row 1"}, merged: 1},
		{name: "a failed end, other jobs between", log: `
1 0 5 10 4 -1 -1 4 99 -1 2 1 1 1 1 1 -1 -1
2 50 0 5 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
3 60 5 10 2 -1 -1 4 99 -1 2 1 1 1 1 1 -1 -1
1 -1 7 20 4 -1 -1 4 99 -1 4 1 1 1 1 1 -1 -1
4 70 0 5 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
3 -1 7 -1 2 -1 -1 4 99 -1 3 1 1 1 1 1 -1 -1`, want: `
1 0 5 30 4 -1 -1 4 99 -1 0 1 1 1 1 1 -1 -1
2 50 0 5 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
3 60 5 10 2 -1 -1 4 99 -1 1 1 1 1 1 1 -1 -1
4 70 0 5 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1`,
			removed: []string{"1/4: part merged into row 1", "3/6: part merged into row 3"}, merged: 2},
		{name: "requeued: the last part has an ordinary status", log: `
1 0 5 10 4 -1 -1 4 99 -1 2 1 1 1 1 1 -1 -1
1 90 7 20 4 -1 -1 4 99 -1 5 1 1 1 1 1 -1 -1`, want: `
1 0 5 30 4 -1 -1 4 99 -1 5 1 1 1 1 1 -1 -1`,
			removed: []string{"1/2: part merged into row 1"}, merged: 1},
		{name: "the whole behind its parts", log: `
1 0 5 10 4 -1 -1 4 99 -1 2 1 1 1 1 1 -1 -1
1 -1 7 20 4 -1 -1 4 99 -1 3 1 1 1 1 1 -1 -1
1 0 5 30 4 -1 -1 4 99 -1 1 1 1 1 1 1 -1 -1`, want: `
1 0 5 30 4 -1 -1 4 99 -1 1 1 1 1 1 1 -1 -1`,
			removed: []string{"1/1: part of the job in row 3", "1/2: part of the job in row 3"}},
		{name: "one part only", log: `
1 0 5 10 4 -1 -1 4 99 -1 3 1 1 1 1 1 -1 -1
2 0 5 10 4 -1 -1 4 99 -1 2 1 1 1 1 1 -1 -1
-1 0 5 10 4 -1 -1 4 99 -1 2 1 1 1 1 1 -1 -1`, want: `
1 0 5 10 4 -1 -1 4 99 -1 1 1 1 1 1 1 -1 -1
2 0 5 10 4 -1 -1 4 99 -1 2 1 1 1 1 1 -1 -1
-1 0 5 10 4 -1 -1 4 99 -1 2 1 1 1 1 1 -1 -1`, merged: 1, warnings: 1},
		{name: "an end that is too far on", filter: "partials within=2", log: `
1 0 5 10 4 -1 -1 4 99 -1 2 1 1 1 1 1 -1 -1
2 1 0 5 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
3 2 0 5 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
1 -1 7 20 4 -1 -1 4 99 -1 3 1 1 1 1 1 -1 -1`, want: `
1 0 5 10 4 -1 -1 4 99 -1 2 1 1 1 1 1 -1 -1
2 1 0 5 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
3 2 0 5 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
1 -1 7 20 4 -1 -1 4 99 -1 1 1 1 1 1 1 -1 -1`, merged: 1, warnings: 1},
		{name: "a whole that is too far back", filter: "partials within=1", log: `
1 0 5 30 4 -1 -1 4 99 -1 1 1 1 1 1 1 -1 -1
2 1 0 5 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
1 -1 7 20 4 -1 -1 4 99 -1 3 1 1 1 1 1 -1 -1`, want: `
1 0 5 30 4 -1 -1 4 99 -1 1 1 1 1 1 1 -1 -1
2 1 0 5 1 -1 -1 1 9 -1 1 1 1 1 1 1 -1 -1
1 -1 7 20 4 -1 -1 4 99 -1 1 1 1 1 1 1 -1 -1`, merged: 1},
		{name: "the first part's submission is unknown", log: `
1 -1 5 10 4 -1 -1 4 99 -1 2 1 1 1 1 1 -1 -1
1 8 7 20 4 -1 -1 4 99 -1 3 1 1 1 1 1 -1 -1`, want: `
1 8 7 30 4 -1 -1 4 99 -1 1 1 1 1 1 1 -1 -1`,
			removed: []string{"1/2: part merged into row 1"}, merged: 1},
	} {
		if c.filter == "" {
			c.filter = "partials"
		}
		got := clean(t, strings.TrimSpace(c.log)+"\n", c.filter)
		if d := cmp.Diff(strings.Split(strings.TrimSpace(c.want), "\n"), got.lines); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
		if d := cmp.Diff(c.removed, reasons(got.removed)); d != "" {
			t.Errorf("%s: removed (-want +got):\n%s", c.name, d)
		}
		var warnings int64
		for _, w := range got.Outcomes[0].Warnings.List() {
			warnings += w.Count
		}
		if got.Outcomes[0].Merged != c.merged || warnings != c.warnings {
			t.Errorf("%s: %d merged, %d warnings; want %d, %d", c.name, got.Outcomes[0].Merged, warnings, c.merged, c.warnings)
		}
		// A second pass finds nothing more to do.
		again := clean(t, strings.Join(got.lines, "\n")+"\n", c.filter)
		if c.filter == "partials" && (len(again.removed) > 0 || again.Outcomes[0].Merged > 0) {
			t.Errorf("%s: a second pass removes %q", c.name, reasons(again.removed))
		}
	}
}

// The header says that the parts are gone.
func TestPartialsHeader(t *testing.T) {
	const head = "; MaxJobs: 1\n; MaxRecords: 3\n; Preemption: Double\n"
	const whole = "1 0 5 30 4 -1 -1 4 99 -1 1 1 1 1 1 1 -1 -1\n"
	const parts = "1 0 5 10 4 -1 -1 4 99 -1 2 1 1 1 1 1 -1 -1\n1 -1 7 20 4 -1 -1 4 99 -1 3 1 1 1 1 1 -1 -1\n"
	got := clean(t, head+whole+parts, "partials")
	want := []string{
		" MaxJobs: 1", " MaxRecords: 1", " Preemption: TS",
		" Note: THIS IS A CLEANED VERSION OF THE LOG!",
		"       The filter used to produce it was",
		"         partials within=100000 (2 jobs removed)",
		" Note: Preemption was Double before partial executions were merged by a test",
		" Note: MaxRecords recomputed by a test",
	}
	if d := cmp.Diff(want, got.header.Lines); d != "" {
		t.Error(d)
	}
	got = clean(t, strings.Replace(head, "Double", "Yes", 1)+parts, "partials")
	if p := got.header.Get("Preemption"); p != "TS" || !strings.Contains(got.header.All("Note")[0], "partials within=100000 (1 job removed, 1 job merged from parts)") {
		t.Errorf("Preemption: %s, notes %q", p, got.header.All("Note"))
	}
}
