package grid

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/workload"
)

// The paper's table 4.
func TestPresets(t *testing.T) {
	for name, want := range map[string]map[string]int64{
		"das3":      {"FS0": 85, "FS1": 32, "FS2": 41, "FS3": 68, "FS4": 46},
		"auvergrid": {"clrlcgce01": 112, "clrlcgce02": 84, "clrlcgce03": 186, "iut15": 38, "opgc": 55},
	} {
		g, err := Preset(name)
		if err != nil || g.Validate() != nil {
			t.Fatal(err, g.Validate())
		}
		got := map[string]int64{}
		for _, c := range g.Clusters {
			got[c.Name] = c.Processors
		}
		for c, n := range want {
			if got[c] != n || len(got) != len(want) {
				t.Errorf("%s: cluster %s has %d processors, want %d", name, c, got[c], n)
			}
		}
		if g.Equal() != (name == "auvergrid") {
			t.Errorf("%s: equal speeds %v", name, g.Equal())
		}
		if !g.Equal() && !strings.Contains(g.Speeds, "assumed") {
			t.Errorf("%s does not say that its speeds are assumed: %q", name, g.Speeds)
		}
		again, err := Decode(Encode(g))
		if err != nil || !slices.Equal(again.Clusters, g.Clusters) || again.Speeds != g.Speeds || again.Source != g.Source || again.Name != name {
			t.Errorf("%s comes back as %+v, %v", name, again, err)
		}
	}
	if _, err := Preset("das4"); err == nil || !strings.Contains(err.Error(), "das3, auvergrid") {
		t.Errorf("preset das4: %v, want an error that lists those there are", err)
	}
}

func TestDecode(t *testing.T) {
	g, err := Decode([]byte(`{"schema": "loadstone.grid/1", "name": "mine", "speeds": "measured",
		"clusters": [{"name": "a", "processors": 4}, {"name": "b", "processors": 8, "speed": 1.5, "partition": 3}]}`))
	want := []Cluster{{"a", 4, 1, workload.Integer(workload.Unknown)}, {"b", 8, 1.5, 3}}
	if err != nil || g.Name != "mine" || g.Speeds != "measured" || !slices.Equal(g.Clusters, want) {
		t.Errorf("got %+v, %v", g, err)
	}
	for clusters, want := range map[string]string{
		`{"name": "a", "processors": 4}, {"name": "b", "processors": 8}`:                         "all 1, an assumption: the grid file has none",
		`{"name": "a", "processors": 4, "speed": 1}, {"name": "b", "processors": 8}`:             "those of the grid file, and 1, an assumption, where it has none",
		`{"name": "a", "processors": 4, "speed": 1}, {"name": "b", "processors": 8, "speed": 1}`: "those of the grid file",
	} {
		g, err := Decode([]byte(`{"schema": "loadstone.grid/1", "name": "mine", "clusters": [` + clusters + `]}`))
		if err != nil || g.Speeds != want {
			t.Errorf("%s: speeds %q, %v; want %q", clusters, g.Speeds, err, want)
		}
	}
	if g.Processors() != 12 || g.Capacity() != 16 || g.Largest() != want[1] || !g.NamesSites() {
		t.Errorf("%d processors, capacity %g, largest %v, sites %v", g.Processors(), g.Capacity(), g.Largest(), g.NamesSites())
	}
}

// A job's run time was measured on its site's cluster.
func TestWork(t *testing.T) {
	g := testGrid() // 5, 3 and 8 processors at speeds 1, 3 and 0.7
	g.Clusters[1].Partition = 4
	elsewhere, there, large, unknown := job(0, 2, 100), job(0, 2, 100), job(0, 9, 100), job(0, 2, math.NaN())
	there.Partition = 4
	for _, c := range []struct {
		job  workload.Job
		want float64
	}{{elsewhere, 200}, {there, 600}, {large, 0}, {unknown, 0}} {
		if got := g.Work(&c.job); got != c.want {
			t.Errorf("%d processors for %g s at site %d: work %g, want %g", c.job.Size, c.job.Run, c.job.Partition, got, c.want)
		}
	}
}

func TestDecodeFaults(t *testing.T) {
	clusters := func(s string) string {
		return `{"schema": "loadstone.grid/1", "name": "g", "clusters": [` + s + `]}`
	}
	for _, c := range []struct{ text, want string }{
		{"", "grid: saw nothing, want a JSON object"},
		{"[]", `grid: saw "[]", want a JSON object`},
		{`{"schema": "loadstone.grid/1"`, "ends in the middle"},
		{"{\n\"schema\": x}", "line 2, which is not JSON"},
		{clusters("") + "x", `saw "x" behind the last brace`},
		{`{"name": "g"}`, "grid: schema: saw no such field, want the text loadstone.grid/1"},
		{`{"schema": "loadstone.grid/2"}`, `grid: schema: saw "loadstone.grid/2", want loadstone.grid/1`},
		{`{"schema": "loadstone.grid/1", "clusters": []}`, "grid: name: saw no such field"},
		{`{"schema": "loadstone.grid/1", "name": "", "clusters": [{"name": "a", "processors": 4}]}`, "grid: name: saw an empty name"},
		{`{"schema": "loadstone.grid/1", "name": "g"}`, "grid: clusters: saw no such field"},
		{`{"schema": "loadstone.grid/1", "name": "g", "colour": 1}`, "grid: colour: saw an unknown key, want one of schema, name, source, speeds, clusters"},
		{`{"schema": "loadstone.grid/1", "schema": "loadstone.grid/1"}`, "grid: schema: saw a second time"},
		{clusters(""), "grid: clusters: saw 0, want 1 to 4096 clusters"},
		{clusters("7"), `grid: clusters[0]: saw "7", want a JSON object`},
		{clusters(`{"processors": 4}`), "grid: clusters[0].name: saw no such field"},
		{clusters(`{"name": "a"}`), "grid: clusters[0].processors: saw no such field"},
		{clusters(`{"name": "a", "processors": 0}`), "grid: clusters[0].processors: saw 0, want 1 to 2147483648"},
		{clusters(`{"name": "", "processors": 4}`), "grid: clusters[0].name: saw an empty name"},
		{clusters(`{"name": "a", "processors": 2147483649}`), "grid: clusters[0].processors: saw 2147483649"},
		{clusters(strings.Repeat(`{"name": "a", "processors": 4},`, MaxClusters) + `{"name": "a", "processors": 4}`), "grid: clusters: saw 4097, want 1 to 4096"},
		{clusters(`{"name": "a", "processors": -4}`), "grid: clusters[0].processors: saw -4"},
		{clusters(`{"name": "a", "processors": 4.5}`), `grid: clusters[0].processors: saw "4.5", want a whole number`},
		{clusters(`{"name": "a", "processors": null}`), `saw "null"`},
		{clusters(`{"name": "a", "processors": 4, "cores": 4}`), "grid: clusters[0].cores: saw an unknown key, want one of name, processors, speed, partition"},
		{clusters(`{"name": "a", "processors": 4, "speed": 0}`), "grid: clusters[0].speed: saw 0, want 1e-06 to 1e+06"},
		{clusters(`{"name": "a", "processors": 4, "speed": 1e7}`), "grid: clusters[0].speed: saw 1e+07"},
		{clusters(`{"name": "a", "processors": 4, "speed": "fast"}`), `clusters[0].speed: saw "\"fast\""`},
		{clusters(`{"name": "a", "processors": 4}, {"name": "a", "processors": 4}`), `grid: clusters[1].name: saw "a" a second time`},
		{clusters(`{"name": "a", "processors": 4, "partition": -1}`), "grid: clusters[0].partition: saw -1, want the number of a site in the log, from 0"},
		{clusters(`{"name": "a", "processors": 4, "partition": -5}`), "grid: clusters[0].partition: saw -5"},
		{clusters(`{"name": "a", "processors": 4, "partition": 1.5}`), `grid: clusters[0].partition: saw "1.5", want the number of a site`},
		{`{"schema": "loadstone.grid/1", "name": "g\n", "clusters": [{"name": "a", "processors": 4}]}`, `grid: name: saw "g\n", want printable characters`},
		{`{"schema": "loadstone.grid/1", "name": "g", "speeds": "\u001b[2J", "clusters": [{"name": "a", "processors": 4}]}`, `grid: speeds: saw "\x1b[2J"`},
		{clusters(`{"name": "a\u001b[31m", "processors": 4}`), `grid: clusters[0].name: saw "a\x1b[31m", want a name of printable characters`},
		{clusters(`{"name": "a", "processors": 4, "partition": 1}, {"name": "b", "processors": 4, "partition": 1}`), "grid: clusters[1].partition: saw 1 a second time"},
	} {
		_, err := Decode([]byte(c.text))
		var fault *FieldError
		if !errors.As(err, &fault) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.text, err, c.want)
		}
	}
	g := testGrid()
	g.Clusters[1].Speed = math.NaN()
	if err := g.Validate(); err == nil || !strings.Contains(err.Error(), "clusters[1].speed: saw NaN") {
		t.Errorf("a speed that is no number: %v", err)
	}
	g = testGrid()
	g.Clusters[1].Partition = -5
	if err := g.Validate(); err == nil || !strings.Contains(err.Error(), "clusters[1].partition: saw -5") {
		t.Errorf("a site below 0: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(Encode(testGrid()))
	f.Add([]byte(`{"schema": "loadstone.grid/1", "name": "g", "clusters": [{"name": "a", "processors": 1}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		g, err := Decode(data)
		if err != nil {
			return
		}
		again, err := Decode(Encode(g))
		if err != nil || !slices.Equal(again.Clusters, g.Clusters) {
			t.Errorf("%q comes back as %+v, %v", data, again, err)
		}
	})
}

func TestSimulateFaults(t *testing.T) {
	bad := func(alter func(*workload.Job)) workload.Job {
		j := job(0, 1, 1)
		alter(&j)
		return j
	}
	odd := numbered(
		bad(func(j *workload.Job) { j.Submit = math.NaN() }), bad(func(j *workload.Job) { j.Size = workload.Unknown }),
		bad(func(j *workload.Job) { j.Size = 0 }), bad(func(j *workload.Job) { j.Run = math.NaN() }),
		bad(func(j *workload.Job) { j.Run = -1 }), bad(func(j *workload.Job) { j.Run = math.Inf(1) }), bad(func(j *workload.Job) { j.Size = 9 }),
	)
	ways := func(names ...string) []runtime.Classes {
		var all []runtime.Classes
		for _, name := range names {
			c, err := runtime.ClassesByName(name)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, c)
		}
		return all
	}
	broken := errors.New("broken")
	g := testGrid()
	for _, c := range []struct {
		name string
		jobs []workload.Job
		cfg  Config
		is   error
		want string
	}{
		{"no jobs", nil, Config{Grid: g, Policy: LB{}}, workload.ErrNoJobs, "nothing to simulate on grid three"},
		{"no job that can be simulated", odd[:6], Config{Grid: g, Policy: LB{}}, workload.ErrNoJobs, "with a submission time, a size and a run time, and under policy home of a site"},
		{"too large", odd[6:], Config{Grid: g, Policy: LB{}}, ErrTooLarge, "1 jobs, all larger than every cluster: the largest of grid three is c of 8 processors"},
		{"no policy", odd, Config{Grid: g}, nil, "no policy"},
		{"no grid", odd, Config{Policy: LB{}}, nil, "clusters: saw 0"},
		{"home without sites", odd, Config{Grid: g, Policy: Home{}}, nil, `cluster a has no "partition"`},
		{"classes by the log's site", odd, Config{Grid: g, Policy: ECT{Forecast{Classes: ways("user", "user-site")}}}, nil, `classes "user-site" contain the log's site`},
		{"too many classes", odd, Config{Grid: g, Policy: ECT{Forecast{Classes: ways("user", "all", "size", "queue", "group", "application", "user+size", "user+queue", "user+group")}}}, nil, "9 ways of sorting jobs into classes, want at most 7"},
		{"a predictor that is none", odd, Config{Grid: g, Policy: ECT{Forecast{Predictor: "oracle"}}}, nil, `"oracle"`},
		{"out of order", numbered(job(5, 1, 1), job(4, 1, 1)), Config{Grid: g, Policy: LB{}}, workload.ErrOrder, "job 2 (row 2) is out of order: submitted at 4 s, after one of 5 s; sort the jobs with workload.InOrder"},
	} {
		var last error
		for _, err := range Simulate(workload.JobsOf(c.jobs), c.cfg) {
			if last != nil {
				t.Errorf("%s: something follows the error", c.name)
			}
			last = err
		}
		if last == nil || c.is != nil && !errors.Is(last, c.is) || !strings.Contains(last.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, last, c.want)
		}
	}
	for _, err := range Simulate(func(yield func(workload.Job, error) bool) { yield(workload.Job{}, broken) }, Config{Grid: g, Policy: LB{}}) {
		if err != broken {
			t.Errorf("an input's error becomes %v", err)
		}
	}
	var w workload.Warnings
	n := 0
	for _, err := range Simulate(workload.JobsOf(append(odd, job(0, 1, 1))), Config{Grid: g, Policy: LB{}, Warnings: &w}) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	counts := map[string]int64{}
	for _, x := range w.List() {
		counts[x.Rule] = int64(x.Count)
	}
	if n != 1 || counts["no-submit-time"] != 1 || counts["no-size"] != 2 || counts["no-run-time"] != 3 || counts["larger-than-cluster"] != 1 {
		t.Errorf("%d jobs, left out %v", n, counts)
	}
}

// A run time near the end of what float64 holds neither hangs nor panics.
func TestHugeTimes(t *testing.T) {
	g := testGrid()
	g.Clusters[2].Speed, g.Clusters[0].Partition = MinSpeed, 1
	jobs := numbered(job(0, 8, math.MaxFloat64), job(0, 8, 1), job(0, 8, math.MaxFloat64), job(1e300, 1, 1e308), job(1.5e308, 1, 0))
	jobs[3].Partition = 1
	for _, p := range battery() {
		if got := run(t, jobs, g, p); len(got) != len(jobs) {
			t.Errorf("%s: %d of %d jobs", label(p), len(got), len(jobs))
		}
	}
}

func TestBusiest(t *testing.T) {
	const day = 86400
	jobs := []workload.Job{
		job(0, 1, 100), job(day/2, 1, 100), job(3*day, 2, 400), job(4*day+5, 1, 300), job(4*day+5, 1, math.NaN()),
		job(9*day, 1, 900), job(20*day, 1, 5),
	}
	for _, c := range []struct {
		days int
		want Window
	}{
		// Days 3 and 4 bring 800 + 300, day 9 900.
		{2, Window{3 * day, 5 * day, 2, 1100}},
		{1, Window{9 * day, 10 * day, 1, 900}},
		// Days 3 to 9 bring 2000.
		{7, Window{3 * day, 10 * day, 3, 2000}},
		{0, Window{0, 21 * day, 6, 2205}},
		{30, Window{0, 21 * day, 6, 2205}},
	} {
		if got, err := Busiest(workload.JobsOf(jobs), c.days); err != nil || got != c.want {
			t.Errorf("%d days: %+v, %v, want %+v", c.days, got, err, c.want)
		}
	}
	equal := []workload.Job{job(0, 1, 5), job(2*day, 1, 5)}
	if got, err := Busiest(workload.JobsOf(equal), 1); err != nil || got.From != 0 {
		t.Errorf("of equal days %+v, %v, want the first", got, err)
	}
	if _, err := Busiest(workload.JobsOf(jobs), -1); err == nil {
		t.Error("-1 days are no error")
	}
	if _, err := Busiest(workload.JobsOf(jobs[4:5]), 1); !errors.Is(err, workload.ErrNoJobs) {
		t.Errorf("a log without run times: %v", err)
	}
}
