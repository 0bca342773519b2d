package view

import "testing"

func TestWrap(t *testing.T) {
	const want = "    name=5: how\n      many jobs"
	if got := Wrap(15, 6, "    ", "name=5: how  many\njobs"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got, want := Wrap(12, 4, "has", "a, b, c, d"), "has a, b, c,\n    d"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
