package population

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"

	fit "github.com/loadstone-hpc/loadstone/fit/population"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/internal/judge"
	"github.com/loadstone-hpc/loadstone/internal/reallogs"
	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/logfile"
)

// twoKinds returns jobs of size 8. Users with odd numbers take 4 GPUs of type 1 in 2 nodes for
// 2000 s and more, the others a node without GPUs for less than 1000 s. If the log has no
// processors, its sizes are nodes.
func twoKinds(t testing.TB, processors bool) (jobs []workload.Job, m population.Model) {
	t.Helper()
	jobs = judge.MadeUp(60, 10, 12)
	for i := range jobs {
		j := &jobs[i]
		gpus, nodes := int64(0), int64(1)
		j.Run, j.Time = math.Mod(j.Run, 1000), math.NaN()
		if j.Size = 8; j.User%2 == 1 {
			gpus, nodes = 4, 2
			j.Run += 2000
			workload.FindColumn("gpu_type").SetInt(j, 1)
		}
		workload.FindColumn("requested_gpus").SetInt(j, gpus)
		workload.FindColumn("allocated_nodes").SetInt(j, nodes)
		if !processors {
			j.Size = workload.Unknown
		}
	}
	var h workload.Header
	h.AddNamed("GPUType", 1, "A100")
	m, _, err := fit.Fit(context.Background(), workload.JobsOf(jobs), &h, "two kinds", 64)
	if err != nil {
		t.Fatal(err)
	}
	return jobs, m
}

// Jobs have only combinations of resources of the log, each as often as in the log, to within a
// template; most users keep to one combination.
func TestResources(t *testing.T) {
	for _, processors := range []bool{true, false} {
		log, m := twoKinds(t, processors)
		w, err := New(m, Options{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		var c Made
		jobs := jobtest.Collect(t, w.Counted(context.Background(), &c))
		share := func(jobs []workload.Job) float64 {
			n := 0
			for i := range jobs {
				if jobs[i].GPUs == 4 {
					n++
				}
			}
			return float64(n) / float64(len(jobs))
		}
		if got, want := share(jobs), share(log); math.Abs(got-want) > .02 {
			t.Errorf("%g of the jobs have GPUs, want %g", got, want)
		}
		work, mine := 0.0, map[int64][2]float64{}
		for i := range jobs {
			j := &jobs[i]
			size, gpus := int64(8), 0
			if !processors {
				size = j.AllocatedNodes
			}
			work += j.Run * float64(size)
			if j.GPUs == 4 {
				gpus = 1
			}
			if j.Run > 1500 != (gpus == 1) { // run times are scaled by a few per cent at most, for the load
				t.Fatalf("a job of %g s with %d GPUs", j.Run, j.GPUs)
			}
			n := mine[j.User]
			n[gpus]++
			mine[j.User] = n
			if processors != (j.Size == 8) || processors != (j.Processors == 8) {
				t.Fatalf("a job of %d processors, %d asked for", j.Size, j.Processors)
			}
			if with := j.GPUs == 4 && j.GPUType == 1 && j.AllocatedNodes == 2 && j.TakesGPUs == 4 && j.TakesNodes == 2; !with &&
				!(j.GPUs == 0 && j.GPUType == workload.Unknown && j.AllocatedNodes == 1 && j.TakesGPUs == 0 && j.TakesNodes == 1) {
				t.Fatalf("a job with %+v", *j)
			}
		}
		if math.Abs(c.Area/work-1) > 1e-12 {
			t.Errorf("work of %g, want %g", c.Area, work)
		}
		loyal := 0.0
		for _, n := range mine {
			loyal += math.Max(n[0], n[1]) / float64(len(jobs))
		}
		if processors && loyal < .9 { // in a log without processors, resources follow from sizes
			t.Errorf("a share of %g of the jobs has its user's most frequent combination, want .9", loyal)
		}
		want := workload.ColumnSetOf(workload.ColRequestedGPUs, workload.ColAllocatedNodes, workload.ColGPUType)
		if got := w.Optional(); got != want {
			t.Errorf("optional columns %v, want %v", workload.ColumnNames(got.Written()[workload.FirstOptional:]), workload.ColumnNames(want.Written()[workload.FirstOptional:]))
		}
		h := w.Header(&c, "")
		if h.Names("GPUType")[1] != "A100" || processors != (h.Get("MaxProcs") == "64") || processors == (h.Get("MaxNodes") == "64") {
			t.Errorf("header %q", h.Lines)
		}
		sameOnCores(t, m, Options{Seed: 1})
	}
}

// For real GPU clusters, the shares of jobs by GPUs, and by GPUs within each size, lie among
// those of 100 drawn workloads, except for as many as chance puts outside (2 of 101) and half as
// many more; the median of the drawn shares is within a hundredth of the log's.
func TestResourcesOfClusters(t *testing.T) {
	longtest.Only(t)
	const draws = 100
	for _, name := range []string{"rivals/helios/real.csv.gz", "rivals/philly/real.csv.gz", "gpu/alibaba-openb-2023-pods.csv.gz"} {
		t.Run(name, func(t *testing.T) {
			log, err := logfile.Open(reallogs.Path(t, name), workload.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer log.Close()
			jobs := slices.DeleteFunc(jobtest.Collect(t, log.Jobs()), func(j workload.Job) bool { return math.IsNaN(j.Run) })
			m, _, err := fit.Fit(context.Background(), workload.JobsOf(jobs), &log.Header, name, 0)
			if err != nil {
				t.Fatal(err)
			}
			drawn := map[string][]float64{}
			for seed := range draws {
				made, _ := made(t, m, Options{Seed: uint64(seed + 1)})
				for of, share := range sharesOfGPUs(made) {
					drawn[of] = append(drawn[of], share)
				}
			}
			real, outside := sharesOfGPUs(jobs), 0
			for of, share := range real {
				x := append(drawn[of], make([]float64, draws-len(drawn[of]))...)
				slices.Sort(x)
				if share < x[0]-1e-9 || share > x[draws-1]+1e-9 {
					outside++
					t.Logf("%s: %g, drawn %g to %g", of, share, x[0], x[draws-1])
				}
				if middle := (x[draws/2-1] + x[draws/2]) / 2; math.Abs(middle-share) > .01 {
					t.Errorf("%s: %g, the middle of those drawn is %g", of, share, middle)
				}
			}
			if most := 1 + len(real)*3/(draws+1); outside > most {
				t.Errorf("%d of %d shares are outside the range drawn, want at most %d", outside, len(real), most)
			}
		})
	}
}

// sharesOfGPUs returns the shares of jobs by GPUs, and by GPUs among the jobs of each size with
// at least a fiftieth of all jobs; for jobs without processors, by nodes among those with each
// number of GPUs.
func sharesOfGPUs(jobs []workload.Job) map[string]float64 {
	shares, of := map[string]float64{}, map[int64]float64{}
	n := float64(len(jobs))
	size := func(j *workload.Job) (size, with int64) {
		if j.Size == workload.Unknown {
			return j.GPUs, j.Nodes
		}
		return j.Size, j.GPUs
	}
	for i := range jobs {
		shares[fmt.Sprint(jobs[i].GPUs, " GPUs")] += 1 / n
		at, _ := size(&jobs[i])
		of[at]++
	}
	for i := range jobs {
		if at, with := size(&jobs[i]); of[at] >= n/50 {
			shares[fmt.Sprint(with, " with size ", at)] += 1 / of[at]
		}
	}
	return shares
}

// A template that gets another size in another round keeps its own score: a user's second
// template uses the score of the first while both have the same size, and takes the row of its
// own score otherwise.
func TestResourcesKeepScores(t *testing.T) {
	const what = population.AsksResources
	w := &Workload{m: &population.Model{Resources: population.Resources{Sizes: []int64{1, 1, 2, 2}, Shares: []float64{.25, .25, .25, .25}}}}
	own := func(size int64, score float32) template {
		t := template{size: size, jobs: 1}
		t.asks[what] = score
		return t
	}
	l := &lap{people: []person{{templates: []template{own(1, .1), own(1, .9)}}, {templates: []template{own(1, .5), own(2, .5)}}}}
	l.people[0].templates[1].same[what] = true
	w.resources(l)
	l.people[0].templates[1].size = 2
	w.resources(l)
	if got := l.people[0].templates[1].row; got != 3 {
		t.Errorf("row %d, want 3: it has the higher score of the two with size 2", got)
	}
}
