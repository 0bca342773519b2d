package view

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"strings"
	"text/template"

	"github.com/loadstone-hpc/loadstone/internal/printable"
	"github.com/loadstone-hpc/loadstone/internal/words"
)

// Prose is what people read around tables: templates, each of the name of its file. Numbers
// in them are written by the functions of package
type Prose struct{ files *template.Template }

// NewProse reads the templates of a folder.
func NewProse(files fs.FS, pattern string) Prose {
	return Prose{template.Must(template.New("").Funcs(written).ParseFS(files, pattern))}
}

// Text is what a template says of a result.
func (p Prose) Text(name string, result any) string {
	var text strings.Builder
	if err := p.files.ExecuteTemplate(&text, name, result); err != nil {
		panic(err) // the template is at fault, whatever the result
	}
	return text.String()
}

var written = template.FuncMap{
	"sig":      number(Sig[float64]),
	"share":    number(func(x float64) string { return Percent(100 * x) }),
	"duration": number(Duration[float64]),
	"span":     number(Span[float64]),
	"fixed":    func(decimals int, x reflect.Value) string { return Fixed(x.Float(), decimals) },
	"known":    func(x reflect.Value) bool { return Known(x.Float()) },
	"count": func(what string, n reflect.Value) string {
		return words.Counted(n.Convert(reflect.TypeFor[int64]()).Int(), what)
	},
	"wait":  number(Wait[float64]),
	"level": number(Level[float64]),
	"list":  func(all []int64) string { return strings.Trim(strings.ReplaceAll(fmt.Sprint(all), " ", ", "), "[]") },
	"base":  filepath.Base,
	"line":  func(text string) string { return printable.Text(strings.ReplaceAll(text, "\n", " ")) },
	"wrap":  Wrap,
	"join":  strings.Join,
	"shell": func(word string) string { return ShellWord(printable.Text(word)) },
}

func number(write func(float64) string) func(reflect.Value) string {
	return func(x reflect.Value) string { return write(x.Float()) }
}

// Wrap breaks a text at blanks into lines of some width, all but the first indented by so
// many letters. The first begins with the label.
func Wrap(width, indent int, label, text string) string {
	lines := []string{label}
	margin := strings.Repeat(" ", indent)
	for _, word := range strings.Fields(text) {
		last := &lines[len(lines)-1]
		switch {
		case strings.HasSuffix(*last, " "):
			*last += word
		case len(*last)+1+len(word) > width:
			lines = append(lines, margin+word)
		default:
			*last += " " + word
		}
	}
	return strings.Join(lines, "\n")
}

// ShellWord quotes a word for a shell where that is needed.
func ShellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:%@") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
