package slurm

import (
	"testing"
	"time"

	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// TestSacctTime compares dates with the standard library's calendar.
func TestSacctTime(t *testing.T) {
	for day := time.Date(1971, 1, 1, 0, 0, 0, 0, time.UTC); day.Year() < 2405; day = day.AddDate(0, 0, 13) {
		text := day.Format("2006-01-02T15:04:05")
		got, want := parseTime([]byte(text))
		if want != "" || got.kind != timeLocal || got.seconds != day.Unix() {
			t.Fatalf("%s: %+v (%q), want %d", text, got, want, day.Unix())
		}
	}
	for _, c := range []struct {
		text string
		want timeText
		ok   bool
	}{
		{"2021-12-10T14:23:28", timeText{1639146208, timeLocal}, true},
		{"2021-12-10T14:23:28Z", timeText{1639146208, timeUnix}, true},
		{"2021-12-10T14:23:28+0100", timeText{1639142608, timeUnix}, true},
		{"2021-12-10T14:23:28-05:30", timeText{1639166008, timeUnix}, true},
		{"1639146208", timeText{1639146208, timeUnix}, true},
		{"2024-02-29T00:00:00", timeText{1709164800, timeLocal}, true},
		{"Unknown", timeText{}, true}, {"None", timeText{}, true}, {"", timeText{}, true}, {"N/A", timeText{}, true},
		{"1970-01-01T01:00:00", timeText{3600, timeZero}, true}, {"0", timeText{0, timeZero}, true},
		{"2023-02-29T00:00:00", timeText{}, false}, {"2021-13-01T00:00:00", timeText{}, false}, {"2021-00-01T00:00:00", timeText{}, false},
		{"2021-12-32T00:00:00", timeText{}, false}, {"2021-12-10T24:00:00", timeText{}, false}, {"2021-12-10T14:60:28", timeText{}, false},
		{"0000-01-01T00:00:00", timeText{}, false}, {"1900-01-01T00:00:00", timeText{}, false}, {"2021-12-10T14:23", timeText{}, false},
		{"14:23:28", timeText{}, false}, {"2021-12-10T14:23:28+9", timeText{}, false}, {"2021-12-10T14:23:28+99:00", timeText{}, false},
		{"x021-12-10T14:23:28", timeText{}, false}, {"99999999999999", timeText{}, false},
	} {
		got, want := parseTime([]byte(c.text))
		if (want == "") != c.ok || c.ok && got != c.want {
			t.Errorf("%q: %+v (%q), want %+v", c.text, got, want, c.want)
		}
	}
}

// TestLocalClock goes over every quarter of an hour of some years, forwards
// and back, and compares with the inverse by the standard library: the
// instants at which a clock in the zone shows the time.
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
