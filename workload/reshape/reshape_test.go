package reshape

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// readReference reads a file of testdata, whose origin is the script with it.
func readReference[T any](t *testing.T, name string) (r T) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err == nil {
		err = json.Unmarshal(b, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

type reference struct {
	Key          string
	Replacements []struct {
		Column, Kind, Text string
		Replacement        int64
	}
	Normal    float64            `json:"normal_two_sided"`
	ChiSquare map[string]float64 `json:"chi_square"`
}

// opening returns a function that opens a log of the jobs any number of times; header lines are
// separated by line breaks.
func opening(header string, jobs []workload.Job) func() (*workload.Log, error) {
	h := workload.Header{}
	if header != "" {
		h.Lines = strings.Split(header, "\n")
	}
	return func() (*workload.Log, error) { return workload.LogOf("log", h, jobs), nil }
}

// failing returns the error with which a stream ends.
func failing(jobs workload.JobSeq) (err error) {
	for _, err = range jobs {
	}
	return err
}

// same compares jobs except their Row; unknown values are equal.
func same(a, b workload.Job) bool {
	for i := range workload.NumColumns {
		c := workload.ColumnAt(i)
		if x, y := c.Number(&a), c.Number(&b); c.Float() && x != y && !(math.IsNaN(x) && math.IsNaN(y)) || !c.Float() && c.Int(&a) != c.Int(&b) {
			return false
		}
	}
	return true
}

// numbered returns n jobs, numbered from 0, of each user in turn.
func numbered(n, users int) (jobs []workload.Job) {
	for i := range n {
		j := workload.UnknownJob()
		j.ID, j.User, j.Submit, j.Run, j.Processors, j.Size = int64(i), int64(i%users), float64(10*i), 60, 1, 1
		jobs = append(jobs, j)
	}
	return jobs
}

func submitted(times ...float64) (jobs []workload.Job) {
	for i, s := range times {
		j := workload.UnknownJob()
		j.ID, j.Submit = int64(i), s
		jobs = append(jobs, j)
	}
	return jobs
}

// Conditions that option tags cannot express.
func TestOptionsAreChecked(t *testing.T) {
	none := func() (*workload.Log, error) { return nil, errors.New("it was opened") }
	_, sample := Sample(t.Context(), none, SampleOptions{})
	_, byJob := Sample(t.Context(), none, SampleOptions{Jobs: 3, By: "job_id"})
	_, scale := Scale(t.Context(), none, ScaleOptions{})
	_, both := Scale(t.Context(), none, ScaleOptions{Load: LoadTarget{1, 1}})
	_, split := Split(t.Context(), none, SplitOptions{})
	_, key := Anonymise(t.Context(), none, AnonymiseOptions{Key: []byte("too short")})
	for want, err := range map[string]error{
		"jobs: is missing": sample, "by: ": byJob, "load: is missing": scale, "load: 1x": both, "parts: is missing": split, "want at least 16": key,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// All changes share one stream implementation: it counts jobs for the header, refuses to end
// without a header and reports a log that changed since an earlier reading.
func TestStream(t *testing.T) {
	jobs := numbered(100, 10)
	jobs[3].User = workload.Unknown
	const header = " MaxJobs: 100"
	for _, c := range []struct {
		o     SampleOptions
		jobs  int
		what  string
		rules []string
	}{
		{SampleOptions{Fraction: 1}, 100, "a sample: each job with probability 1, seed 0; the offered load is the sample's", nil},
		{SampleOptions{Jobs: 7}, 7, "a sample: 7 of 100 jobs, drawn uniformly at random, seed 0; the offered load is the sample's", nil},
		{SampleOptions{Jobs: 700}, 100, "a sample: 100 of 100 jobs, drawn uniformly at random, seed 0; the offered load is the sample's", []string{"few-jobs"}},
		{SampleOptions{Fraction: 1, By: "user_id"}, 99, "a sample: 10 of 10 values of user_id, with all their jobs, seed 0; the offered load is the sample's", []string{"left-out"}},
	} {
		s, err := Sample(t.Context(), opening(header, jobs), c.o)
		if err != nil {
			t.Fatal(err)
		}
		got := jobtest.Collect(t, s.Jobs)
		h := s.Header("a test")
		var rules []string
		for _, w := range s.Warnings() {
			rules = append(rules, w.Rule)
		}
		if n, _ := h.Int("MaxJobs"); len(got) != c.jobs || n != int64(c.jobs) || h.All("Note")[0] != c.what || !slices.Equal(rules, c.rules) {
			t.Errorf("%+v: %d jobs, MaxJobs %d, %q, %v", c.o, len(got), n, h.All("Note"), rules)
		}
		if err := s.Log.Close(); err != nil {
			t.Error(err)
		}
	}
	s, err := Sample(t.Context(), opening(header, jobs), SampleOptions{Fraction: 1e-12})
	if err != nil {
		t.Fatal(err)
	}
	if err := failing(s.Jobs); !errors.Is(err, workload.ErrNoJobs) {
		t.Errorf("no job drawn: got %v", err)
	}
	// The second reading finds one job more, or one less.
	for _, n := range []int{99, 101} {
		first := opening(header, jobs)
		open := func() (log *workload.Log, err error) {
			log, err = first()
			first = opening(header, append(jobs, jobs...)[:n])
			return log, err
		}
		s, err := Sample(t.Context(), open, SampleOptions{Jobs: 50})
		if err != nil {
			t.Fatal(err)
		}
		if err := failing(s.Jobs); err != ErrChanged {
			t.Errorf("100 jobs became %d: got %v", n, err)
		}
	}
}

// The header of a stream without its own note, such as that of an anonymised log, mentions only the
// recomputed lines.
func TestStreamWithoutANote(t *testing.T) {
	log, err := opening(" MaxJobs: 10\n Note: the log's own", numbered(10, 2))()
	if err != nil {
		t.Fatal(err)
	}
	var s Stream
	s.alter(t.Context(), log, func(j *workload.Job) (bool, error) { return j.ID < 4, nil })
	jobtest.Collect(t, s.Jobs)
	h := s.Header("a test")
	want := []string{"the log's own", "MaxJobs and MaxRecords recomputed by a test"}
	if n, _ := h.Int("MaxJobs"); n != 4 || !slices.Equal(h.All("Note"), want) {
		t.Errorf("MaxJobs %d, want 4; notes %q, want %q", n, h.All("Note"), want)
	}
}
