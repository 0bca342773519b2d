package figure

import (
	"strings"
	"testing"
	"time"
)

func TestTicks(t *testing.T) {
	start := float64(time.Date(1996, time.September, 23, 14, 0, 31, 0, time.UTC).Unix())
	const day = 86400.0
	for _, c := range []struct {
		kind      AxisKind
		low, high float64
		want      string
	}{
		{Duration, 2, 4000, "10 s,1 min,10 min,1 h"},
		{Duration, 20, 400, "20 s,30 s,1 min,2 min,5 min"},
		{Duration, 70, 110, "70 s,75 s,80 s,85 s,90 s,95 s,100 s,105 s,110 s"},
		{Duration, 1e-3, 1, "1 ms,10 ms,100 ms,1 s"},
		{Seconds, 0, 7200, "0.0 h,0.5 h,1.0 h,1.5 h,2.0 h"},
		{Processors, 0.5, 128, "1,2,4,8,16,32,64,128"},
		{Processors, 1, 1 << 20, "1,4,16,64,256,1024,4096,16384,65536,262144,1048576"},
		{Logarithm, 1, 20000, "1,10,100,1000,10000"},
		{Number, 0, 1, "0.0,0.2,0.4,0.6,0.8,1.0"},
		{Number, 0, 4.9e6, "0,1000000,2000000,3000000,4000000"},
		{Number, -3, 5, "-3,-2,-1,0,1,2,3,4,5"},
		{Share, 0, 0.05, "0 %,1 %,2 %,3 %,4 %,5 %"},
		{Hours, 5, 29, "5:00,8:00,11:00,14:00,17:00,20:00,23:00,2:00,5:00"},
		{Clock, start, start + 340*day, "1996-10,1997-01,1997-04,1997-07"},
		{Clock, start, start + 7.9*365*day, "1997,1998,1999,2000,2001,2002,2003,2004"},
		{Clock, start, start + 7200, "15:00,16:00"},
		{Clock, start, start + day, "23 Sep 18:00,24 Sep 00:00,24 Sep 06:00,24 Sep 12:00"},
	} {
		var labels []string
		for _, tick := range (&Axis{Kind: c.kind}).ticks(c.low, c.high) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, ","); got != c.want {
			t.Errorf("%s %v to %v: %s, want %s", c.kind, c.low, c.high, got, c.want)
		}
	}
}
