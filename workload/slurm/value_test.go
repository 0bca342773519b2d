package slurm

import (
	"math"
	"testing"

	"github.com/loadstone-hpc/loadstone/workload"
)

func same(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }

// The durations and sizes are those of the man page's formats and of real
// output; seconds and kilobytes are worked out by hand.
func TestSacctDuration(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		text string
		want float64
		ok   bool
	}{
		{"00:00", 0, true}, {"01:04.442", 64.442, true}, {"00:00.106", 0.106, true}, {"23:33:25", 84805, true},
		{"1-11:48:50", 128930, true}, {"120-00:14:40", 10368880, true}, {"100:00:00", 360000, true}, {"90:00", 5400, true},
		{"", nan, true}, {"Unknown", nan, true}, {"INVALID", nan, true},
		{"5", 0, false}, {":05", 0, false}, {"05:", 0, false}, {"00:60", 0, false}, {"1-24:00:00", 0, false},
		{"00:60:00", 0, false}, {"1-2-03:04", 0, false}, {"1:2:3:4", 0, false}, {"-1:00", 0, false}, {"1 00:00", 0, false},
		{"00:00.", 0, false}, {"00:00.1x", 0, false}, {"1234567890:00", 0, false}, {"3-", 0, false}, {"00:0a", 0, false}, {"0:0", 0, false}, {"00:1.5", 0, false},
	} {
		got, want := parseDuration([]byte(c.text))
		if (want == "") != c.ok || c.ok && !same(got, c.want) {
			t.Errorf("%q: %v, want %v (%q)", c.text, got, c.want, want)
		}
	}
}

func TestSacctSize(t *testing.T) {
	for _, c := range []struct {
		text  string
		plain byte
		kb    float64
		per   byte
		ok    bool
	}{
		{"5000Mc", 'M', 5120000, 'c', true}, {"0n", 'M', 0, 'n', true}, {"550000Mn", 'M', 563200000, 'n', true},
		{"4000M", 'M', 4096000, 0, true}, {"4000", 'M', 4096000, 0, true}, {"2.5G", 'M', 2621440, 0, true}, {"141309400K", 'B', 141309400, 0, true},
		{"2048", 'B', 2, 0, true}, {"1T", 'M', 1073741824, 0, true}, {"1P", 'M', 1099511627776, 0, true}, {"3Gc", 'M', 3145728, 'c', true},
		{"7c", 'M', 7168, 'c', true}, {"1m", 'K', 1024, 0, true},
		{"9223372036854778808M", 'M', 3072000, 'c', true}, {"9223372036854778808n", 'M', 3072000, 'c', true}, // 2^63 + 3000
		{"M", 'M', 0, 0, false}, {"n", 'M', 0, 0, false}, {"12X", 'M', 0, 0, false}, {"-1M", 'M', 0, 0, false}, {"1.2.3M", 'M', 0, 0, false},
		{"1e3M", 'M', 0, 0, false},
	} {
		got, want := parseSize([]byte(c.text), c.plain)
		if (want == "") != c.ok || c.ok && got != (size{c.kb, c.per}) {
			t.Errorf("%q: %v, want %v %q (%q)", c.text, got, c.kb, c.per, want)
		}
	}
}

func TestSacctCount(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
		ok   bool
	}{
		{"12", 12, true}, {"0", 0, true}, {"", workload.Unknown, true}, {"Unknown", workload.Unknown, true}, {"4294967294", workload.Unknown, true},
		{"18446744073709551615", workload.Unknown, true}, {"999999999999999", 999999999999999, true},
		{"1000000000000000", 0, false}, {"-1", 0, false}, {"1.5", 0, false}, {"x", 0, false},
		// 1024 a step, as convert_num_unit of Slurm's slurm_protocol_api.c counts.
		{"1K", 1024, true}, {"96k", 98304, true}, {"1.50K", 1536, true}, {"0.00K", 0, true}, {"2M", 2097152, true}, {"1.5G", 1610612736, true},
		{"3t", 3298534883328, true}, {"0.5P", 562949953421312, true}, {"4.0", 4, true},
		{"K", 0, false}, {"-1K", 0, false}, {"1.2.3K", 0, false}, {"1B", 0, false}, {"1Kn", 0, false}, {"1E", 0, false}, {".", 0, false}, {".K", 0, false},
	} {
		if got, want := parseCount([]byte(c.text)); (want == "") != c.ok || c.ok && got != c.want {
			t.Errorf("%q: %d, want %d (%q)", c.text, got, c.want, want)
		}
	}
}

// TestSacctState goes through the man page's states, long and short, and what
// is printed of them.
func TestSacctState(t *testing.T) {
	codes := map[string]struct {
		short  string
		status int64
	}{
		"BOOT_FAIL": {"BF", 0}, "CANCELLED": {"CA", 5}, "COMPLETED": {"CD", 1}, "DEADLINE": {"DL", 0}, "FAILED": {"F", 0},
		"NODE_FAIL": {"NF", 0}, "OUT_OF_MEMORY": {"OOM", 0}, "PENDING": {"PD", workload.Unknown}, "PREEMPTED": {"PR", 0},
		"RUNNING": {"R", workload.Unknown}, "REQUEUED": {"RQ", 0}, "RESIZING": {"RS", 0}, "REVOKED": {"RV", 0},
		"SUSPENDED": {"S", workload.Unknown}, "TIMEOUT": {"TO", 0}, "COMPLETING": {"CG", workload.Unknown}, "CONFIGURING": {"CF", workload.Unknown},
	}
	for long, c := range codes {
		for _, text := range []string{long, c.short, long + "+"} {
			s := parseState([]byte(text))
			if states[s].long != long || s.status() != c.status {
				t.Errorf("%q: %v with status %d, want %s with %d", text, s, s.status(), long, c.status)
			}
		}
	}
	for text, want := range map[string]string{
		"CANCELLED by 1000": "CANCELLED", "CA by 0": "CANCELLED", "CANCELLE+": "CANCELLED", "OUT_OF_ME+": "OUT_OF_MEMORY",
		"COMPLET+": "UNKNOWN", "RE+": "UNKNOWN", "COMPLETED by 1": "UNKNOWN", "": "UNKNOWN", "+": "UNKNOWN",
		"completed": "UNKNOWN", "UNKNOWN": "UNKNOWN", "?": "UNKNOWN",
	} {
		if got := states[parseState([]byte(text))].long; got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
