package inspect

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"github.com/loadstone-hpc/loadstone/internal/state"
	"github.com/loadstone-hpc/loadstone/workload"
)

// TestDescriberMerge holds that a log in one piece and in parts, each written and read
// back, have the same description to the byte, on both sides of every bound.
func TestDescriberMerge(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := everything
		o.Workers = 1
		o.Known = true
		o.By = "queue_id"
		window := rapid.IntRange(1, 40).Draw(t, "window")
		few := rapid.Bool().Draw(t, "few are kept")
		jobs := rapid.SliceOfN(rapid.Custom(anyJob), 0, 120).Draw(t, "jobs")
		at := 0.0
		for i := range jobs {
			at += jobs[i].Submit
			jobs[i].Submit = at
		}
		// Some stand a few places from where they belong.
		for i := range rapid.IntRange(0, len(jobs)/4).Draw(t, "moved") {
			jobs[2*i], jobs[2*i+1] = jobs[2*i+1], jobs[2*i]
		}
		log, _ := workload.NewLog("made up", "swf")
		empty := func() *Describer {
			d, err := NewDescriber(log, o)
			if err != nil {
				t.Fatal(err)
			}
			d.order.buffer.Window = window
			if few {
				for _, c := range d.columns {
					c.quantiles.Exact = 9
				}
				for _, g := range d.groups {
					g.values.Most = 4
				}
				d.sizeGroups.most, d.by.most, d.relation.ranks.Exact = 9, 9, 9
			}
			return d
		}
		read := func(jobs []workload.Job) *Describer {
			d := empty()
			var s slab
			for rec, err := range batches(jobs...) {
				if err != nil {
					t.Fatal(err)
				}
				s.fill(workload.NewView(rec))
				for _, p := range d.parts {
					p.add(&s)
				}
			}
			back := empty()
			if err := state.Decode(state.Append(nil, d), back); err != nil {
				t.Fatal(err)
			}
			return back
		}
		want, errWhole := read(jobs).Describe(log)
		var merged *Describer
		for rest := jobs; merged == nil || len(rest) > 0; {
			n := rapid.IntRange(0, len(rest)).Draw(t, "part")
			d := read(rest[:n])
			rest = rest[n:]
			if merged == nil {
				merged = d
			} else if err := merged.Merge(d); err != nil {
				t.Fatal(err)
			}
		}
		got, err := merged.Describe(log)
		if (err == nil) != (errWhole == nil) {
			t.Fatal(err, errWhole)
		}
		if err != nil {
			return
		}
		a, _ := json.Marshal(got)
		b, _ := json.Marshal(want)
		if string(a) != string(b) {
			t.Fatalf("in parts\n%s\nin one\n%s", a, b)
		}
	})
}

func anyJob(t *rapid.T) workload.Job {
	j := job(float64(rapid.IntRange(0, 900).Draw(t, "gap"))/2, float64(rapid.IntRange(-1, 50).Draw(t, "wait")),
		rapid.SampledFrom([]float64{-1, 0, 1, 7, 0.1, 1e-300, 3600.25, 1e9}).Draw(t, "run"), int64(rapid.IntRange(-1, 600).Draw(t, "size")))
	j.User, j.Queue, j.ID = int64(rapid.IntRange(-1, 20).Draw(t, "user")), int64(rapid.IntRange(-1, 5).Draw(t, "queue")), int64(rapid.IntRange(1, 99).Draw(t, "id"))
	return j
}
