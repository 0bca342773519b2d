package outside

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

// TestNoLookingAhead: what a program has been sent when it is asked holds no run
// time, wait or status of a job that had not ended by then.
func TestNoLookingAhead(t *testing.T) {
	seen := filepath.Join(t.TempDir(), "seen")
	if _, err := replay(t, context.Background(), Command{Label: "tee", Line: "tee '" + seen + "' | " + hundred}, 2000); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(seen)
	if err != nil {
		t.Fatal(err)
	}
	var begin struct{ Protocol string }
	submits, ends := map[float64]float64{}, 0
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		var event map[string]json.RawMessage
		if err := json.Unmarshal([]byte(line), &event); err != nil || len(event) != 1 {
			t.Fatalf("line %d: %s: %v", i+1, line, err)
		}
		var fields map[string]float64
		for name, value := range event {
			switch name {
			case "begin":
				if err := json.Unmarshal(value, &begin); err != nil || begin.Protocol != Protocol || i != 0 {
					t.Fatalf("line %d: %s", i+1, line)
				}
			case "submit":
				if err := json.Unmarshal(value, &fields); err != nil {
					t.Fatal(err)
				}
				for field := range fields {
					if c := workload.FindColumn(field); field != "row" && !c.Submitted() {
						t.Fatalf("a submission has %s", field)
					}
				}
				submits[fields["row"]] = fields["submit_time_s"]
			case "end":
				if err := json.Unmarshal(value, &fields); err != nil {
					t.Fatal(err)
				}
				ends++
				// All later submissions are at this end or after it, since they come
				// in the order of time: see the last one.
				end := fields["submit_time_s"] + fields["wait_time_s"] + fields["run_time_s"]
				if last := submits[float64(len(submits))]; last >= end {
					t.Fatalf("line %d: the end at %g s comes after a submission at %g s", i+1, end, last)
				}
				if at, ok := submits[fields["row"]]; !ok || at != fields["submit_time_s"] {
					t.Fatalf("line %d: a job ends that was not submitted", i+1)
				}
			case "done":
			default:
				t.Fatalf("line %d: %s", i+1, line)
			}
		}
	}
	// Each job runs 15 s and is submitted 10 s after the one before.
	if len(submits) != 2000 || ends != 2000 {
		t.Errorf("%d submissions and %d ends", len(submits), ends)
	}
}

// waiter waits a while for more before it answers. Where it has seen the end of
// the job that it is asked about, it answers with its run time.
const waiter = `
import json, os, select
seen, todo = {}, []
buffer = b""
def more(seconds):
    global buffer
    if not select.select([0], [], [], seconds)[0]:
        return False
    part = os.read(0, 1 << 20)
    lines = (buffer + part).split(b"\n")
    buffer = lines.pop()
    for line in lines:
        event = json.loads(line)
        if "submit" in event:
            todo.append(event["submit"]["row"])
        if "end" in event:
            seen[event["end"]["row"]] = event["end"]["run_time_s"]
    return part != b""
while more(None):
    while todo:
        while more(0.02):
            pass
        row = todo.pop(0)
        os.write(1, json.dumps({"row": row, "predicted_s": seen.get(row)}).encode() + b"\n")
`

// TestWaitingShowsNothing: a program that waits for what comes next has nothing
// from it.
func TestWaitingShowsNothing(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	program := filepath.Join(t.TempDir(), "waiter.py")
	if err := os.WriteFile(program, []byte(waiter), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := replay(t, context.Background(), Command{Label: "waiter", Line: "python3 '" + program + "'"}, 30)
	if err != nil || len(got) != 30 {
		t.Fatalf("%d predictions, %v", len(got), err)
	}
	for i, s := range got {
		if s == s {
			t.Errorf("row %d: it answers %g s, want null", i+1, s)
		}
	}
}
