package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	headings = regexp.MustCompile(`(?m)^#+ (.+)$`)
	anchors  = regexp.MustCompile(`\]\(([A-Za-z0-9_./-]*)#([^)]+)\)`)
	dropped  = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// Every link of the manual to a heading names one, as GitHub makes anchors: in lower
// case, without punctuation, with - for a blank.
func TestAnchors(t *testing.T) {
	files, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, file := range append(files, "../../../README.md", "../../../CONTRIBUTING.md") {
		for _, link := range anchors.FindAllStringSubmatch(mustRead(t, file), -1) {
			to := file
			if link[1] != "" {
				to = filepath.Join(filepath.Dir(file), link[1])
			}
			text, err := os.ReadFile(to)
			if err != nil {
				t.Errorf("%s: %s: %v", file, link[0], err)
				continue
			}
			found++
			there := false
			for _, h := range headings.FindAllStringSubmatch(string(text), -1) {
				there = there || strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-") == link[2]
			}
			if !there {
				t.Errorf("%s: %s: no such heading", file, link[0])
			}
		}
	}
	if found < 10 {
		t.Errorf("%d links to headings", found)
	}
}
