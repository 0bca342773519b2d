package figure

import (
	"errors"
	"io"
	"slices"
)

// Picture is one picture of a result. Nothing is computed for it before it is
// drawn.
type Picture struct {
	Name string // of its file, without the extension
	// Draw writes the picture as "svg", "png", "pdf" or Compact. Its error says why
	// there is nothing to show.
	Draw func(w io.Writer, format string) error
	// Extra is set on a picture that nobody misses where all pictures of a result
	// are drawn: whether it can be drawn is of interest to who asks for it by name.
	Extra bool
}

// Formats are those of files, the default first.
var Formats = []string{"svg", "png", "pdf"}

// Find returns the picture of a name; false where there is none.
func Find(all []Picture, name string) (Picture, bool) {
	i := slices.IndexFunc(all, func(p Picture) bool { return p.Name == name })
	if i < 0 {
		return Picture{}, false
	}
	return all[i], true
}

// absent returns a picture that cannot be drawn, and why.
func absent(name, why string) Picture {
	return Picture{Name: name, Draw: func(io.Writer, string) error { return errors.New(why) }}
}

// absentExtra returns pictures that cannot be drawn and that nobody misses.
func absentExtra(why string, names ...string) []Picture {
	var all []Picture
	for _, name := range names {
		p := absent(name, why)
		p.Extra = true
		all = append(all, p)
	}
	return all
}
