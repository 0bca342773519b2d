package figure

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/fit"
	"github.com/loadstone-hpc/loadstone/internal/jobtest"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

var (
	svgText = regexp.MustCompile(`<text x="([-0-9.e+]+)" y="([-0-9.e+]+)"[^>]*font-size:([0-9.]+)[^>]*>([^<]*)</text>`)
	svgSize = regexp.MustCompile(`viewBox="0 0 ([0-9.]+) ([0-9.]+)"`)
)

// svgOf draws a picture, and reports texts that are not entirely inside it (from left to right, or
// upwards if they are rotated, which y below 0 indicates) and coordinates that are not numbers.
func svgOf(t *testing.T, name string, s *Spec) (svg string, texts []string, err error) {
	t.Helper()
	number := func(s string) float64 {
		v := jobtest.Must(strconv.ParseFloat(s, 64))
		return v
	}
	var b bytes.Buffer
	if err := s.Draw(&b, "svg"); err != nil {
		return "", nil, err
	}
	svg = b.String()
	size := svgSize.FindStringSubmatch(svg)
	for _, m := range svgText.FindAllStringSubmatch(svg, -1) {
		text := html.UnescapeString(m[4])
		texts = append(texts, text)
		x, y, long, high := number(m[1]), -number(m[2]), number(size[1]), number(size[2])
		if y < 0 {
			y, long, high = -y, high, long
		}
		if end := x + float64(textWidth(text, vg.Length(number(m[3])))); x < 0 || end > long || y > high {
			t.Errorf("%s: %q is at %v to %v of %v, %v of %v", name, text, x, end, long, y, high)
		}
	}
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
		t.Errorf("%s: a coordinate is no number", name)
	}
	return svg, texts, nil
}

// ramp returns 0, 1, 2, and so on.
func ramp(n int) (xs []float64) {
	for i := range n {
		xs = append(xs, float64(i))
	}
	return xs
}

// Whatever its numbers and names, a picture is drawn or refused with a reason; its texts are inside
// it and escaped.
func TestSpecs(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	const nothing = "figure: nothing to draw"
	for _, test := range []struct {
		name string
		y    []float64
		text string
		why  string // for levels on axes of numbers; "" if the picture is drawn
	}{
		{"nothing", nil, "", nothing},
		{"not a number", []float64{nan, nan}, "", nothing},
		{"one point", []float64{1, nan}, "x", ""},
		{"one value", []float64{3, 3, 3}, "x", ""},
		{"all zero", []float64{0, 0}, "x", ""},
		{"extremes", []float64{-inf, -math.MaxFloat64, -1, 0, 5e-324, 1e-300, 1, 7, 1e15, 1e300, math.MaxFloat64, inf, nan}, "x", ""},
		{"thousands of points", ramp(30000), "x", ""},
		{"a long name", []float64{1, 2, 3}, strings.Repeat("a_very_long_name ", 40), ""},
		{"a hostile name", []float64{1, 2, 3}, "</text><script>\x00\xff\n", ""},
	} {
		n := len(test.y)
		for _, kind := range []SeriesKind{Line, Step, Level, Bars, Points, Cells}[:map[bool]int{true: 3, false: 6}[n > 100]] {
			for _, axes := range [][2]AxisKind{{Number, Number}, {Clock, Duration}, {Categories, Share}, {Duration, Duration}, {Processors, Seconds}} {
				s := Spec{Title: test.text, Source: test.text, X: Axis{Title: test.text, Kind: axes[0], Names: slices.Repeat([]string{test.text}, min(n, 20))}, Y: Axis{Title: test.text, Kind: axes[1]}}
				c := Series{Name: test.text, Kind: kind, Y: test.y}
				if n < 100 {
					c.Low, c.High = test.y, test.y
				}
				c.X = ramp(n + s.edges(&c))
				if kind == Cells {
					c.X, c.Side, c.Count = test.y, 2, slices.Repeat([]int{7}, n)
				}
				s.Series = []Series{c, c}
				name := test.name + ", " + string(kind) + " of " + string(axes[0])
				svg, texts, err := svgOf(t, name, &s)
				if strings.Contains(svg, "<script>") || len(svg) > 400_000 {
					t.Errorf("%s: a name is not escaped, or the file has %d bytes", name, len(svg))
				}
				if axes[0] == Number && kind == Level && (fmt.Sprint(err) != cmp.Or(test.why, "<nil>") || test.text == "x" && !slices.Contains(texts, "x")) {
					t.Errorf("%s: %v, want %s; texts %q", name, err, test.why, texts)
				}
			}
		}
	}
	for _, c := range []Series{{Kind: Line, X: ramp(3), Y: ramp(2)}, {Kind: Step, X: ramp(2), Y: ramp(2)}, {Kind: Cells}, {Kind: Line, X: ramp(2), Y: ramp(2), Low: ramp(2), High: ramp(3)}} {
		bad := Spec{Series: []Series{c, {Kind: Line, X: ramp(2), Y: ramp(2)}}}
		if err := bad.Draw(new(bytes.Buffer), "svg"); err == nil {
			t.Errorf("no error of %+v", c)
		}
		if text, err := json.Marshal(&bad); err == nil {
			t.Errorf("%s of %+v", text, c)
		}
	}
}

func TestFormats(t *testing.T) {
	s := goldens(t)["distribution"]
	for format, begins := range map[string]string{"svg": "<?xml", "png": "\x89PNG", "pdf": "%PDF-"} {
		var first, second bytes.Buffer
		if err := s.Draw(&first, format); err != nil || !strings.HasPrefix(first.String(), begins) {
			t.Errorf("%s: %v, %.10q", format, err, first.String())
		}
		if _ = s.Draw(&second, format); !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: drawn twice, the files differ", format)
		}
		if format != "pdf" {
			continue
		}
		pdf := first.Bytes()
		for _, date := range []string{"/CreationDate (D:19700101000000)", "/ModDate (D:19700101000000)"} {
			if !bytes.Contains(pdf, []byte(date)) {
				t.Errorf("no %s", date)
			}
		}
		// The offset of the cross references is still correct.
		tail := pdf[bytes.LastIndex(pdf, []byte("startxref"))+len("startxref\n"):]
		at, err := strconv.Atoi(string(tail[:bytes.IndexByte(tail, '\n')]))
		if err != nil || !bytes.HasPrefix(pdf[at:], []byte("xref")) {
			t.Errorf("no cross references at %d, %v", at, err)
		}
	}
	if err := s.Draw(new(bytes.Buffer), "bmp"); err == nil {
		t.Error("no error for an unknown format")
	}
}

var update = flag.Bool("update", false, "write the golden pictures anew")

// goldens has one picture of each kind, with small data.
func goldens(t testing.TB) map[string]Spec {
	t.Helper()
	times := fit.Sample{Values: []float64{0.5, 1, 7, 30, 60, 300, 900, 3600, 14400, 86400}, Counts: []float64{2, 3, 8, 12, 15, 20, 16, 12, 9, 3}}
	law := LawOf(fit.Report{Family: "hyper-gamma", N: 98, Law: dist.HyperGamma{First: dist.Gamma{Shape: 4.2, Scale: 0.94}, Second: dist.Gamma{Shape: 312, Scale: 0.03}, P: 0.7}, Transform: fit.Ln}, times)
	straight := LawOf(fit.Report{Family: "uniform-log", N: 98, Law: dist.UniformLog{TMin: 1, TMax: 86400}}, times)
	half := fit.Sample{Values: times.Values[4:], Counts: times.Counts[4:]}
	var waits score.WaitScatter
	for i := range 400 {
		waits.Add(math.Exp(float64(i*i%97)/12), math.Exp(float64(i*i%89)/11))
	}
	log := inspect.Description{Clock: workload.Clock{Start: time.Date(1996, 9, 23, 14, 0, 54, 0, time.UTC), Known: true}}
	log.Log.LastSubmit = 200 * 4 * 3600
	load, edges := Series{Name: "submitted"}, []float64{0}
	for i := range 200 {
		load.Y, edges = append(load.Y, 0.1*float64(i*i%11)), append(edges, float64(i+1)*4*3600)
	}
	load.Y[3], load.Y[70] = 9, unknown
	accuracies := Spec{Title: "How accurately run times are predicted", Source: "a log, 100 jobs", Y: Axis{Title: "mean accuracy", Kind: Number, Max: 1}, X: Axis{Title: "classes of jobs (no sites in the log)", Kind: Categories}}
	for i, class := range []string{"site", "user", "user-app-size-site"} {
		y := 0.3 + 0.1*float64(i)
		put(&accuracies, Bars, "last2", accuracies.X.category(class), y, y-0.02, []float64{y + 0.03, unknown}[i%2])
		put(&accuracies, Bars, "es", float64(i), []float64{y - 0.05, unknown}[i%2], y-0.1, y)
	}
	return map[string]Spec{
		"distribution": Distribution(fit.RunTime, "a log, 100 jobs", "the log", times, []Law{law, straight}),
		"density":      densities(fit.RunTime, "a log, 100 jobs", times, []Law{law, straight}),
		"by-class":     byClass("", "a log, 175 jobs", "queue", []group{{"short", times, &law}, {"long", half, &straight}}),
		"wait-scatter": scatter("", "Predicted and actual waits", "a log, 400 jobs", waits.Result(), "predicted wait", "actual wait"),
		"over-time":    OverTime("share of the machine", "a log", &log, edges, "the whole machine", []Series{load}),
		"accuracies":   accuracies,
	}
}

// TestGoldenPictures pins the common style, byte by byte: view the pictures that change.
func TestGoldenPictures(t *testing.T) {
	for name, s := range goldens(t) {
		svg, _, err := svgOf(t, name, &s)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		file := filepath.Join("testdata", name+".svg")
		if *update {
			jobtest.NoError(t, os.WriteFile(file, []byte(svg), 0o644))
		}
		if want, err := os.ReadFile(file); err != nil || svg != string(want) {
			t.Errorf("%s: the picture is no longer %s (%v); if that is meant, run go test -update and look at it", name, file, err)
		}
		if len(svg) > 60_000 {
			t.Errorf("%s: %d bytes, want at most 60,000", name, len(svg))
		}
	}
}

// Ten thousand points over 400 columns are 25 per column: the first two columns, with a peak, a
// trough and a gap, are worked out by hand.
func TestDecimationKeepsWhatIsSeen(t *testing.T) {
	y := make([]float64, 10000)
	y[7], y[3] = 9, -4 // in the first column
	y[29] = 5          // in the second, before a gap
	y[31], y[32] = math.NaN(), math.NaN()
	s := Spec{X: Axis{Kind: Number, Max: 10000}, Y: Axis{Kind: Number, Min: -10, Max: 10}, Series: []Series{{Kind: Line, Color: 1, X: ramp(10000), Y: y}}}
	d, err := newDrawing(&s)
	if err != nil {
		t.Fatal(err)
	}
	lines := d.strokes(&s.Series[0])
	var xs []float64
	for _, p := range lines[0].(*plotter.Line).XYs {
		xs = append(xs, p.X)
	}
	if want := []float64{0, 3, 7, 24, 25, 29, 30}; !slices.Equal(xs, want) {
		t.Errorf("kept %v up to the break, want %v", xs, want)
	}
	n := 0
	for _, line := range lines {
		n += len(line.(*plotter.Line).XYs)
	}
	if first := lines[1].(*plotter.Line).XYs[0].X; first != 33 || n > 4*lineColumns+2*len(lines) {
		t.Errorf("the second line begins at %v; %d points are left", first, n)
	}
}

// The chart of a page shares x coordinates between its lines, with few digits.
func TestJSON(t *testing.T) {
	s := Spec{X: Axis{Title: "time </script>", Kind: Duration}, Y: Axis{Kind: Share, Max: 1}, Series: []Series{
		{Name: "<script>", Kind: Line, Color: 1, X: []float64{1, 2}, Y: []float64{0.123456789, math.NaN()}},
		reference("all", []float64{1, 2}, []float64{1, 1}),
		{Name: "steps", Kind: Step, X: []float64{1, 2}, Y: []float64{7}},
	}}
	got, err := json.Marshal(&s)
	want := `{"data":[[1,2],[0.12346,null],[1,1],[7,7]],"lines":[{"color":1,"dash":"","kind":"line","name":"\u003cscript\u003e"},` +
		`{"color":7,"dash":"dashed","kind":"line","name":"all"},{"color":0,"dash":"","kind":"step","name":"steps"}],` +
		`"x":{"kind":"duration","title":"time \u003c/script\u003e"},"y":{"kind":"share","max":1,"min":0,"title":""}}`
	if err != nil || string(got) != want {
		t.Errorf("%v %s\nwant %s", err, got, want)
	}
}
