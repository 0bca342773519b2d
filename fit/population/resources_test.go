package population

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/loadstone-hpc/loadstone/model/population"
	"github.com/loadstone-hpc/loadstone/workload"
)

// having sets columns of a job.
func having(j *workload.Job, values map[string]int64) {
	for name, v := range values {
		if c := workload.FindColumn(name); c.Float() {
			c.SetNumber(j, float64(v))
		} else {
			c.SetInt(j, v)
		}
	}
}

// gpuSite returns the jobs of twoUsers, all with size 8: user 1's bags are on 4 GPUs of type 3 in
// 2 nodes, its other jobs on 1 GPU of type 2, and user 2's jobs have no GPU and run on one node.
func gpuSite() []workload.Job {
	jobs := twoUsers()
	for i := range jobs {
		j := &jobs[i]
		switch {
		case j.User == 2:
			having(j, map[string]int64{"requested_gpus": 0, "requested_nodes": 1})
		case j.Size == 4:
			having(j, map[string]int64{"requested_gpus": 4, "gpu_type_id": 3, "requested_nodes": 2})
		default:
			having(j, map[string]int64{"requested_gpus": 1, "gpu_type_id": 2, "requested_nodes": 1})
		}
		j.Size = 8
	}
	return jobs
}

// The joint distribution by hand. Of 20 jobs, 4 have no GPU, 12 have 4 GPUs of type 3, whose jobs
// have the smaller mean run-time score (100, 100 and 500 s), and 4 have 1 of type 2 (1000 s).
func TestResources(t *testing.T) {
	h := &workload.Header{}
	h.AddNamed("GPUType", 2, "V100")
	h.AddNamed("GPUType", 3, "A100 (80 GB)")
	m, warnings := fitted(t, gpuSite(), h, 8)
	if _, few := warnings["few-jobs"]; len(warnings) != 1 || !few {
		t.Fatal(warnings)
	}
	want := population.Resources{About: m.Resources.About, Jobs: 20, Sizes: []int64{8, 8, 8}, Shares: []float64{.2, .6, .2}, Columns: []population.ResourceColumn{
		{Name: "gpu_type_id", Names: map[int64]string{2: "V100", 3: "A100 (80 GB)"}, Values: []float64{-1, 3, 2}},
		{Name: "requested_gpus", Values: []float64{0, 4, 1}},
		{Name: "requested_nodes", Values: []float64{1, 2, 1}},
	}}
	if !reflect.DeepEqual(m.Resources, want) {
		t.Errorf("%+v, want %+v", m.Resources, want)
	}
	// Scores are normal quantiles of the middles of ranks: at .1 for user 2; at .5, which gives
	// 0, for three in four jobs of user 1, and at .9 for the fourth. Mean and deviation are over
	// jobs. Consecutive templates of user 1 always differ, and all have the same size.
	z := math.Sqrt2 * math.Erfinv(.8)
	one, two := &m.Users.Strata[0].Margins, &m.Users.Strata[1].Margins
	checkTraits(t, []traitCase{
		{"mean of user 1", one.ResourceMean, z / 4}, {"sd of user 1", one.ResourceSD, z * math.Sqrt(3) / 4}, {"same of user 1", one.ResourceSame, 0},
		{"mean of user 2", two.ResourceMean, -z}, {"sd of user 2", two.ResourceSD, 0}, {"same of user 2", two.ResourceSame, 0},
	})
}

// A user whose jobs alternate between two sizes, each with its own resources, returns to the
// resources of each.
func TestResourcesOfEachSize(t *testing.T) {
	jobs := twoUsers()
	for i := range jobs {
		j := &jobs[i]
		having(j, map[string]int64{"requested_gpus": j.Size % 4})
		if j.User == 2 { // same sizes, so that each size has two combinations
			j.Size = []int64{2, 4}[i/5%2]
			having(j, map[string]int64{"requested_gpus": 3})
		}
	}
	m, _ := fitted(t, jobs, &workload.Header{}, 8)
	for i := range m.Users.Strata {
		if got := m.Users.Strata[i].Margins.ResourceSame; got[0] != 1 || got[5] != 1 {
			t.Errorf("user %d has the resources of the last template of its size with probability %v, want 1", i+1, got)
		}
	}
}

// Memory per job and memory per processor go together, and replace the separate distribution of
// memory; a queue with resources replaces the distribution of queues. Memory per processor alone
// does not.
func TestResourcesInPlaceOfLaws(t *testing.T) {
	jobs := twoUsers()
	for i := range jobs {
		j := &jobs[i]
		j.Memory, j.Queue = 1024, 5
		having(j, map[string]int64{"requested_nodes": 1})
	}
	if m, _ := fitted(t, jobs, &workload.Header{}, 8); m.Memory.Values == nil || m.Queues.Values != nil || m.Resources.Column("queue_id") == nil || m.Resources.Column("requested_memory_kb") != nil {
		t.Errorf("without memory of whole jobs: %+v %+v %+v", m.Memory, m.Queues, m.Resources)
	}
	for i := range jobs {
		having(&jobs[i], map[string]int64{"requested_memory_total_kb": 1024 * jobs[i].Size})
	}
	m, _ := fitted(t, jobs, &workload.Header{}, 8)
	if m.Memory.Values != nil {
		t.Errorf("with memory of whole jobs: %+v", m.Memory)
	}
	for i, n := range m.Resources.Sizes {
		if total, each := m.Resources.Column("requested_memory_total_kb").Values[i], m.Resources.Column("requested_memory_kb").Values[i]; each != 1024 || total != 1024*float64(n) {
			t.Errorf("size %d: %g KB, %g per processor", n, total, each)
		}
	}
}

// Of 2000 combinations, of which each of 4 numbers of GPUs has 500 that differ only in memory,
// 500 are kept; no job loses its number of GPUs.
func TestCombinationsFolded(t *testing.T) {
	var jobs []workload.Job
	for i := range 4000 {
		j := workload.UnknownJob()
		j.User, j.Submit, j.Run, j.Wait, j.Size = 1, 1000*float64(i), 10, 0, 16
		having(&j, map[string]int64{"requested_gpus": int64(i % 4), "requested_memory_total_kb": int64(i % 2000)})
		if i%4 == 0 && i < 40 { // 1000 and 10 jobs have no GPU
			j.Size = 1
		}
		jobs = append(jobs, j)
	}
	m, _ := fitted(t, jobs, &workload.Header{}, 16)
	r, sums := &m.Resources, map[string]float64{}
	if n := len(r.Sizes); n < maxRows-2 || n > maxRows+2 { // the kept rows and one for each size
		t.Errorf("%d rows, want %d", n, maxRows)
	}
	// Memory is uniform from 0 to 1999: a tenth of the jobs of size 16 are in each tenth.
	var tenths [10]float64
	for i, x := range r.Column("requested_memory_total_kb").Values {
		if r.Sizes[i] == 16 {
			tenths[int(x)/200] += r.Shares[i]
		}
	}
	for i, share := range tenths {
		if math.Abs(share-.1) > .02 {
			t.Errorf("a share of %g of the jobs has memory from %d KB to %d, want .1", share, 200*i, 200*i+199)
		}
	}
	for i, n := range r.Sizes {
		sums[fmt.Sprint(n, r.Column("requested_gpus").Values[i])] += r.Shares[i]
	}
	for key, want := range map[string]float64{"1 0": 1, "16 0": 990. / 3990, "16 1": 1000. / 3990, "16 2": 1000. / 3990, "16 3": 1000. / 3990} {
		if math.Abs(sums[key]-want) > 1e-4 {
			t.Errorf("size and GPUs %s: %g of the jobs, want %g", key, sums[key], want)
		}
	}
}

// Sizes are processors; in a log without any, GPUs or nodes, whichever more jobs have.
func TestUnit(t *testing.T) {
	for name, c := range map[string]struct {
		processors int                // number of jobs with processors
		columns    map[string]float64 // multiples of the processors in twoUsers
		unit       population.Unit
		sizes      []int64
		machine    int64
		unusable   int64
	}{
		"processors of one job": {2, map[string]float64{"requested_gpus": 2}, population.OfProcessors, []int64{4}, 128, 18},
		"GPUs and nodes":        {0, map[string]float64{"requested_gpus": 1, "requested_nodes": 2}, population.OfGPUs, []int64{1, 2, 4}, 64, 0},
		"GPUs given":            {0, map[string]float64{"requested_gpus": 9, "allocated_gpus": 1}, population.OfGPUs, []int64{1, 2, 4}, 64, 0},
		"nodes, GPUs of some":   {0, map[string]float64{"requested_gpus": .25, "allocated_nodes": 3}, population.OfNodes, []int64{3, 6, 12}, 16, 0},
		"no GPU at all":         {0, map[string]float64{"requested_gpus": 0, "requested_nodes": 1}, population.OfNodes, []int64{1, 2, 4}, 16, 0},
	} {
		jobs := twoUsers()
		for i := range jobs {
			j := &jobs[i]
			for column, by := range c.columns {
				having(j, map[string]int64{column: int64(by * float64(j.Size))})
			}
			if i >= c.processors {
				j.Size = workload.Unknown
			}
		}
		h := &workload.Header{}
		h.Add("MaxProcs", "128")
		h.Add("MaxNodes", "16")
		h.Add("MaxGPUs", "64")
		m, warnings := fitted(t, jobs, h, 0)
		if m.Unit != c.unit || !slices.Equal(m.Sizes.Sizes, c.sizes) || m.Processors != c.machine {
			t.Errorf("%s: unit %q, sizes %v, machine %d, want %q, %v, %d", name, m.Unit, m.Sizes.Sizes, m.Processors, c.unit, c.sizes, c.machine)
		}
		if _, ok := warnings["size-unit"]; ok != (c.unit != population.OfProcessors) || warnings["no-size"].Count != c.unusable {
			t.Errorf("%s: warnings %v", name, warnings)
		}
	}
}

// Jobs with and without GPUs have separate run times if there are 50 of each, and a hundredth of
// all jobs.
func TestRunTimesWithoutGPUs(t *testing.T) {
	for with, apart := range map[int]bool{49: false, 50: true, 150: true, 151: false} {
		var jobs []workload.Job
		for i := range 200 {
			j := workload.UnknownJob()
			j.User, j.Submit, j.Run, j.Wait, j.Size = 1, 10000*float64(i), 10, 0, 16
			if having(&j, map[string]int64{"requested_gpus": 0}); i < with {
				j.Run = 1000
				having(&j, map[string]int64{"requested_gpus": 2})
			}
			jobs = append(jobs, j)
		}
		m, _ := fitted(t, jobs, &workload.Header{}, 16)
		r := &m.RunTimes
		if !apart {
			if r.WithoutGPUs != nil || r.Classes[0].Jobs != 200 {
				t.Errorf("%d jobs with GPUs: %+v", with, r)
			}
			continue
		}
		gpus, none := &r.Classes[0], &r.WithoutGPUs[0]
		if gpus.Jobs != int64(with) || none.Jobs != int64(200-with) || gpus.Quantiles.At(0) != 1000 || gpus.Quantiles.At(1) != 1000 || none.Quantiles.At(0) != 10 || none.Quantiles.At(1) != 10 {
			t.Errorf("%d jobs with GPUs: %+v and %+v", with, gpus, none)
		}
	}
}

// Values that a model cannot represent become unknown, and a GPU type with a blank name is named
// by its number.
func TestOddResources(t *testing.T) {
	jobs := twoUsers()
	for i := range jobs {
		having(&jobs[i], map[string]int64{"requested_gpus": 1 << 60, "gpu_share_milli": 1001, "requested_nodes": -4, "gpu_type_id": 5, "qos_id": 6, "requested_memory_total_kb": 0})
	}
	h := &workload.Header{}
	h.Add("GPUType", `5 " "`)
	h.Add("QOS", `6 "a\"b, \\ (c) - d"`)
	m, _ := fitted(t, jobs, h, 8)
	for name, want := range map[string]string{"gpu_type_id": "5", "qos_id": `a"b, \ (c) - d`} {
		if c := m.Resources.Column(name); c == nil || c.Names[int64(c.Values[0])] != want {
			t.Errorf("%s: %+v, want the name %s", name, c, want)
		}
	}
	if got := len(m.Resources.Columns); got != 3 {
		t.Errorf("%d columns, want kind, quality of service and memory: %+v", got, m.Resources.Columns)
	}
}

// A warning names the log's columns that a model cannot represent.
func TestLeftOutColumns(t *testing.T) {
	jobs := twoUsers()
	having(&jobs[3], map[string]int64{"energy_j": 5, "account_id": 2, "requested_nodes": 1})
	_, warnings := fitted(t, jobs, &workload.Header{}, 8)
	if len(warnings) != 2 || warnings["left-out-columns"].Text != "columns not in the model: energy_j, account_id" {
		t.Error(warnings)
	}
}
