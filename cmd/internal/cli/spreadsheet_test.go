package cli

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Names in a log begin like formulas: in no CSV that we write does a cell.
func TestCSVFormulasAreEscaped(t *testing.T) {
	var log strings.Builder
	log.WriteString("; Version: 2.2\n; MaxProcs: 8\n; User: 1 =cmd|' /C calc'!A0\n; User: 2 @SUM(1)\n; Queue: 1 =HYPERLINK(1)\n; Queue: 2 -2+3\n; Queue: 3 +1+1\n")
	for i := range 300 {
		fmt.Fprintf(&log, "%d %d %d %d %d -1 -1 -1 600 -1 1 %d 1 1 %d 1 -1 -1\n", i+1, i*100, i%11, 50+i%7, 1+i%4, 1+i%2, 1+i%3)
	}
	dir := t.TempDir()
	in := filepath.Join(dir, "=log.swf") // a file's name is a text, too
	if err := os.WriteFile(in, []byte(log.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	mapping := filepath.Join(dir, "m.csv")
	for _, c := range []struct {
		args []string
		file string // empty for standard output
	}{
		{[]string{"anonymise", "=log.swf", "--mapping", mapping, "--format", "swf"}, mapping},
		{[]string{"describe", "=log.swf", "--by", "queue_id", "--format", "csv"}, ""},
		{[]string{"describe", "=log.swf", "--section", "summary", "--format", "csv"}, ""},
	} {
		got := loadstone(t, "", c.args...)
		if got.code != exitDone {
			t.Errorf("%q: exit code %d, %s", c.args, got.code, got.err)
			continue
		}
		text := got.out
		if c.file != "" {
			text = mustRead(t, c.file)
		}
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		here := 0
		for _, row := range rows {
			for _, cell := range row {
				_, text := strconv.ParseFloat(cell, 64)
				if len(cell) > 1 && strings.ContainsRune("=+@-", rune(cell[0])) && text != nil {
					t.Errorf("%q: cell %q", c.args, cell)
				}
				if strings.HasPrefix(cell, "'") {
					here++
				}
			}
		}
		if here == 0 {
			t.Errorf("%q: no name in it:\n%.400s", c.args, text)
		}
	}
}
