package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The same log in other words than tiny's first two jobs.
const otherWords = `Job,Who,"Start, wanted",Elapsed,CPUs,Colour
1,alice,2001-01-01 00:00:00,0:01:40,4,red
2,bob,2001-01-01 00:00:10,50,2,blue
`

func TestMap(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.txt")
	if err := os.WriteFile(path, []byte(otherWords), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"convert", "--format", "swf", "--timezone", "UTC", "--map", `job_id=Job,user=Who,"submit_time=Start, wanted"`, "--map", "run_time=Elapsed,requested_processors=CPUs"}
	got := loadstone(t, "", append(args, path)...)
	for _, want := range []string{
		"; UnixStartTime: 978307200\n; TimeZoneString: UTC\n",
		"\n1 0 -1 100 -1 -1 -1 4 -1 -1 -1 1 -1 -1 -1 -1 -1 -1\n2 10 -1 50 -1 -1 -1 2 -1 -1 -1 2 -1 -1 -1 -1 -1 -1\n",
	} {
		if got.code != exitDone || !strings.Contains(got.out, want) {
			t.Errorf("code %d, output\n%swant\n%s%s", got.code, got.out, want, got.err)
		}
	}
	if want := `columns left out, as no column of the job table is read from them: "Colour" (unmapped-column)`; !strings.Contains(got.err, want) {
		t.Errorf("remarks %s, want %s", got.err, want)
	}
	if got := loadstone(t, otherWords, append(args, "-")...); got.code != exitDone {
		t.Errorf("from standard input: code %d, %s", got.code, got.err)
	}
	got = loadstone(t, "", "convert", "--format", "swf", "--map", "user=Nobody", path)
	if want := `user_id: saw "Nobody" in the mapping, want one of the file's columns: "Job", "Who", "Start, wanted", "Elapsed", "CPUs", "Colour"`; got.code != exitFailed || !strings.Contains(got.err, want) {
		t.Errorf("code %d, %s", got.code, got.err)
	}
	got = loadstone(t, "", "convert", "--format", "swf", "--map", "user=Who", writeLog(t, tiny))
	if want := "--map has no effect: it is for CSV and Parquet of other programs, and this is swf"; got.code != exitDone || !strings.Contains(got.err, want) {
		t.Errorf("code %d, %s", got.code, got.err)
	}
}

func TestMapUsage(t *testing.T) {
	for value, want := range map[string]string{
		"colour=a":                          `"colour" is not a column that can be mapped: want one of job, submit_time`,
		"user":                              `saw "user", want column=name`,
		"user=":                             `saw "user=", want column=name`,
		"=a":                                `saw "=a", want column=name`,
		"user=a,user=b":                     `"user" is mapped twice`,
		"user=a,user_id=b":                  `"user" and "user_id" are the same column`,
		`"user=a`:                           "want column=name separated by commas",
		"interarrival_time=a,submit_time=b": "want one of them",
	} {
		got := loadstone(t, "", "convert", "x", "--map", value)
		if got.code != exitUsage || !strings.Contains(got.err, want) {
			t.Errorf("--map %s: code %d, %s, want %s", value, got.code, got.err, want)
		}
	}
}
