package figure

import (
	"bytes"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/score"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

// goldens are one figure of each kind, of data that can be read here.
func goldens(t testing.TB) []drawing {
	t.Helper()
	times := Sample{[]float64{0.5, 1, 7, 30, 60, 300, 900, 3600, 14400, 86400}, []float64{2, 3, 8, 12, 15, 20, 16, 12, 9, 3}}
	hyper := dist.HyperGamma{First: dist.Gamma{Shape: 4.2, Scale: 0.94}, Second: dist.Gamma{Shape: 312, Scale: 0.03}, P: 0.7}
	law, err := NewLaw("hyper-gamma", hyper, Ln, 0.02)
	if err != nil {
		t.Fatal(err)
	}
	straight, err := NewLaw("uniform-log", dist.UniformLog{TMin: 1, TMax: 86400}, None, 0.02)
	if err != nil {
		t.Fatal(err)
	}
	var day Day
	for i := range day.Jobs {
		day.Jobs[i] = math.Round(20 + 15*math.Sin(float64(i-14)*math.Pi/24))
	}
	day.Apart[7], day.PeakName = 40, "at 3:30"
	scatter := WaitPoints{
		Predictor: "downey-a", Predicted: "predicted wait", Actual: "actual wait", Side: 2, ShortActual: 4,
		Cells:   []WaitCell{{1, 1, 4}, {2, 8, 3}, {16, 16, 30}, {16, 64, 11}, {64, 32, 200}, {128, 256, 90}, {1024, 512, 7}, {4096, 8192, 1}},
		Columns: []WaitColumn{{1, 10, 7, 5, 4}, {10, 100, 241, 45, 40}, {100, 1000, 90, 380, 380}, {1000, 10000, 8, 2000, 900}},
	}
	start := time.Date(1996, 9, 23, 14, 0, 54, 0, time.UTC)
	counts := Counts{Width: 4 * 3600, Max: make([]float64, 200)}
	for i := range counts.Max {
		counts.Max[i] = float64(i * i % 23)
	}
	return []drawing{
		{name: "distribution", draw: func(w io.Writer, f string) error {
			return Distribution(w, f, "a log, 100 jobs", RunTime, times, []Law{law, straight})
		}},
		{name: "by-class", draw: func(w io.Writer, f string) error {
			half := Sample{times.Values[4:], times.Counts[4:]}
			return ByClass(w, f, "a log, 175 jobs", "queue", RunTime, []Group{{"short", times, &law}, {"long", half, &straight}})
		}},
		{name: "daily-cycle", draw: func(w io.Writer, f string) error {
			return DailyCycle(w, f, "a log, 1000 jobs", day, []Cycle{{"gamma 8.17, 3.96", dist.Gamma{Shape: 8.17, Scale: 3.96}}})
		}},
		{name: "wait-scatter", draw: func(w io.Writer, f string) error { return WaitScatter(w, f, "a log, 346 waits", scatter) }},
		{name: "submissions", draw: func(w io.Writer, f string) error {
			return Submissions(w, f, "a log, 2000 jobs", counts, func(s float64) time.Time { return start.Add(time.Duration(s) * time.Second) })
		}},
		{name: "accuracies", draw: func(w io.Writer, f string) error {
			nan := math.NaN()
			return RunTimeAccuracies(w, f, "a log, 100 jobs", "classes of jobs", []string{"site", "user", "user-app-size-site"}, []Accuracies{
				{"last2", []float64{0.3, 0.45, 0.5}, []float64{0.28, 0.42, nan}, []float64{0.32, 0.48, nan}},
				{"es", []float64{0.25, nan, 0.4}, []float64{0.2, nan, 0.35}, []float64{0.3, nan, 0.45}},
			})
		}},
		{name: "twins", draw: func(w io.Writer, f string) error {
			return Twins(w, f, "a log: 100 jobs", "a log", score.Curve{Name: score.WaitsUpTo, Policy: "easy", Loop: score.OpenLoop, Twins: 20,
				X: []float64{1, 10, 100, 1000, 10000}, A: []float64{.5, .55, .7, .9, 1},
				Low: []float64{.4, .5, .6, .8, 1}, Middle: []float64{.45, .55, .65, .85, 1}, High: []float64{.55, .6, .72, .9, 1}})
		}},
	}
}

// TestGoldenPictures holds the common style, byte by byte: look at what changes.
func TestGoldenPictures(t *testing.T) {
	for _, g := range goldens(t) {
		var b bytes.Buffer
		if err := g.draw(&b, "svg"); err != nil {
			t.Errorf("%s: %v", g.name, err)
			continue
		}
		file := filepath.Join("testdata", g.name+".svg")
		if *update {
			if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || !bytes.Equal(b.Bytes(), want) {
			t.Errorf("%s: the picture is no longer %s (%v); if that is meant, run go test -update and look at it", g.name, file, err)
		}
		if b.Len() > 60_000 {
			t.Errorf("%s: %d bytes, want at most 60,000", g.name, b.Len())
		}
	}
}

// TestLogAxisHoldsTheLaw reads the curves back from the picture. Over a log axis
// the library's own function plot samples x evenly, and draws chords.
func TestLogAxisHoldsTheLaw(t *testing.T) {
	// From 1 s to 10,000 s, four decades: the law whose CDF is log10(x)/4 is the
	// straight line from corner to corner. An exponential law of mean 100 s has
	// 1-exp(-0.01) = 0.00995 at 1 s, 1-exp(-0.1) = 0.09516 at 10 s, 1-1/e =
	// 0.63212 at 100 s, and 0.99995 at 1000 s.
	laws := []Law{
		{Name: "straight", CDF: func(x float64) float64 { return math.Log10(x) / 4 }},
		{Name: "exponential", CDF: func(x float64) float64 { return -math.Expm1(-x / 100) }},
	}
	var b bytes.Buffer
	if err := Distribution(&b, "svg", "a log", RunTime, Sample{[]float64{1, 10000}, []float64{1, 1}}, laws); err != nil {
		t.Fatal(err)
	}
	var curves [][][2]float64
	for _, m := range svgPath.FindAllStringSubmatch(b.String(), -1) {
		var points [][2]float64
		if strings.HasSuffix(m[1], "Z") {
			continue // an area
		}
		for _, p := range strings.Split(strings.TrimPrefix(m[1], "M"), "L") {
			x, y, _ := strings.Cut(p, ",")
			points = append(points, [2]float64{number(t, x), number(t, y)})
		}
		if len(points) > 50 {
			curves = append(curves, points)
		}
	}
	if len(curves) != 3 {
		t.Fatalf("%d curves, want the log and two laws", len(curves))
	}
	line := curves[1]
	from, to := line[0], line[len(line)-1]
	share := func(points [][2]float64, decades float64) float64 {
		x := from[0] + decades/4*(to[0]-from[0])
		for i, p := range points {
			if p[0] >= x-1e-9 {
				if i == 0 || p[0] < x+1e-9 {
					return (p[1] - from[1]) / (to[1] - from[1])
				}
				q := points[i-1]
				if p[0]-q[0] > 2 {
					t.Errorf("from %v to %v the curve is a chord", q, p)
				}
				return (q[1] + (p[1]-q[1])*(x-q[0])/(p[0]-q[0]) - from[1]) / (to[1] - from[1])
			}
		}
		t.Fatalf("the curve ends before %v decades", decades)
		return 0
	}
	for i, want := range [][5]float64{{0, 0.25, 0.5, 0.75, 1}, {0.00995, 0.09516, 0.63212, 0.99995, 1}} {
		for decade, y := range want {
			// Coordinates have two decimals, and the frame is some 130 points high.
			if got := share(curves[1+i], float64(decade)); math.Abs(got-y) > 3e-4 {
				t.Errorf("%s at %g s: %.5f of the height, want %.5f", laws[i].Name, math.Pow(10, float64(decade)), got, y)
			}
		}
	}
}
