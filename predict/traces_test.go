package predict

import (
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/loadstone-hpc/loadstone/stats"
	"github.com/loadstone-hpc/loadstone/workload"
)

// trace reads a real log, by submission, or skips the test.
func trace(t testing.TB, name string) []workload.Job {
	t.Helper()
	folder := os.Getenv("LOADSTONE_TRACES")
	if folder == "" {
		folder = filepath.Join("..", "..", "shared", "traces")
	}
	log, err := workload.Open(filepath.Join(folder, "swf", name), workload.Options{})
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no real logs (%v): set LOADSTONE_TRACES", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	var jobs []workload.Job
	for j, err := range workload.InOrder(log.Jobs(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, j)
	}
	return jobs
}

// each yields jobs as they are; their rows are those of their log.
func each(jobs []workload.Job) func(yield func(workload.Job, error) bool) {
	return func(yield func(workload.Job, error) bool) {
		for _, j := range jobs {
			if !yield(j, nil) {
				return
			}
		}
	}
}

// Waits, and jobs without benefactor, as an independent program (NumPy)
// counts them, and its correlations of the logarithms: independent-values.json,
// downey_waits_at_head, printed there to three digits.
func TestDowneyOnLogs(t *testing.T) {
	for _, c := range []struct {
		log               string
		processors        int64
		limit             int
		waits, without    int
		a, b, n32, benefs float64
	}{
		{"SDSC-Par-1996-3.1-cln.swf.gz", 368, math.MaxInt, 14212, 180, 0.578, 0.461, 0.587, 0.594},
		{"CTC-SP2-1996.simulated-waits.swf.gz", 430, 50000, 9260, 223, 0.623, 0.625, 0.652, 0.657},
		{"KTH-SP2-1996-2.1-cln.swf.gz", 100, math.MaxInt, 11357, 800, 0.537, 0.561, 0.610, 0.601},
	} {
		t.Run(c.log, func(t *testing.T) {
			var jobs []workload.Job
			for _, j := range trace(t, c.log) {
				if Eligible(&j, c.processors) && len(jobs) < c.limit {
					jobs = append(jobs, j)
				}
			}
			law, _, err := FitOneLaw(each(jobs), c.processors, 0)
			if err != nil {
				t.Fatal(err)
			}
			predictors := Downey(law)
			cc := make([]stats.Correlation, len(predictors))
			waits, without := 0, 0
			for w, err := range AtHead(each(jobs), HeadConfig{Processors: c.processors, Predictors: predictors}) {
				if err != nil {
					t.Fatal(err)
				}
				waits++
				if w.Benefactors == 0 {
					without++
				}
				for i, p := range w.Predictions {
					if math.IsNaN(p.Seconds) != (i == 0 && w.Benefactors == 0) {
						t.Fatalf("%s predicts %g for job %d with %d benefactors", predictors[i].Name(), p.Seconds, w.Request.ID, w.Benefactors)
					}
					if !math.IsNaN(p.Seconds) {
						cc[i].Add(math.Log(p.Seconds), math.Log(w.Actual))
					}
				}
			}
			if waits != c.waits || without != c.without {
				t.Errorf("%d waits, %d without benefactor; want %d and %d", waits, without, c.waits, c.without)
			}
			for i, want := range []float64{c.a, c.b, c.n32, c.benefs} {
				if got := cc[i].R(); math.Abs(got-want) > 0.001 {
					t.Errorf("%s: correlation %.4f, want %.3f", predictors[i].Name(), got, want)
				}
			}
		})
	}
}

// BMBP at 0.95 with confidence 0.95 covers 95 % of all later waits of two real
// logs. The waits that are not zero are covered less: logged, not required.
func TestBoundsOnLogs(t *testing.T) {
	for _, c := range []struct {
		log  string
		jobs int // scored: nine tenths
	}{
		{"KTH-SP2-1996-2.1-cln.swf.gz", 25629},
		{"SDSC-Par-1996-3.1-cln.swf.gz", 28197},
	} {
		t.Run(c.log, func(t *testing.T) {
			jobs := trace(t, c.log)
			training, err := TrainingTenth(each(jobs))
			if err != nil {
				t.Fatal(err)
			}
			bmbp, err := NewBMBP(0.95, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			chebyshev, err := NewChebyshev(0.95, 0.95)
			if err != nil {
				t.Fatal(err)
			}
			predictors := []BoundPredictor{bmbp, chebyshev}
			var covered, bounded, above, coveredAbove [2]int
			scored := 0
			for w, err := range Bounds(each(jobs), training, predictors) {
				if err != nil {
					t.Fatal(err)
				}
				if !w.Scored {
					continue
				}
				scored++
				for i, b := range w.Bounds {
					if math.IsNaN(b.Seconds) {
						continue
					}
					bounded[i]++
					ok := w.Actual <= b.Seconds
					if ok {
						covered[i]++
					}
					if w.Actual > 0 {
						above[i]++
						if ok {
							coveredAbove[i]++
						}
					}
				}
			}
			if scored != c.jobs {
				t.Errorf("%d jobs scored, want %d", scored, c.jobs)
			}
			for i, p := range predictors {
				share := float64(covered[i]) / float64(bounded[i])
				t.Logf("%s: %d of %d jobs have a bound; it covers %.2f %%, of waits above zero %.2f %%",
					p.Name(), bounded[i], scored, 100*share, 100*float64(coveredAbove[i])/float64(above[i]))
				if share < 0.95 {
					t.Errorf("%s covers %.4f, want 0.95", p.Name(), share)
				}
				if bounded[i] < scored-59 {
					t.Errorf("%s: %d of %d jobs have a bound", p.Name(), bounded[i], scored)
				}
			}
		})
	}
}
