package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"io"
	"regexp"
	"strings"

	"github.com/loadstone-hpc/loadstone/internal/printable"
)

//go:embed asset
var assets embed.FS

// Asset returns a style sheet or script that a report shares with other pages: base.css styles
// colours in light and dark mode, type, tables, remarks, facts and the frames of figures;
// chart.css, uplot.css, uplot.js and chart.js draw charts. It panics if there is no such asset.
func Asset(name string) string {
	text, err := assets.ReadFile("asset/" + name)
	if err != nil {
		panic("page: " + err.Error()) // cannot happen: the files are embedded
	}
	return string(text)
}

var shell = template.Must(template.New("page").Funcs(template.FuncMap{
	"chart": func(c []byte) template.JS { return template.JS(c) },
	"data": func(kind string, data []byte) template.URL {
		return template.URL("data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data))
	},
	"text":  printable.Text, // for names, which may contain line ends
	"words": words,
}).Parse(Asset("page.html")))

// Sections returns the templates of a page's sections, parsed from text. They may use the given
// functions and those of this package: the templates "table", "figure" and "file" write a Table,
// a Figure and a File, and the function "words" keeps a number and its unit on one line.
func Sections(text string, functions ...template.FuncMap) *template.Template {
	all := template.Must(shell.Clone())
	for _, f := range functions {
		all.Funcs(f)
	}
	return template.Must(all.Parse(text))
}

// Body returns the output of the named template for data.
func Body(t *template.Template, name string, data any) (template.HTML, error) {
	var text strings.Builder
	err := t.ExecuteTemplate(&text, name, data)
	return template.HTML(text.String()), err
}

// Write writes the page. Its content security policy allows only the page's own styles, scripts
// and pictures, the former two by their hashes.
func Write(w io.Writer, p Page) error {
	style, scripts := Asset("uplot.css")+Asset("base.css")+Asset("chart.css")+Asset("page.css"), []template.JS{}
	policy := "default-src 'none'; style-src " + hash(style) + "; img-src data:; base-uri 'none'; form-action 'none'; script-src"
	for _, name := range []string{"uplot.js", "chart.js", "page.js"} {
		script := Asset(name)
		scripts, policy = append(scripts, template.JS(script)), policy+" "+hash(script)
	}
	var text strings.Builder
	page := template.Must(shell.Clone()) // Sections could not clone shell once it has been executed
	if err := page.Execute(&text, struct {
		Page
		Policy  string
		Style   template.CSS
		Scripts []template.JS
	}{p, policy, template.CSS(style), scripts}); err != nil {
		return err
	}
	// Text, attributes and the data of charts contain names and remarks that come from files.
	_, err := io.WriteString(w, printable.Lines(text.String()))
	return err
}

// whole matches dates, and numbers with their units, which words keeps on one line.
var whole = regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}( \d{2}:\d{2})?\b|\d[\d.,]* (%|(s|min|h|d)\b)`)

// words returns text as HTML in which no line breaks within a date or between a number and its
// unit.
func words(text string) template.HTML {
	return template.HTML(whole.ReplaceAllString(template.HTMLEscapeString(printable.Text(text)), `<span class="whole">$0</span>`))
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
