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

// Asset returns a style sheet or a script that a report shares with other pages: base.css has
// colours in light and dark, type, tables, remarks, facts and the frames of figures; chart.css,
// uplot.css, uplot.js and chart.js draw charts.
func Asset(name string) string {
	text, err := assets.ReadFile("asset/" + name)
	if err != nil {
		panic("page: " + err.Error()) // embedded: there is always one
	}
	return string(text)
}

var shell = template.Must(template.New("page").Funcs(template.FuncMap{
	"chart": func(c []byte) template.JS { return template.JS(c) },
	"data": func(kind string, data []byte) template.URL {
		return template.URL("data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data))
	},
	"text":  printable.Text, // of names, which may hold a line end
	"words": words,
}).Parse(Asset("page.html")))

// Sections are the templates of a page's sections: those in the text, which may use the
// functions and, of this package, "table" of a Table, "figure" of a Figure and "file" of a
// File; "words" of a text keeps numbers and their units on a line.
func Sections(text string, functions ...template.FuncMap) *template.Template {
	all := template.Must(shell.Clone())
	for _, f := range functions {
		all.Funcs(f)
	}
	return template.Must(all.Parse(text))
}

// Body is what a template makes of the data.
func Body(t *template.Template, name string, data any) (template.HTML, error) {
	var text strings.Builder
	err := t.ExecuteTemplate(&text, name, data)
	return template.HTML(text.String()), err
}

// Write writes the page. Its content security policy allows what it has, by hashes, and nothing
// else.
func Write(w io.Writer, p Page) error {
	style, scripts := Asset("uplot.css")+Asset("base.css")+Asset("chart.css")+Asset("page.css"), []template.JS{}
	policy := "default-src 'none'; style-src " + hash(style) + "; img-src data:; base-uri 'none'; form-action 'none'; script-src"
	for _, name := range []string{"uplot.js", "chart.js", "page.js"} {
		script := Asset(name)
		scripts, policy = append(scripts, template.JS(script)), policy+" "+hash(script)
	}
	var text strings.Builder
	page := template.Must(shell.Clone()) // Sections cannot clone one that has been executed
	if err := page.Execute(&text, struct {
		Page
		Policy  string
		Style   template.CSS
		Scripts []template.JS
	}{p, policy, template.CSS(style), scripts}); err != nil {
		return err
	}
	// Names and remarks come from files, in words, attributes and charts' data.
	_, err := io.WriteString(w, printable.Lines(text.String()))
	return err
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
