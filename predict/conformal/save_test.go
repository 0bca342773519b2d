package conformal_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/predict"
	"github.com/loadstone-hpc/loadstone/workload"
)

// saveAfter replays jobs and saves c as the last of them has been submitted.
func saveAfter(t *testing.T, c *predict.Conformal, jobs []workload.Job) []byte {
	t.Helper()
	var b bytes.Buffer
	then := func(yield func(workload.Job, error) bool) {
		for _, j := range jobs {
			if !yield(j, nil) {
				return
			}
		}
		if err := c.Save(&b, jobs); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range predict.Bounds(then, 0, []predict.BoundPredictor{c.Bound(0.95)}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

// A run that is cut in two, before and after it has learned, gives the bounds of one.
func TestConformalSaved(t *testing.T) {
	jobs := queueOf(2400, 7)
	_, views := newConformal(t, 0.5, 0.95)
	want := boundsOf(t, jobs, views...)
	for _, cut := range []int{150, 1200} {
		c, _ := newConformal(t, 0.5, 0.95)
		data := saveAfter(t, c, jobs[:cut])
		again, _ := newConformal(t, 0.5, 0.95)
		if !bytes.Equal(data, saveAfter(t, again, jobs[:cut])) {
			t.Errorf("cut at %d: saved twice, it is not the same", cut)
		}
		loaded, under, err := predict.LoadConformal(bytes.NewReader(data), predict.BoundOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if len(under) == 0 || len(under) > cut/2 {
			t.Errorf("cut at %d: %d jobs under way", cut, len(under))
		}
		rest := slices.Clone(under)
		for i, j := range jobs[cut:] {
			j.Row = int64(i)
			rest = append(rest, j)
		}
		n := 0
		for row, err := range predict.Bounds(workload.JobsOf(rest), 0, []predict.BoundPredictor{loaded.Bound(0.5), loaded.Bound(0.95)}) {
			if err != nil {
				t.Fatal(err)
			}
			if row.Request.Row < 0 {
				continue
			}
			n++
			for i, b := range row.Bounds {
				if w := want[cut+int(row.Request.Row)][i]; fmt.Sprint(w) != fmt.Sprint(b) {
					t.Fatalf("cut at %d, row %d: %+v, want %+v", cut, row.Request.Row, b, w)
				}
			}
		}
		if n != len(jobs)-cut {
			t.Errorf("cut at %d: %d jobs, want %d", cut, n, len(jobs)-cut)
		}
	}
}

// A damaged file is an error, and no panic.
func TestConformalDamaged(t *testing.T) {
	c, _ := newConformal(t, 0.95)
	data := saveAfter(t, c, queueOf(700, 8))
	load := func(data []byte) error {
		_, _, err := predict.LoadConformal(bytes.NewReader(data), predict.BoundOptions{})
		return err
	}
	if err := load(data); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		damaged := slices.Clone(data)
		damaged[r.IntN(len(data))] ^= byte(1 + r.IntN(255))
		if load(damaged) == nil || load(data[:r.IntN(len(data))]) == nil {
			t.Fatal("a damaged state is loaded")
		}
	}
	if err := load([]byte("something else")); err == nil || !strings.Contains(err.Error(), `saw "something else", want a state of conformal, which begins with`) {
		t.Error(err)
	}
}
