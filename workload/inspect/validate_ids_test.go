package inspect

import (
	"fmt"
	"strings"
	"testing"
)

// An ID that a full set cannot check is counted, not guessed.
func TestTooManyIDs(t *testing.T) {
	var text strings.Builder
	for _, id := range []int{1, 1000, 2000, 3000, 2000, 1000} {
		fmt.Fprintf(&text, "%d 0 0 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n", id)
	}
	log := open(t, text.String())
	v := newValidator(log, ValidateOptions{Rules: []string{"job-*"}})
	v.ids.MaxBlocks = 2
	got, err := v.run(log.Batches())
	if err != nil {
		t.Fatal(err)
	}
	// 2000 is not remembered; the repetition of 1000 is found.
	want := "1 ids not checked: they do not ascend, and there are too many to remember"
	f := got.Findings[0]
	if f.Rule != "job-duplicate" || f.Count != 1 || f.Note != want {
		t.Errorf("got %+v", got)
	}
}
