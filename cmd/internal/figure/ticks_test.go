package figure

import (
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		ticker    plot.Ticker
		low, high float64
		want      string
	}{
		{durations{}, 2, 4000, "10 s,1 min,10 min,1 h"},
		{durations{}, 1, 300000, "1 s,10 s,1 min,10 min,1 h,10 h,1 d"},
		{durations{}, 20, 400, "20 s,30 s,1 min,2 min,5 min"},
		{durations{}, 70, 110, "70 s,75 s,80 s,85 s,90 s,95 s,100 s,105 s,110 s"},
		{durations{}, 109100, 278500, "40 h,50 h,60 h,70 h"}, // 30.3 h to 77.4 h
		{durations{}, 7, 7, "7 s,7 s"},
		{powersOfTwo{}, 0.5, 128, "1,2,4,8,16,32,64,128"},
		{powersOfTwo{}, 1, 1 << 20, "1,4,16,64,256,1024,4096,16384,65536,262144,1048576"},
		{powersOfTwo{}, 0.9, 1.1, "1"},
		{powersOfTwo{}, 5, 7, "5,7"},
		{round{}, 0, 1, "0.0,0.2,0.4,0.6,0.8,1.0"},
		{round{}, 0, 0.31, "0.00,0.05,0.10,0.15,0.20,0.25,0.30"},
		{round{}, 0, 4.9e6, "0,1000000,2000000,3000000,4000000"},
		{round{}, -3, 5, "-3,-2,-1,0,1,2,3,4,5"},
		{percents{}, 0, 0.05, "0 %,1 %,2 %,3 %,4 %,5 %"},
		{percents{}, 0, 0.004, "0.00 %,0.05 %,0.10 %,0.15 %,0.20 %,0.25 %,0.30 %,0.35 %,0.40 %"},
		{hours{}, 5, 29, "5:00,8:00,11:00,14:00,17:00,20:00,23:00,2:00,5:00"},
	} {
		var labels []string
		for _, tick := range c.ticker.Ticks(c.low, c.high) {
			if slack := 1e-9 * (c.high - c.low); tick.Value < c.low-slack || tick.Value > c.high+slack {
				t.Errorf("%T %v to %v: tick at %v", c.ticker, c.low, c.high, tick.Value)
			}
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
		}
		if got := strings.Join(labels, ","); got != c.want {
			t.Errorf("%T %v to %v: %s, want %s", c.ticker, c.low, c.high, got, c.want)
		}
	}
}

func TestSpacedTicks(t *testing.T) {
	p := newPlot()
	p.X.Scale = plot.LogScale{}
	labels := func(long vg.Length, upright bool) string {
		var all []string
		for _, tick := range (spaced{durations{}, p.X, long, upright}).Ticks(1, 900000) {
			all = append(all, tick.Label)
		}
		return strings.Join(all, ",")
	}
	if got := labels(430, false); got != "1 s,10 s,1 min,10 min,1 h,10 h,1 d,10 d" {
		t.Errorf("with room: %s", got)
	}
	// A day is too close to ten hours; its tick stays, without a label.
	if got := labels(270, false); got != "1 s,10 s,1 min,10 min,1 h,10 h,,10 d" {
		t.Errorf("without room: %s", got)
	}
	// From ten hours to a day are 0.38 of 5.95 decades: 19 points of 300, 9.6 of
	// 150, and letters are 10 points high.
	if got := labels(300, true); got != "1 s,10 s,1 min,10 min,1 h,10 h,1 d,10 d" {
		t.Errorf("upright, with room: %s", got)
	}
	if got := labels(150, true); got != "1 s,10 s,1 min,10 min,1 h,10 h,,10 d" {
		t.Errorf("upright, without room: %s", got)
	}
}
