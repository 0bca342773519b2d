package inspect

import (
	"context"
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/internal/state"
	"github.com/loadstone-hpc/loadstone/workload"
)

// TestValidatorMerge holds that a log in one piece and in parts, each written and read
// back, have the same findings to the byte, unless the division is refused because job
// numbers stand in several parts.
func TestValidatorMerge(t *testing.T) {
	overfull := false
	rapid.Check(t, func(t *rapid.T) {
		jobs := rapid.SliceOfN(rapid.Custom(anyJob), 0, 60).Draw(t, "jobs")
		ascending := rapid.Bool().Draw(t, "ascending ids")
		for i := range jobs {
			if ascending {
				jobs[i].ID = int64(2 * i)
			}
			jobs[i].Preceding = int64(rapid.IntRange(-1, 130).Draw(t, "preceding"))
			jobs[i].Time = 40
			jobs[i].Row = int64(i)
		}
		o := ValidateOptions{First: rapid.IntRange(0, 5).Draw(t, "first"), Processors: 300}
		open := func(share workload.Share, jobs []workload.Job) *workload.Log {
			log, from := workload.NewLog("made up", "swf")
			log.Header.Set("MaxQueues", "2")
			log.Header.Set("MaxNodes", "many")
			from.Share, from.Batches = share, batches(jobs...)
			return log
		}
		read := func(share workload.Share, jobs []workload.Job) *Validator {
			log := open(share, jobs)
			v, err := NewValidator(log, o)
			if err != nil {
				t.Fatal(err)
			}
			if err := v.Read(context.Background(), log); err != nil {
				t.Fatal(err)
			}
			back := newValidator(open(workload.Share{}, nil), o)
			if err := state.Decode(state.Append(nil, v), back); err != nil {
				t.Fatal(err)
			}
			return back
		}
		whole, err := newValidator(open(workload.Share{}, nil), o).run(batches(jobs...))
		if err != nil {
			t.Fatal(err)
		}
		if whole.Busy != nil && whole.Busy.Moments > 0 {
			overfull = true
		}
		var merged *Validator
		for rest := jobs; merged == nil || len(rest) > 0; {
			n := rapid.IntRange(0, len(rest)).Draw(t, "part")
			v := read(workload.Share{Part: 1, Parts: 9}, rest[:n])
			rest = rest[n:]
			if merged == nil {
				merged = v
			} else if err := merged.Merge(v); err == errIDs && !ascending {
				return
			} else if err != nil {
				t.Fatal(err)
			}
		}
		a, _ := json.Marshal(merged.Validation(open(workload.Share{}, nil)))
		b, _ := json.Marshal(whole)
		if string(a) != string(b) {
			t.Fatalf("in parts\n%s\nin one\n%s", a, b)
		}
	})
	if !overfull {
		t.Error("no log had too many processors busy")
	}
}
