package workload

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	var n Names
	for _, c := range []struct {
		col  int
		text string
		want int64
	}{
		{ColUser, "alice", 1}, {ColUser, "bob", 2}, {ColUser, "alice", 1}, {ColQueue, "alice", 1}, {ColUser, "", Unknown}, {ColUser, "12", 3},
	} {
		if got := n.Number(c.col, c.text); got != c.want {
			t.Errorf("number of %q is %d, want %d", c.text, got, c.want)
		}
	}
	if text, ok := n.Text(ColUser, 2); text != "bob" || !ok {
		t.Errorf("user 2 is %q, %v", text, ok)
	}
	for _, id := range []int64{0, 4, -1, Unknown} {
		if text, ok := n.Text(ColUser, id); ok {
			t.Errorf("user %d is %q", id, text)
		}
	}
	n.Number(ColGroup, "two\nlines")
	n.Number(ColGroup, "nul\x00byte") // which does not occur in text
	h := Header{Lines: []string{" Version: 2.2"}}
	n.AddTo(&h)
	want := " Version: 2.2| User: 1 alice| User: 2 bob| User: 3 12| Group: 1 two lines| Group: 2 nul byte| Queue: 1 alice"
	if got := strings.Join(h.Lines, "|"); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	// Names that a reader could truncate or extend are read back unchanged.
	var odd Names
	texts := []string{"Anna Smith", "Anna (guest)", `- dash`, "a - b - c", `"quoted"`, ` in "two" (of 3)`, `back\slash`, `" \`, "x ", "12", "7 8"}
	for _, text := range texts {
		odd.Number(ColUser, text)
	}
	var again Header
	odd.AddTo(&again)
	for i, text := range texts {
		if got := again.Names("User")[int64(i)+1]; got != text {
			t.Errorf("%q comes back as %q from %q", text, got, again.Lines[i])
		}
	}
	if names := h.Names("User"); names[2] != "bob" || len(names) != 3 {
		t.Errorf("read back: %v", names)
	}
}
