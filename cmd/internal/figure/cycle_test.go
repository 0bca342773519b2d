package figure

import (
	"math"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/dist"
	"github.com/loadstone-hpc/loadstone/model"
)

func TestDayBars(t *testing.T) {
	var d Day
	d.Jobs[0], d.Jobs[9], d.Jobs[10], d.Jobs[47] = 1, 2, 3, 4 // 0:00, 4:30, 5:00, 23:30
	d.Apart[9] = 5
	jobs, apart, err := d.bars()
	if err != nil || len(jobs.all) != model.Slots {
		t.Fatalf("%d bars, %v", len(jobs.all), err)
	}
	for i, want := range map[int]bar{
		10: {from: 5, to: 5.5, top: 0.3}, // the first of the axis
		47: {from: 23.5, to: 24, top: 0.4},
		0:  {from: 24, to: 24.5, top: 0.1},
		9:  {from: 28.5, to: 29, top: 0.2}, // the last
	} {
		if jobs.all[i] != want {
			t.Errorf("half hour %d is %v, want %v", i, jobs.all[i], want)
		}
	}
	if len(apart.all) != 1 || apart.all[0] != (bar{from: 28.5, to: 29, low: 0.2, top: 0.7}) {
		t.Errorf("apart: %v", apart.all)
	}
}

func TestCycleIsTheModels(t *testing.T) {
	// Table 7 of Lublin and Feitelson (2003), the model's row.
	law := dist.Gamma{Shape: 8.17, Scale: 3.96}
	weights, ok := model.CycleWeights(law)
	if !ok {
		t.Fatal("no weights")
	}
	s, err := Cycle{"cycle", law}.series()
	if err != nil {
		t.Fatal(err)
	}
	first, last := s.points[0], s.points[len(s.points)-1]
	if first.X != 5 || last.X != 29 {
		t.Errorf("from %v to %v, want 5 to 29", first.X, last.X)
	}
	for i, w := range weights {
		// The middle of the half hour, between two points of the line.
		hour := float64(model.SlotNumber(i)-1)/2 + 0.25
		at := (hour - 5) / 24 * (curvePoints - 1)
		k := int(at)
		got := s.points[k].Y + (at-float64(k))*(s.points[k+1].Y-s.points[k].Y)
		if want := w / model.Slots; math.Abs(got-want) > 1e-4*want {
			t.Errorf("at %v h: %v, want %v", hour, got, want)
		}
	}
}

func TestCycleOutOfTheDay(t *testing.T) {
	if _, err := (Cycle{"late", dist.Gamma{Shape: 1e6, Scale: 1}}).series(); err == nil || !strings.Contains(err.Error(), "late has no jobs from slot 11 to 58") {
		t.Errorf("a million slots after midnight: %v", err)
	}
}

func TestWeekBars(t *testing.T) {
	data, names := weekBars([7]float64{70, 10, 20, 30, 40, 50, 60}, 280) // Sunday first
	for i, want := range []struct {
		name string
		top  float64
	}{{"Mon", 10. / 280}, {"Tue", 20. / 280}, {"Wed", 30. / 280}, {"Thu", 40. / 280}, {"Fri", 50. / 280}, {"Sat", 60. / 280}, {"Sun", 70. / 280}} {
		if b := data.all[i]; names[i].Label != want.name || b.top != want.top || names[i].Value != (b.from+b.to)/2 {
			t.Errorf("day %d: %v %v, want %v", i, names[i], b, want)
		}
	}
}
