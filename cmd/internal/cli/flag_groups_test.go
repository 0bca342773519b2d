package cli

import (
	"regexp"
	"strings"
	"testing"
)

// Every flag of a command with groups stands in its help once, also when it is
// asked for twice.
func TestFlagGroups(t *testing.T) {
	for range 2 {
		help := loadstone(t, "", "fit", "--help").out
		_, flags, ok := strings.Cut(help, "\nWhat is fitted:\n")
		if !ok || !strings.Contains(flags, "\nOther flags:\n") {
			t.Fatalf("no groups in\n%s", help)
		}
		seen := map[string]int{}
		for _, m := range regexp.MustCompile(`(?m)^ {2,6}(?:-\w, )?--([a-z-]+)`).FindAllStringSubmatch(flags, -1) {
			seen[m[1]]++
		}
		for _, name := range []string{"family", "rank", "site", "compare-at", "lifetimes", "help", "quiet", "timezone"} {
			if seen[name] != 1 {
				t.Errorf("--%s is %d times in the help", name, seen[name])
			}
		}
		if len(seen) < 40 {
			t.Errorf("%d flags in the help", len(seen))
		}
	}
}

// Every flag of predict stands in one of its groups, but for those of all commands.
func TestPredictFlagGroups(t *testing.T) {
	help := loadstone(t, "", "predict", "--help").out
	_, flags, ok := strings.Cut(help, "\nWho predicts:\n")
	groups, others, more := strings.Cut(flags, "\nOther flags:\n")
	if !ok || !more {
		t.Fatalf("no groups in\n%s", help)
	}
	for _, name := range []string{"predictors", "law", "estimate-factor", "quantile", "require", "baseline", "replicates", "predictions", "plots", "output"} {
		if n := strings.Count(groups, " --"+name+" "); n != 1 {
			t.Errorf("--%s is %d times in the groups", name, n)
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^ {2,6}(?:-\w, )?--([a-z-]+)`).FindAllStringSubmatch(others, -1) {
		if name := m[1]; name != "help" && name != "map" && name != "quiet" && name != "timezone" {
			t.Errorf("--%s is in no group", name)
		}
	}
}
