package cli

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestHeaderClock holds every command that reads a log's local time to one name
// for the warning about a header without a time zone.
func TestHeaderClock(t *testing.T) {
	const warning = "no time zone in the header: UTC is used (--timezone names another) (header-clock)\n"
	text := "; MaxProcs: 128\n; UnixStartTime: 978307200\n"
	for i := range 200 {
		text += strconv.Itoa(i) + " " + strconv.Itoa(i*3600) + " 0 " + strconv.Itoa(100+i*37%911) + " 4 -1 -1 4 2000 -1 1 1 1 1 0 1 -1 -1\n"
	}
	log := writeLog(t, text)
	parts := filepath.Join(t.TempDir(), "part-{n}.swf")
	for _, args := range [][]string{
		{"describe", log},
		{"fit", log, "--family", "gamma", "--replicates", "0"},
		{"lifetimes", log, "--months", "1"},
		{"compare", log, "lublin1999"},
		{"split", log, "--every", "1w", "-o", parts},
	} {
		if got := loadstone(t, "", args...); !strings.Contains(got.err, warning) {
			t.Errorf("loadstone %s: %q", strings.Join(args, " "), got.err)
		}
	}
}
