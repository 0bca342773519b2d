package grid

import (
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The paper's table 4.
func TestPresets(t *testing.T) {
	for name, want := range map[string]map[string]int64{
		"das3":      {"FS0": 85, "FS1": 32, "FS2": 41, "FS3": 68, "FS4": 46},
		"auvergrid": {"clrlcgce01": 112, "clrlcgce02": 84, "clrlcgce03": 186, "iut15": 38, "opgc": 55},
	} {
		g := preset(t, name)
		got, equal := map[string]int64{}, true
		for _, c := range g.Clusters {
			got[c.Name] = c.Processors
			equal = equal && c.Speed == 1
		}
		if !reflect.DeepEqual(got, want) || g.Name != name {
			t.Errorf("%s has clusters %v, want %v", g.Name, got, want)
		}
		if equal != (name == "auvergrid") || !equal && !strings.Contains(g.Speeds, "assumed") {
			t.Errorf("%s: equal speeds %v, described as %q", name, equal, g.Speeds)
		}
	}
	if _, err := Preset("das4"); err == nil || !strings.Contains(err.Error(), "das3, auvergrid") {
		t.Errorf("preset das4: %v, want an error that lists the presets", err)
	}
}

func preset(t testing.TB, name string) *Grid {
	t.Helper()
	text := jobtest.Must(Preset(name))
	return jobtest.Must(Decode(name, text))
}

func TestDecode(t *testing.T) {
	g, err := Decode("mine.json", []byte(`{"schema": "loadstone.grid/1", "name": "mine", "speeds": "measured",
		"clusters": [{"name": "a", "processors": 4}, {"name": "b", "processors": 8, "speed": 1.5, "partition": 3}]}`))
	want := []Cluster{{"a", 4, 1, nil}, {"b", 8, 1.5, new(int64(3))}}
	if err != nil || g.Name != "mine" || g.Speeds != "measured" || !reflect.DeepEqual(g.Clusters, want) {
		t.Errorf("got %+v, %v", g, err)
	}
	if g.Processors() != 12 || g.capacity() != 16 || g.largest().Name != "b" {
		t.Errorf("%d processors, capacity %g, largest %v", g.Processors(), g.capacity(), g.largest())
	}
	clusters := func(s string) string {
		return `{"schema": "loadstone.grid/1", "name": "g", "clusters": [` + s + `]}`
	}
	for _, c := range []struct{ text, want string }{
		{`{"schema": "loadstone.grid/2", "name": "g"}`, `g.json:1: schema: saw "loadstone.grid/2", want one of loadstone.grid/1`},
		{clusters(`{"name": "a", "processors": 2147483649}`), "g.json:1: clusters[0].processors: saw 2147483649, want 1 to 2147483648"},
		{clusters(strings.Repeat(`{"name": "a", "processors": 4},`, maxClusters) + `{"name": "a", "processors": 4}`), "clusters: saw 4097, want 1 to 4096"},
		{clusters(`{"name": "a", "processors": 4, "speed": 0}`), "clusters[0].speed: saw 0, want "},
		{clusters(`{"name": "a", "processors": 4}, {"name": "a", "processors": 4}`), `clusters[1].name: saw "a" a second time`},
		{clusters(`{"name": "a", "processors": 4, "partition": -1}`), "clusters[0].partition: saw -1, want the number of a site in the log, from 0"},
		{clusters(`{"name": "a", "processors": 4, "partition": 1}, {"name": "b", "processors": 4, "partition": 1}`), "clusters[1].partition: saw 1 a second time"},
	} {
		if _, err := Decode("g.json", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.want)
		}
	}
}

// A job's run time is taken as measured on its site's cluster.
func TestWork(t *testing.T) {
	g := testGrid() // 5, 3 and 8 processors at speeds 1, 3 and 0.7
	g.Clusters[1].Partition = new(int64(4))
	elsewhere, there, large, unknown := job(0, 2, 100), job(0, 2, 100), job(0, 9, 100), job(0, 2, math.NaN())
	there.Partition = 4
	for _, c := range []struct {
		job  workload.Job
		want float64
	}{{elsewhere, 200}, {there, 600}, {large, 0}, {unknown, 0}} {
		if got := g.work(&c.job); got != c.want {
			t.Errorf("%d processors for %g s at site %d: work %g, want %g", c.job.Size, c.job.Run, c.job.Partition, got, c.want)
		}
	}
}

// Jobs that cannot be simulated are counted; it is an error if no others are left.
func TestLeftOut(t *testing.T) {
	infinite, large, good := job(0, 1, math.Inf(1)), job(0, 9, 1), job(0, 1, 1)
	infinite.Partition = 7 // a site's, whose times are converted
	g := testGrid()
	g.Clusters[0].Partition = new(int64(7))
	out, err := simulated(numbered(infinite, large, good), g, lb)
	if err != nil || len(out.warnings) != 2 || out.warnings[1].Rule != "larger-than-machine" || out.Placements[1].Cluster != -1 || out.Placements[2].Cluster != 0 {
		t.Errorf("%v, left out %v, placed %+v", err, out.warnings, out.Placements)
	}
	if _, err := simulated(numbered(infinite, large), g, lb); !errors.Is(err, workload.ErrNoJobs) {
		t.Errorf("no job that can be simulated: %v", err)
	}
}

// A run time near the largest float64 causes neither a hang nor a panic.
func TestHugeTimes(t *testing.T) {
	g := testGrid()
	g.Clusters[2].Speed, g.Clusters[0].Partition = 1e-6, new(int64(1))
	jobs := numbered(job(0, 8, math.MaxFloat64), job(0, 8, 1), job(0, 8, math.MaxFloat64), job(1e300, 1, 1e308), job(1.5e308, 1, 0))
	jobs[3].Partition = 1
	for _, policy := range battery() {
		for i, p := range run(t, jobs, g, policy) {
			if p.Cluster < 0 {
				t.Errorf("%s: job %d is left out", policy, i)
			}
		}
	}
}

func TestBusiest(t *testing.T) {
	jobs := []workload.Job{
		job(0, 1, 100), job(day/2, 1, 100), job(3*day, 2, 400), job(4*day+5, 1, 300), job(4*day+5, 1, math.NaN()),
		job(9*day, 1, 900), job(20*day, 1, 5),
	}
	for _, c := range []struct {
		days int
		want window
	}{
		// Days 3 and 4 bring 800 + 300, day 9 900.
		{2, window{3 * day, 5 * day, 2, 1100}},
		{1, window{9 * day, 10 * day, 1, 900}},
		// Days 3 to 9 bring 2000.
		{7, window{3 * day, 10 * day, 3, 2000}},
		{0, window{0, 21 * day, 6, 2205}},
		{30, window{0, 21 * day, 6, 2205}},
	} {
		if got, err := busiest(workload.JobsOf(jobs), c.days); err != nil || got != c.want {
			t.Errorf("%d days: %+v, %v, want %+v", c.days, got, err, c.want)
		}
	}
	if got, err := busiest(workload.JobsOf([]workload.Job{job(0, 1, 5), job(2*day, 1, 5)}), 1); err != nil || got.from != 0 {
		t.Errorf("of equal days %+v, %v, want the first", got, err)
	}
	if _, err := busiest(workload.JobsOf(jobs[4:5]), 1); !errors.Is(err, workload.ErrNoJobs) {
		t.Errorf("a log without run times: %v", err)
	}
}
