package slurm

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestValues reads the values in testdata/values.txt.
func TestValues(t *testing.T) {
	show := func(want, format string, values ...any) string {
		if want != "" {
			return "fault"
		}
		return strings.ReplaceAll(strings.TrimSpace(fmt.Sprintf(format, values...)), "-9223372036854775808", "unknown")
	}
	read := map[string]func([]byte) string{
		"duration": func(v []byte) string { s, want := parseDuration(v); return show(want, "%v", s) },
		"count":    func(v []byte) string { n, want := parseCount(v); return show(want, "%d", n) },
		"state":    func(v []byte) string { s := parseState(v); return show("", "%s %d", states[s].long, s.status()) },
		"time": func(v []byte) string {
			at, want := parseTime(v)
			return show(want, [...]string{timeUnknown: "unknown%.0s", timeLocal: "local %s", timeUnix: "Unix %s", timeZero: "1970%.0s"}[at.kind], fmt.Sprint(at.seconds))
		},
	}
	for _, plain := range "BKM" {
		read["size "+string(plain)] = func(v []byte) string {
			s, want := parseSize(v, byte(plain))
			return show(want, "%.0f %s", s.kb, strings.Trim(string(s.per), "\x00"))
		}
	}
	text, err := os.ReadFile("testdata/values.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if c := strings.Split(strings.TrimSuffix(line, "\n"), "|"); c[0][0] != '#' {
			if got := read[c[0]]([]byte(c[1])); got != c[2] {
				t.Errorf("%s %q: %s, want %s", c[0], c[1], got, c[2])
			}
		}
	}
}
