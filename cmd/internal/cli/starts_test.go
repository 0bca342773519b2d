package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// A log whose submissions are its starts is named by each command that takes them for
// submissions: here jobs of one processor, of which nine or ten run at any time on ten. With
// shorter intervals there are more than the machine holds.
func TestSubmissionsThatAreStarts(t *testing.T) {
	t.Parallel()
	for interval, want := range map[int]bool{105: true, 95: false} {
		var b strings.Builder
		b.WriteString("; Version: 2.2\n; UnixStartTime: 1136156400\n; TimeZoneString: Europe/Zurich\n; MaxProcs: 10\n")
		for i := range 400 {
			fmt.Fprintf(&b, "%d %d -1 1000 1 -1 -1 1 2000 -1 1 %d 1 -1 -1 -1 -1 -1\n", i+1, i*interval, i%7+1)
		}
		log, dir := writeLog(t, b.String()), t.TempDir()
		for _, args := range [][]string{
			{"validate", log, "--fail-on", "none"}, {"describe", log}, {"fit", log, "--family", "gamma"}, {"fit", log, "-o", filepath.Join(dir, "m.json")},
			{"fit", log, "-o", filepath.Join(dir, "m.json"), "--format", "json"},
			{"generate", "--like", log, "-o", filepath.Join(dir, "twin.swf")}, {"simulate", log, "--policy", "easy"},
		} {
			got := loadstone(t, "", args...)
			times := strings.Count(got.out+got.err, "submissions-are-starts")
			if args[len(args)-1] == "json" { // which the result has too
				times = strings.Count(got.err, "submissions-are-starts")
			}
			if (times == 1) != want || times > 1 {
				t.Errorf("every %d s: %q: named %d times, want it: %t\n%s%s", interval, args, times, want, got.out, got.err)
			}
		}
	}
}
