package figure

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

func TestChart(t *testing.T) {
	c := newChart([]MapPoint{{Name: "a", X: 1, Y: 1}, {Name: "b", X: 5, Y: 4}}, []MapArrow{{Name: "v", X: 0, Y: -7, Correlation: 0.5}})
	// The middle is (3, 2.5) and both are 2.5 from it.
	if a, b := c.points[0], c.points[1]; a.X != -0.8 || a.Y != -0.6 || b.X != 0.8 || b.Y != 0.6 {
		t.Errorf("%+v", c.points)
	}
	if v := c.arrows[0]; v.X != 0 || v.Y != -0.5 {
		t.Errorf("%+v", v)
	}
	if one := newChart([]MapPoint{{X: 3, Y: 4}}, nil); one.points[0].X != 0 || one.points[0].Y != 0 {
		t.Errorf("%+v", one)
	}
}

func TestCoPlotDraws(t *testing.T) {
	points := []MapPoint{{Name: "a & b", X: 1}, {Name: "c", X: -1, Y: 2, Model: true}, {Name: "twin", X: 1}}
	arrows := []MapArrow{{Name: "run time", X: 1, Y: 1, Correlation: 0.9}}
	for _, format := range []string{"svg", "png"} {
		var b, again bytes.Buffer
		if err := CoPlot(&b, format, "three", points, arrows); err != nil || b.Len() == 0 {
			t.Fatal(err)
		}
		if err := CoPlot(&again, format, "three", points, arrows); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Errorf("%s: two drawings differ: %v", format, err)
		}
		if format == "png" {
			continue
		}
		for _, want := range []string{"Which workloads are alike", "a &amp; b", ">twin<", ">run time<", ">model<", "</svg>"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("the picture lacks %q", want)
			}
		}
	}
	var b bytes.Buffer
	for _, c := range []struct {
		points []MapPoint
		arrows []MapArrow
	}{
		{nil, nil},
		{[]MapPoint{{X: math.NaN()}}, nil},
		{points, []MapArrow{{Correlation: 0.5}}},
		{points, []MapArrow{{X: 1, Correlation: math.NaN()}}},
		{points, []MapArrow{{X: 1, Correlation: 2}}},
	} {
		if err := CoPlot(&b, "svg", "", c.points, c.arrows); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
}

func TestOverlap(t *testing.T) {
	box := func(x0, y0, x1, y1 vg.Length) vg.Rectangle {
		return vg.Rectangle{Min: vg.Point{X: x0, Y: y0}, Max: vg.Point{X: x1, Y: y1}}
	}
	if a := overlap(box(0, 0, 4, 4), box(3, 1, 9, 3)); a != 2 {
		t.Errorf("%g, want 2", a)
	}
	if a := overlap(box(0, 0, 1, 1), box(2, 0, 3, 1)); a != 0 {
		t.Errorf("%g of boxes apart", a)
	}
}

func TestDistributionsSeries(t *testing.T) {
	all, err := distributionsSeries([]string{"a", "b"}, []Sample{{[]float64{0, 10, 100}, []float64{1, 1, 2}}, {[]float64{1000}, []float64{5}}})
	if err != nil || len(all) != 2 {
		t.Fatal(err)
	}
	a, b := all[0].points, all[1].points
	if a[0].X != 10 || b[curvePoints-1].X != 2000 || a[0].Y != 0.5 || a[curvePoints-1].Y != 1 || b[0].Y != 0 || b[curvePoints-1].Y != 1 {
		t.Errorf("%v ... %v; %v ... %v", a[0], a[curvePoints-1], b[0], b[curvePoints-1])
	}
	for _, bad := range []struct {
		names   []string
		samples []Sample
	}{
		{[]string{"a"}, nil},
		{[]string{"a"}, []Sample{{[]float64{0}, []float64{1}}}},
		{[]string{"a", "b"}, []Sample{{[]float64{5}, []float64{1}}, {}}},
		{[]string{"a"}, []Sample{{[]float64{5, 4}, []float64{1, 1}}}},
	} {
		if _, err := distributionsSeries(bad.names, bad.samples); err == nil {
			t.Errorf("%+v: no error", bad)
		}
	}
	var out bytes.Buffer
	if err := Distributions(&out, "svg", "x", RunTime, []string{"first log"}, []Sample{{[]float64{5, 9}, []float64{1, 1}}}); err != nil || !strings.Contains(out.String(), ">first log<") {
		t.Error(err)
	}
}

func TestDailyCyclesDraws(t *testing.T) {
	day := make([]float64, 48)
	day[20], day[3] = 0.75, 0.25
	// The first step is of 5:00, half hour 10; midnight's is the 39th, 19 hours on.
	steps := daySteps(day)
	if steps[0].X != 5 || steps[1].X != 5.5 || steps[20].Y != 0.75 || steps[20].X != 10 || steps[76].X != 24 || steps[82].Y != 0.25 || steps[82].X != 25.5 || steps[95].X != 29 {
		t.Errorf("%v", steps)
	}
	var b bytes.Buffer
	if err := DailyCycles(&b, "svg", "x", []string{"log", "model"}, [][]float64{day, day}); err != nil || !strings.Contains(b.String(), ">model<") {
		t.Error(err)
	}
	for _, bad := range [][][]float64{{day}, {day[:5], day}, {append([]float64{math.NaN()}, day[1:]...), day}} {
		if err := DailyCycles(&b, "svg", "x", []string{"log", "model"}, bad); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}
