package slurm

import (
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// TestLocalClock tests every quarter of an hour of several years, forwards and backwards, and
// compares the results with the inverse by the standard library: the instants at which a clock in
// the zone shows the time.
func TestLocalClock(t *testing.T) {
	for _, name := range []string{"UTC", "Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Africa/Casablanca", "Pacific/Apia"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		const quarter = 900
		from := time.Date(2011, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
		to := time.Date(2013, 1, 1, 0, 0, 0, 0, time.UTC).Unix()
		shown := map[int64][]int64{} // instants at which the clock shows a time
		for u := from - 2*86400; u < to+2*86400; u += quarter {
			_, offset := time.Unix(u, 0).In(zone).Zone()
			shown[u+int64(offset)] = append(shown[u+int64(offset)], u)
		}
		clock := parse.Clock{Zone: zone}
		check := func(local int64) {
			t.Helper()
			first, last, missed := clock.Instants(local)
			want := shown[local]
			switch {
			case len(want) == 0:
				if !missed {
					t.Errorf("%s: %d: %d and %d, want none", name, local, first, last)
				}
			case missed, first != want[0], last != want[len(want)-1]:
				t.Errorf("%s: %d: %d and %d, missed %v; want %v", name, local, first, last, missed, want)
			}
		}
		for local := from; local < to; local += quarter {
			check(local)
		}
		for local := to; local > from; local -= 37 * quarter {
			check(local)
		}
	}
}
