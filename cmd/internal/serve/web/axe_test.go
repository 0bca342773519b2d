package web_test

import "testing"

// axe-core finds no violation on the page: as it opens, in the dark, on a phone, and with
// all details open.
func TestAxe(t *testing.T) {
	b, _, _ := start(t, nil)
	b.Wait(filled)
	for _, s := range []struct {
		what, scheme string
		width        int
	}{{"as it opens", "light", 1280}, {"in the dark", "dark", 1280}, {"on a phone", "light", 375}} {
		b.Screen(s.width, 900, "", s.scheme)
		b.Axe(t, s.what)
	}
	b.Eval(`document.querySelectorAll("details").forEach(d => { d.open = true; })`, nil)
	b.Axe(t, "with all details open")
}
