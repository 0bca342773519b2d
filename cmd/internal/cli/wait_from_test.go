package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Jobs that are held for 100 s and then wait 10 s have waits of 110 s from
// submission and of 10 s from when they could start. The output says which.
func TestWaitFrom(t *testing.T) {
	var b strings.Builder
	b.WriteString("job_id,submit_time_s,wait_time_s,run_time_s,requested_processors,eligible_time_s\n")
	for i := range 200 {
		fmt.Fprintf(&b, "%d,%d,110,30,1,%d\n", i+1, 60*i, 60*i+100)
	}
	path := filepath.Join(t.TempDir(), "held.csv")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   []string
		median float64
		says   string
	}{
		{nil, 110, "waits are counted from submission"},
		{[]string{"--wait-from", "submit"}, 110, "waits are counted from submission"},
		{[]string{"--wait-from", "eligible"}, 10, "waits are counted from eligibility"},
	} {
		o := loadstone(t, "", append([]string{"describe", path, "--format", "json"}, c.args...)...)
		var got struct {
			Columns map[string]struct{ Median float64 }
		}
		if err := json.Unmarshal([]byte(o.out), &got); err != nil {
			t.Fatalf("%v: %s", err, o.err)
		}
		if m := got.Columns["wait_time_s"].Median; m != c.median || !strings.Contains(o.err, c.says) || !strings.Contains(o.out, c.says) {
			t.Errorf("describe %v: median wait %g, want %g; %s", c.args, m, c.median, o.err)
		}
		p := filepath.Join(t.TempDir(), "p.csv")
		o = loadstone(t, "", append([]string{"predict", path, "--predictors", "bmbp", "--procs", "8", "--predictions", p}, c.args...)...)
		text, err := os.ReadFile(p)
		if err != nil || !strings.Contains(o.err, c.says) {
			t.Fatalf("predict %v: %v, %s", c.args, err, o.err)
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		if last := lines[len(lines)-1]; !strings.Contains(","+last+",", fmt.Sprintf(",%g,", c.median)) {
			t.Errorf("predict %v: %s, want a wait of %g", c.args, last, c.median)
		}
	}
	if o := loadstone(t, "", "describe", path, "--wait-from", "start"); o.code != exitUsage || !strings.Contains(o.err, "submit, eligible") {
		t.Errorf("start: %d, %s", o.code, o.err)
	}
	// What is simulated begins when jobs come; the log's own waits are not told of.
	for _, c := range []struct{ from, submit, says string }{
		{"", "0", ""},
		{"submit", "0", "waits are counted from submission"},
		{"eligible", "100", "waits are counted from eligibility"},
	} {
		out := filepath.Join(t.TempDir(), "out.csv")
		args := []string{"simulate", path, "--procs", "8", "-o", out}
		compare := []string{"compare", path, path, "--schedule", "easy", "--procs", "8"}
		if c.from != "" {
			args, compare = append(args, "--wait-from", c.from), append(compare, "--wait-from", c.from)
		}
		o := loadstone(t, "", args...)
		text, err := os.ReadFile(out)
		if err != nil || !strings.Contains(string(text), "\n1,"+c.submit+",0,30,") {
			t.Errorf("simulate %s: %v\n%.300s", c.from, err, text)
		}
		for i, got := range []outcome{o, loadstone(t, "", compare...)} {
			if got.code != exitDone || strings.Contains(got.err, "waits are counted") != (c.says != "") || !strings.Contains(got.err, c.says) {
				t.Errorf("%d, from %q: %s", i, c.from, got.err)
			}
		}
	}
	// Other commands neither take the flag nor say anything.
	if o := loadstone(t, "", "convert", path); strings.Contains(o.err, "waits are counted") {
		t.Error(o.err)
	}
}
