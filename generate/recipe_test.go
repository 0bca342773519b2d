package generate

import (
	"crypto/sha256"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loadstone-hpc/loadstone/model"
	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/swf"
)

// A header says how to make its log again, byte for byte.
func TestRecipe(t *testing.T) {
	zurich, err := time.LoadLocation("Europe/Zurich")
	if err != nil {
		t.Fatal(err)
	}
	s := site(t, model.Lublin1999)
	s.Name, s.Source = "a  name of blanks "+strings.Repeat("é ", 150), strings.Repeat(" ", 300)+"and \"quotes\" <&>"
	o := Options{Jobs: 500, Load: 0.7, Seed: 42, Start: time.Date(2026, 3, 1, 0, 0, 0, 0, zurich), Bursts: 3, Week: Off, By: "loadstone 9.9"}
	w := build(t, s, o)
	// As a reader of the file finds it.
	text := string(swf.AppendHeader(nil, w.Header))
	var h workload.Header
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		h.Lines = append(h.Lines, strings.TrimPrefix(line, ";"))
	}
	r, err := ReadRecipe(h)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(s, r.Site); diff != "" {
		t.Error(diff)
	}
	if want := strings.Fields("--jobs 500 --load 0.7 --week off --bursts 3 --seed 42"); !slices.Equal(r.Flags, want) || r.By != o.By || !r.Start.Equal(o.Start) || r.Start.Location().String() != "Europe/Zurich" {
		t.Errorf("recipe %q by %q from %v, want %q", r.Flags, r.By, r.Start, want)
	}
	o.Start = r.Start
	if sha256.Sum256([]byte(lines(t, build(t, r.Site, o)))) != sha256.Sum256([]byte(lines(t, w))) {
		t.Error("the recipe makes another log")
	}

	for name, alter := range map[string]struct{ old, new, want string }{
		"an altered model": {`"serial_share":0.1541`, `"serial_share":0.1542`, "a model with checksum"},
		"a broken model":   {`"serial_share":0.1541`, `"serial_share":1.1541`, "an invalid model"},
		"no model":         {noteFile, "something else:", "no model"},
		"no flags":         {noteFlags, "made with", "no flags"},
	} {
		altered := workload.Header{Lines: slices.Clone(h.Lines)}
		joined := strings.ReplaceAll(strings.Join(altered.Lines, "\n"), alter.old, alter.new)
		altered.Lines = strings.Split(joined, "\n")
		_, err := ReadRecipe(altered)
		var f *RecipeError
		if !errors.As(err, &f) || !strings.Contains(err.Error(), alter.want) {
			t.Errorf("%s: %v, want %q", name, err, alter.want)
		}
	}
}

func TestPieces(t *testing.T) {
	for _, text := range []string{"", "short", strings.Repeat("x", 1000), strings.Repeat("日本", 500), strings.Repeat("a b ", 200) + "a", "x" + strings.Repeat(" ", 600) + "y"} {
		got := pieces(text)
		if joined := strings.Join(got, ""); joined != text {
			t.Errorf("%q comes back as %q", text, joined)
		}
		for _, piece := range got {
			if strings.TrimSpace(piece) != piece {
				t.Errorf("piece %q", piece)
			}
		}
	}
}

// No header makes ReadRecipe panic, and a recipe that it finds is that of a
// header made by it.
func FuzzReadRecipe(f *testing.F) {
	w, err := New(site(f, model.Lublin1999), Options{Jobs: 5, Seed: 1, By: "loadstone 9.9", Start: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(swf.AppendHeader(nil, w.Header)))
	f.Add("; Note: " + noteFile + " {}\n; Note: " + noteFlags + " --jobs 5\n; Note: " + noteSum + ", sha256 0\n")
	f.Fuzz(func(t *testing.T, text string) {
		var h workload.Header
		for _, line := range strings.Split(text, "\n") {
			h.Lines = append(h.Lines, strings.TrimPrefix(line, ";"))
		}
		r, err := ReadRecipe(h)
		if err != nil {
			return
		}
		w, err := New(r.Site, Options{Jobs: 5, Start: r.Start})
		if err != nil {
			return
		}
		again, err := ReadRecipe(w.Header)
		if err != nil {
			t.Fatalf("a header of its model: %v", err)
		}
		if diff := cmp.Diff(r.Site, again.Site); diff != "" {
			t.Error(diff)
		}
	})
}
