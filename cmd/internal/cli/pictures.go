package cli

import (
	"bytes"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/figure"
)

// onePicture is the only one that is wanted of those that a command draws with
// --plots: 'loadstone plot' asks for it.
type onePicture struct {
	name   string // of the file, without its extension
	format string // of pictureFormats
	file   string

	drawn bool
	why   error // it was not drawn
}

// pictureFormats are what a picture can be, by the extension of its file.
var pictureFormats = []string{"svg", "png", "pdf"}

// gallery are pictures that are kept for a page, and why others are not drawn,
// by their names.
type gallery struct {
	svg map[string][]byte
	why map[string]error
}

func newGallery() *gallery { return &gallery{map[string][]byte{}, map[string]error{}} }

// pictureFormat is what pictures are drawn as.
func (a *app) pictureFormat() string {
	if a.gallery != nil {
		return figure.Compact
	}
	if a.only != nil {
		return a.only.format
	}
	return "svg"
}

// draws says whether a picture of that name is wanted, if any is.
func (a *app) draws(name string) bool { return a.only == nil || a.only.name == name }

// drawTo writes one picture; what has nothing to show is said, and is no reason
// to leave the rest undone.
func (a *app) drawTo(path string, write func(w io.Writer) error) error {
	if a.only != nil {
		if pictureName(path) != a.only.name {
			return nil
		}
		path, a.only.drawn = a.only.file, true
	}
	var picture bytes.Buffer
	if err := write(&picture); err != nil {
		a.notDrawn(path, err)
		return nil
	}
	if a.gallery != nil {
		a.gallery.svg[pictureName(path)] = picture.Bytes()
		return nil
	}
	if err := a.makeFolder(filepath.Dir(path)); err != nil {
		return err
	}
	if err := a.writeFile(path, func(w io.Writer) error { _, err := picture.WriteTo(w); return err }); err != nil {
		return err
	}
	a.note("%s: drawn", path)
	return nil
}

// makeFolder makes a folder for outputs: a command that fails or is interrupted
// leaves none.
func (a *app) makeFolder(path string) error {
	if err := a.ctx.Err(); err != nil {
		return err
	}
	return a.outputs.makeFolder(path)
}

// notDrawn says why a picture is left out.
func (a *app) notDrawn(path string, why error) {
	if a.gallery != nil {
		a.gallery.why[pictureName(path)] = why
		return
	}
	if a.only == nil {
		a.warn("%s: not drawn: %v", path, why)
		return
	}
	if path == a.only.file || pictureName(path) == a.only.name {
		a.only.drawn, a.only.why = false, why
	}
}

// missing says why pictures that nobody tried to draw are left out, in case one
// of them is asked for.
func (a *app) missing(why error, names ...string) {
	if a.only != nil && !a.only.drawn && slices.Contains(names, a.only.name) {
		a.only.why = why
	}
}

var errNotDrawn = errors.New("neither the log nor the flags behind -- give anything to draw")

func pictureName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}
