package figure

import (
	"bytes"
	"encoding/json"
	"flag"
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
	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/score"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/inspect"
)

var (
	svgText = regexp.MustCompile(`<text x="([-0-9.e+]+)" y="([-0-9.e+]+)"[^>]*>([^<]*)</text>`)
	svgFont = regexp.MustCompile(`font-size[:=]"?([0-9.]+)`)
	svgSize = regexp.MustCompile(`viewBox="0 0 ([0-9.]+) ([0-9.]+)"`)
)

func number(t *testing.T, s string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// svgOf draws a picture, and reports texts that are not whole inside of it (from left
// to right, or upwards if they are rotated, as y below 0 tells) and coordinates that are
// no numbers.
func svgOf(t *testing.T, name string, s *Spec, format string) (svg string, texts []string, err error) {
	t.Helper()
	var b bytes.Buffer
	if err := s.Draw(&b, format); err != nil {
		return "", nil, err
	}
	svg = b.String()
	size := svgSize.FindStringSubmatch(svg)
	for _, m := range svgText.FindAllStringSubmatch(svg, -1) {
		m[3] = html.UnescapeString(m[3])
		texts = append(texts, m[3])
		x, y, long, high := number(t, m[1]), -number(t, m[2]), number(t, size[1]), number(t, size[2])
		if y < 0 {
			y, long, high = -y, high, long
		}
		font := svgFont.FindStringSubmatch(m[0])
		if end := x + float64(textWidth(m[3], vg.Length(number(t, font[1])))); x < 0 || end > long || y > high {
			t.Errorf("%s: %q is at %v to %v of %v, %v of %v", name, m[3], x, end, long, y, high)
		}
	}
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") {
		t.Errorf("%s: a coordinate is no number", name)
	}
	return svg, texts, nil
}

// ramp is 0, 1, 2 and so on.
func ramp(n int) (xs []float64) {
	for i := range n {
		xs = append(xs, float64(i))
	}
	return xs
}

// Whatever its numbers and names are, a picture is drawn or refused with a reason; its text
// is inside of it and escaped.
func TestSpecs(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	extreme := []float64{-inf, -math.MaxFloat64, -1, 0, 5e-324, 1e-300, 1, 7, 1e15, 1e300, math.MaxFloat64, inf, nan}
	long := strings.Repeat("a_very_long_name ", 40)
	tests := []struct {
		name string
		y    []float64
		text string
		why  string // of kinds on an axis of numbers; "" if the picture is drawn
	}{
		{"nothing", nil, "", "nothing to draw"},
		{"not a number", []float64{nan, nan}, "", "nothing to draw"},
		{"one point", []float64{1, nan}, "x", ""},
		{"one value", []float64{3, 3, 3}, "x", ""},
		{"all zero", []float64{0, 0}, "x", ""},
		{"negative", []float64{-3, -1, -2}, "x", ""},
		{"extremes", extreme, "x", ""},
		{"thousands of points", ramp(30000), "x", ""},
		{"a long name", []float64{1, 2, 3}, long, ""},
		{"a hostile name", []float64{1, 2, 3}, "</text><script>\x00\xff\n", ""},
	}
	axes := []AxisKind{Number, Clock, Categories, Duration}
	for _, test := range tests {
		n := len(test.y)
		for _, kind := range []SeriesKind{Line, Step, Level, Limit, Identity, Bars, Band, Points, Cells} {
			for _, x := range axes {
				s := Spec{Title: test.text, Source: test.text, X: Axis{Title: test.text, Kind: x}, Y: Axis{Title: test.text, Kind: Number}}
				for color := range 2 {
					if n > 100 && (kind == Bars || kind == Cells) {
						continue
					}
					c := Series{Name: test.text, Kind: kind, Color: color, X: ramp(n), Y: test.y}
					switch kind {
					case Step, Level, Bars:
						c.X = ramp(n + 1)
					case Limit:
						c.Y = test.y[:min(n, 1)]
					case Band:
						c.Low, c.High = test.y, test.y
					case Line:
						if n < 100 {
							c.Low, c.High = test.y, test.y
						}
					case Cells:
						c.X, c.Side, c.Count = test.y, 2, make([]int, n)
						for i := range c.Count {
							c.Count[i] = 1 + i
						}
					}
					s.Series = append(s.Series, c)
				}
				if x == Categories {
					s.X.Names = slices.Repeat([]string{test.text}, min(n, 20))
				}
				for _, y := range []AxisKind{Number, Duration} {
					s.Y.Kind = y
					name := test.name + ", " + string(kind) + " of " + string(x) + " and " + string(y)
					svg, texts, err := svgOf(t, name, &s, map[bool]string{true: "svg", false: Compact}[x == y || n > 100])
					if strings.Contains(svg, "<script>") {
						t.Errorf("%s: a name is not escaped", name)
					}
					drawn := kind == Line || kind == Step || kind == Level || kind == Points
					switch {
					case !drawn || x != Number || y != Number:
					case test.why != "" && (err == nil || !strings.Contains(err.Error(), test.why)):
						t.Errorf("%s: %v, want %s", name, err, test.why)
					case test.why == "" && (err != nil || test.text == "x" && !slices.Contains(texts, "x")):
						t.Errorf("%s: %v, texts %q", name, err, texts)
					}
					if drawn && len(svg) > 200_000 {
						t.Errorf("%s: %d bytes", name, len(svg))
					}
				}
			}
		}
	}
	for _, c := range []Series{{Kind: Line, X: ramp(3), Y: ramp(2)}, {Kind: Step, X: ramp(2), Y: ramp(2)}, {Kind: Limit}, {Kind: Cells}, {Kind: Line, X: ramp(2), Y: ramp(2), Low: ramp(2), High: ramp(3)}} {
		bad := Spec{Series: []Series{c, {Kind: Line, X: ramp(2), Y: ramp(2)}}}
		if err := bad.Draw(new(bytes.Buffer), "svg"); err == nil {
			t.Errorf("no error of %+v", c)
		}
		if text, err := json.Marshal(&bad); err == nil {
			t.Errorf("%s of %+v", text, c)
		}
	}
	if err := (&Spec{Why: "no jobs"}).Draw(new(bytes.Buffer), "svg"); err == nil || err.Error() != "no jobs" {
		t.Error(err)
	}
}

func TestFormats(t *testing.T) {
	s := goldens(t)["distribution"]
	for format, begins := range map[string]string{"svg": "<?xml", "png": "\x89PNG", "pdf": "%PDF-", Compact: "<svg "} {
		var first, second bytes.Buffer
		if err := s.Draw(&first, format); err != nil || !strings.HasPrefix(first.String(), begins) {
			t.Errorf("%s: %v, %.10q", format, err, first.String())
		}
		if _ = s.Draw(&second, format); !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: drawn twice, the files differ", format)
		}
		if format == Compact && (strings.Contains(first.String(), "style") || strings.Contains(first.String(), "#FFFFFF") || !strings.Contains(first.String(), ` stroke="#0072B2" stroke-width="1.5"`)) {
			t.Errorf("%.2000s", first.String())
		}
		pdf := first.Bytes()
		if format != "pdf" {
			// Pages say title and source themselves.
			if strings.Contains(first.String(), s.Title) != (format == "svg") {
				t.Errorf("%s: with the title, or without", format)
			}
			continue
		}
		for _, date := range []string{"/CreationDate (D:19700101000000)", "/ModDate (D:19700101000000)"} {
			if !bytes.Contains(pdf, []byte(date)) {
				t.Errorf("no %s", date)
			}
		}
		// The offset of the cross references is right still.
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

// goldens are one picture of each kind, of data that can be read here.
func goldens(t testing.TB) map[string]*Spec {
	t.Helper()
	times := fit.Sample{Values: []float64{0.5, 1, 7, 30, 60, 300, 900, 3600, 14400, 86400}, Counts: []float64{2, 3, 8, 12, 15, 20, 16, 12, 9, 3}}
	law := newLaw("hyper-gamma", dist.HyperGamma{First: dist.Gamma{Shape: 4.2, Scale: 0.94}, Second: dist.Gamma{Shape: 312, Scale: 0.03}, P: 0.7}, fit.Ln, 0.02)
	straight := newLaw("uniform-log", dist.UniformLog{TMin: 1, TMax: 86400}, fit.None, 0.02)
	half := fit.Sample{Values: times.Values[4:], Counts: times.Counts[4:]}
	var jobs [model.Slots]float64
	for i := range jobs {
		jobs[i] = math.Round(20 + 15*math.Sin(float64(i-14)*math.Pi/24))
	}
	var waits score.WaitScatter
	for i := range 400 {
		waits.Add(math.Exp(float64(i*i%97)/12), math.Exp(float64(i*i%89)/11))
	}
	nan := math.NaN()
	log := inspect.Description{Clock: workload.Clock{Start: time.Date(1996, 9, 23, 14, 0, 54, 0, time.UTC), Known: true}}
	log.Log.LastSubmit = 200 * 4 * 3600
	log.Bursts.Jobs, log.Bursts.Peaks = 2000, inspect.Peaks{Width: 4 * 3600}
	load := Series{Name: "submitted"}
	for i := range 200 {
		log.Bursts.Peaks.Max = append(log.Bursts.Peaks.Max, float64(i*i%23))
		load.Y = append(load.Y, 0.1*float64(i*i%11))
	}
	load.Y[3], load.Y[70] = 9, nan
	var edges []float64
	for i := range 201 {
		edges = append(edges, float64(i)*4*3600)
	}
	all := map[string]Spec{
		"distribution": Distribution(fit.RunTime, "a log, 100 jobs", "the log", times, []Law{law, straight}),
		"density":      densities(fit.RunTime, "a log, 100 jobs", times, []Law{law, straight}),
		"by-class":     byClass("", "a log, 175 jobs", "queue", []group{{"short", times, &law}, {"long", half, &straight}}),
		"daily-cycle": DailyCycle("a log, 1000 jobs", jobs, &site.CycleReport{
			Law: dist.JSON{Law: dist.Gamma{Shape: 8.17, Scale: 3.96}}, D: 0.01, N: 1000}),
		"wait-scatter": scatter(waits.Result(), "predicted wait", "actual wait"),
		"submissions":  Submissions("a log, 2000 jobs", &log),
		"over-time":    OverTime("share of the machine", "a log", &log, edges, "the whole machine", []Series{load}),
		"accuracies": {Title: "How accurately run times are predicted", Source: "a log, 100 jobs", Y: Axis{Title: "mean accuracy", Kind: Number, Max: 1},
			X: Axis{Title: "classes of jobs\n(no sites in the log)", Kind: Categories, Names: []string{"site", "user", "user-app-size-site"}},
			Series: []Series{
				{Name: "last2", Kind: Bars, Color: 1, Y: []float64{0.3, 0.45, 0.5}, Low: []float64{0.28, 0.42, nan}, High: []float64{0.32, 0.48, nan}},
				{Name: "es", Kind: Bars, Color: 2, Y: []float64{0.25, nan, 0.4}, Low: []float64{0.2, nan, 0.35}, High: []float64{0.3, nan, 0.45}},
			}},
		"twins": TwinPictures[3].draw("a log", score.Curve{Name: score.WaitsUpTo, Policy: "easy", Loop: score.OpenLoop, Twins: 20,
			X: []float64{1, 10, 100, 1000, 10000}, A: []float64{.5, .55, .7, .9, 1},
			Low: []float64{.4, .5, .6, .8, 1}, Middle: []float64{.45, .55, .65, .85, 1}, High: []float64{.55, .6, .72, .9, 1}}),
	}
	pictures := map[string]*Spec{}
	for name, s := range all {
		pictures[name] = &s
	}
	return pictures
}

// TestGoldenPictures holds the common style, byte by byte: look at what changes.
func TestGoldenPictures(t *testing.T) {
	for name, s := range goldens(t) {
		svg, _, err := svgOf(t, name, s, "svg")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		file := filepath.Join("testdata", name+".svg")
		if *update {
			if err := os.WriteFile(file, []byte(svg), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || svg != string(want) {
			t.Errorf("%s: the picture is no longer %s (%v); if that is meant, run go test -update and look at it", name, file, err)
		}
		if len(svg) > 60_000 {
			t.Errorf("%s: %d bytes, want at most 60,000", name, len(svg))
		}
	}
}

// Over four decades the law whose CDF is log10(x)/4 is the straight line from corner to
// corner: its places are as close on each part of a log axis, where the library's own plot of a
// function draws chords.
func TestLogAxisHoldsTheLaw(t *testing.T) {
	law := Law{Name: "straight", CDF: func(x float64) float64 { return math.Log10(x) / 4 }}
	s := Distribution(fit.RunTime, "", "the log", fit.Sample{Values: []float64{1, 10000}, Counts: []float64{1, 1}}, []Law{law})
	d, err := newDrawing(&s)
	if err != nil {
		t.Fatal(err)
	}
	points := d.lines(&s.Series[1])[0].(*plotter.Line).XYs
	for i, p := range points {
		x, y, even := d.X.Norm(p.X), d.Y.Norm(p.Y), float64(i)/float64(len(points)-1)
		if math.Abs(x-even) > 1e-9 || math.Abs(y-x) > 1e-9 {
			t.Fatalf("point %d of %d is at %v, %v", i, len(points), x, y)
		}
	}
	if len(points) != curvePoints {
		t.Errorf("%d points", len(points))
	}
}

// Ten thousand points over 400 columns are 25 a column: the first two columns,
// with a peak, a trough and a break, are known by hand.
func TestDecimatedKeepsWhatIsSeen(t *testing.T) {
	points := make(plotter.XYs, 10000)
	for i := range points {
		points[i].X = float64(i)
	}
	d, err := newDrawing(&Spec{X: Axis{Kind: Number, Max: 10000}, Y: Axis{Kind: Number, Min: -10, Max: 10}, Series: []Series{{Kind: Limit, X: ramp(1), Y: ramp(1)}}})
	if err != nil {
		t.Fatal(err)
	}
	points[7].Y, points[3].Y = 9, -4 // in the first column
	points[29].Y = 5                 // in the second, before a break
	points[31].Y, points[32].Y = math.NaN(), math.NaN()
	got := d.decimated(points)
	var xs []float64
	for _, p := range got[:7] {
		xs = append(xs, p.X)
	}
	if want := []float64{0, 3, 7, 24, 25, 29, 30}; !slices.Equal(xs, want) {
		t.Errorf("kept %v, want %v", xs, want)
	}
	if !math.IsNaN(got[7].Y) || got[8].X != 33 {
		t.Errorf("the break is %v, %v", got[7], got[8])
	}
	if n := len(got); n > 4*lineColumns+1 {
		t.Errorf("%d points are left", n)
	}
	if short := points[:mostPoints]; len(d.decimated(short)) != mostPoints {
		t.Error("a short line is cut")
	}
}

// Every group of bars keeps its name, however narrow the figure and long the name.
func TestNamesOfGroups(t *testing.T) {
	s := Spec{X: Axis{Kind: Categories, Names: []string{"site", "user", "user-app-size-site", "applicationwithalongname"}}, Y: Axis{Kind: Number},
		Series: []Series{{Kind: Bars, Y: []float64{0.1, 0.2, 0.3, 0.4}}}}
	_, texts, err := svgOf(t, "groups", &s, Compact)
	for _, want := range []string{"site", "user", "user-app-", "size-site"} {
		if !slices.Contains(texts, want) {
			t.Errorf("no %q in %q, %v", want, texts, err)
		}
	}
	if !slices.ContainsFunc(texts, func(s string) bool { return strings.HasPrefix(s, "applica") && strings.HasSuffix(s, "…") }) {
		t.Errorf("no cut name in %q", texts)
	}
}

// The chart of a page reads lines at common places, with few digits, and cells by their numbers.
func TestJSON(t *testing.T) {
	s := Spec{X: Axis{Title: "time </script>", Kind: Duration}, Y: Axis{Kind: Share, Max: 1}, Series: []Series{
		{Kind: Cells, Side: 10, X: []float64{1, 100}, Y: []float64{10, 1000}, Count: []int{1, 7}},
		{Name: "<script>", Kind: Line, Color: 1, X: []float64{1, 2}, Y: []float64{0.123456789, math.NaN()}},
		{Name: "same", Kind: Identity},
		{Name: "all", Kind: Limit, Y: []float64{1}},
		{Name: "steps", Kind: Step, X: []float64{1, 2}, Y: []float64{7}},
	}}
	got, err := json.Marshal(&s)
	want := `{"x":{"title":"time \u003c/script\u003e","kind":"duration"},"y":{"title":"","kind":"share","min":0,"max":1},` +
		`"lines":[{"name":"\u003cscript\u003e","kind":"line","color":1},{"name":"same","kind":"identity","color":0},{"name":"all","kind":"limit","color":0},{"name":"steps","kind":"step","color":0}],` +
		`"data":[[1,2],[0.12346,null],[1,2],[1,1],[7,7]],"cells":{"side":10,"at":[[0,1,1],[2,3,7]]}}`
	if err != nil || string(got) != want {
		t.Errorf("%v %s\nwant %s", err, got, want)
	}
	for _, c := range []Series{{Kind: Line, X: []float64{1, 3}, Y: []float64{1, 2}}, {Kind: Band, X: ramp(1), Low: ramp(1), High: ramp(1)}, {Kind: Cells, Side: 10, X: []float64{0}, Y: []float64{1}, Count: []int{1}}} {
		bad := Spec{Series: append(slices.Clone(s.Series), c)}
		if text, err := json.Marshal(&bad); err == nil {
			t.Errorf("%+v: no error, %s", c, text)
		}
	}
}
