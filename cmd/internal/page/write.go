package page

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"mime"
	"regexp"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/printable"
)

// UPlotVersion is the version of uPlot in every page.
const UPlotVersion = "1.6.32"

//go:embed asset/page.html
var pageHTML string

// BaseCSS is the style that a report shares with other pages: colours in light and
// dark, type, tables, remarks, facts and the frames of figures.
//
//go:embed asset/base.css
var BaseCSS string

//go:embed asset/page.css
var pageCSS string

//go:embed asset/page.js
var pageJS string

//go:embed asset/uplot-1.6.32.iife.min.js
var uplotJS string

//go:embed asset/uplot-1.6.32.min.css
var uplotCSS string

var shell = template.Must(template.New("page").Funcs(template.FuncMap{
	"inline": inline,
	"chart":  func(c []byte) template.JS { return template.JS(c) },
	"href":   File.href,
	"text":   printable.Text, // of names, which may hold a line end
	"words":  words,
	"spark":  spark,
}).Parse(pageHTML))

// Sections are the templates of a page's sections: those in the text, which may use the
// functions and, of this package, "table" of a Table, "figure" of a Figure and "file" of a
// File; "words" of a text keeps numbers and their units on a line.
func Sections(text string, functions template.FuncMap) *template.Template {
	return template.Must(template.Must(shell.Clone()).Funcs(functions).Parse(text))
}

// Body is what a template makes of the data.
func Body(t *template.Template, name string, data any) (template.HTML, error) {
	var text strings.Builder
	err := t.ExecuteTemplate(&text, name, data)
	return template.HTML(text.String()), err
}

// Write writes the page.
func Write(w io.Writer, p Page) error {
	if err := p.check(); err != nil {
		return err
	}
	style := uplotCSS + BaseCSS + pageCSS
	var text strings.Builder
	if err := shell.Execute(&text, struct {
		Page
		Policy     string
		Style      template.CSS
		UPlot, Own template.JS
	}{p, policy(style, uplotJS, pageJS), template.CSS(style), template.JS(uplotJS), template.JS(pageJS)}); err != nil {
		return err
	}
	// Names and remarks come from files, in words, attributes and charts' data.
	_, err := io.WriteString(w, printable.Lines(text.String()))
	return err
}

// inline is a picture, as figure.Compact has it, named by label.
func inline(svg []byte, label string) (template.HTML, error) {
	rest, ok := strings.CutPrefix(string(svg), "<svg ")
	if !ok {
		return "", fmt.Errorf("page: picture %q is no svg element", label)
	}
	return template.HTML(`<svg role="img" aria-label="` + template.HTMLEscapeString(label) + `" ` + rest), nil
}

// policy allows the page what it has, and nothing else.
func policy(style string, scripts ...string) string {
	var allowed []string
	for _, s := range scripts {
		allowed = append(allowed, hash(s))
	}
	return strings.Join([]string{
		"default-src 'none'",
		"script-src " + strings.Join(allowed, " "),
		"style-src " + hash(style),
		"img-src data:", // the empty icon, for which a browser would ask else
		"base-uri 'none'",
		"form-action 'none'",
	}, "; ")
}

// whole are dates and numbers with their units, as words keeps them on a line.
var whole = regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}( \d{2}:\d{2})?\b|\d[\d.,]* (%|(s|min|h|d)\b)`)

// words is text in which no line ends within a date, or between a number and its unit.
func words(text string) template.HTML {
	return template.HTML(whole.ReplaceAllString(template.HTMLEscapeString(printable.Text(text)), `<span class="whole">$0</span>`))
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func (f File) href() (template.URL, error) {
	kind, _, err := mime.ParseMediaType(f.Kind)
	if err != nil {
		return "", fmt.Errorf("page: file %s: %w", f.Name, err)
	}
	return template.URL("data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(f.Data)), nil
}

// check finds identifiers that no page can have.
func (p Page) check() error {
	seen := map[string]bool{}
	for _, s := range p.Sections {
		if id := s.ID; id == "" || strings.Trim(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") != "" || seen[id] {
			return fmt.Errorf("page: identifier %q: want letters, digits and dashes, each once", id)
		}
		seen[s.ID] = true
	}
	return nil
}
