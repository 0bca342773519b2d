package cli

import (
	"encoding/base64"
	"html"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/loadstone-hpc/loadstone/internal/longtest"
)

// made is a log with users, waits and estimates that a published model makes.
func made(t *testing.T) string {
	t.Helper()
	jobs, log := filepath.Join(t.TempDir(), "jobs.swf"), filepath.Join(t.TempDir(), "made7.swf")
	for _, args := range [][]string{
		{"generate", "--model", "lublin1999", "--jobs", "700", "--procs", "64", "--load", "1.1", "--seed", "7", "-o", jobs},
		{"simulate", jobs, "-o", log},
	} {
		if r := loadstone(t, "", append(args, "-q")...); r.code != exitDone {
			t.Fatal(r.err)
		}
	}
	return log
}

// The page's numbers are those of the commands that it names: every row of the tables for
// modelling is a line that one of them prints, and its model is the file that fit writes.
func TestReportHasTheCommandsNumbers(t *testing.T) {
	log := made(t)
	t.Chdir(t.TempDir())
	if r := loadstone(t, "", "report", log, "-o", "page.html"); r.code != exitDone {
		t.Fatal(r.err)
	}
	page := mustRead("page.html")
	shells := regexp.MustCompile(`(?s)<pre tabindex="0">(.*?)</pre>`).FindAllStringSubmatch(page, -1)
	printed := map[string]bool{}
	for line := range strings.Lines(html.UnescapeString(shells[len(shells)-1][1])) {
		r := loadstone(t, "", append(longtest.ShellWords(strings.TrimSpace(line))[1:], "-q")...)
		if r.code != exitDone {
			t.Fatal(line, r.err)
		}
		for text := range strings.Lines(r.out) {
			printed[strings.Join(strings.Fields(text), " ")] = true
		}
	}
	_, modelling, _ := strings.Cut(page, "For modelling")
	modelling = regexp.MustCompile(`(?s)<figure.*?</figure>`).ReplaceAllString(modelling, "") // with the numbers of charts
	rows := regexp.MustCompile(`(?s)<tr[^>]*><th scope="row".*?</tr>`).FindAllString(modelling, -1)
	for _, row := range rows {
		if text := strings.TrimSpace(pageText(row)); !printed[text] {
			t.Errorf("no command prints %q", text)
		}
	}
	if len(rows) < 50 { // 12 fits, 27 traits, 10 predictors of run time and 9 of waits
		t.Errorf("compared %d rows: are there no more?", len(rows))
	}
	file := regexp.MustCompile(`href="data:application/json;base64,([^"]*)"`).FindStringSubmatch(page)
	got, err := base64.StdEncoding.DecodeString(html.UnescapeString(file[1]))
	if err != nil || string(got) != mustRead("made7.json") {
		t.Errorf("the model in the page has %d bytes and is not that of fit -o, %v", len(got), err)
	}
}
