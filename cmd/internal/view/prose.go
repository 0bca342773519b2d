package view

import (
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"text/template"
	"text/template/parse"

	"github.com/loadstone-hpc/loadstone/internal/printable"
	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Prose holds the templates of the text of results. They can use the Functions,
//
//	table LIST [CLOCK]   the People of a list of rows, whose methods choose its columns
//	rows NAME VALUE      the table that template NAME writes: lines of cells separated by |,
//	                     beginning with the headings
//	text NAME VALUE      the text that template NAME writes
//
// and listFunctions: these select fields or methods of a list's elements, which are structs, by
// name.
//
// Each value that templates print is escaped, so that a name from a file cannot begin a line
// or control a terminal.
//
// The templates are parsed when the first one is executed: a command that fails or prints no
// result needs none.
type Prose struct{ files func() *template.Template }

// NewProse returns the templates in the files that match pattern. They can also use the functions
// in more.
func NewProse(files fs.FS, pattern string, more template.FuncMap) Prose {
	var p Prose
	p.files = sync.OnceValue(func() *template.Template {
		all := template.New("").Funcs(Functions).Funcs(listFunctions).Funcs(more)
		all.Funcs(template.FuncMap{"table": p.table, "rows": p.rows, "text": func(name string, value any) paragraph { return paragraph(p.write(name, value)) }, "shown": shown})
		template.Must(all.ParseFS(files, pattern))
		for _, t := range all.Templates() {
			if t.Tree != nil {
				prepare(t.Tree.Root)
			}
		}
		return all
	})
	return p
}

// cellEnd replaces the | between cells: a character that does not occur in text.
const cellEnd = "\x1f"

// prepare passes every value that a template prints through shown, and replaces | in its text by
// cellEnd.
func prepare(node parse.Node) {
	branch := func(b *parse.BranchNode) {
		prepare(b.List)
		prepare(b.ElseList)
	}
	switch n := node.(type) {
	case *parse.ListNode:
		if n == nil {
			return
		}
		for _, inner := range n.Nodes {
			prepare(inner)
		}
	case *parse.IfNode:
		branch(&n.BranchNode)
	case *parse.RangeNode:
		branch(&n.BranchNode)
	case *parse.WithNode:
		branch(&n.BranchNode)
	case *parse.TextNode:
		n.Text = bytes.ReplaceAll(n.Text, []byte("|"), []byte(cellEnd))
	case *parse.ActionNode:
		if len(n.Pipe.Decl) == 0 {
			name := parse.NewIdentifier("shown").SetPos(n.Pos)
			n.Pipe.Cmds = append(n.Pipe.Cmds, &parse.CommandNode{NodeType: parse.NodeCommand, Pos: n.Pos, Args: []parse.Node{name}})
		}
	}
}

// paragraph is text of several lines that is already escaped.
type paragraph string

// shown returns a value as a template prints it: tables with marks, by which blocks finds them, and
// other values escaped on one line.
func shown(x any) string {
	switch x := x.(type) {
	case paragraph:
		return string(x)
	case Table:
		return x.marked()
	case *People:
		return x.marked()
	}
	if v := reflect.ValueOf(x); v.Kind() == reflect.Pointer {
		x = reflect.Indirect(v)
	}
	return printable.Text(strings.ReplaceAll(fmt.Sprint(x), "\n", " "))
}

// Result returns a result whose text for people is the output of the named template for data. Its
// CSV has the rows of lists.
func (p Prose) Result(name string, data, json any, lists ...any) Result {
	return Result{Text: func() string { return p.write(name, data) }, JSON: json, CSV: CSV(lists...)}
}

// Table returns the table that a template writes for a result. The template must begin with it.
func (p Prose) Table(name string, result any) Table { return blocks(p.write(name, result))[0].Table }

// Text returns the output of a template for a result.
func (p Prose) Text(name string, result any) string { return textOf(blocks(p.write(name, result))) }

func (p Prose) write(name string, result any) string {
	var text strings.Builder
	if err := p.files().ExecuteTemplate(&text, name, result); err != nil {
		panic(err) // the template is wrong
	}
	return text.String()
}

func (p Prose) table(list any, clock ...workload.Clock) *People {
	people := For(list, clock...)
	people.prose = p
	return people
}

func (p Prose) rows(name string, value any) *People {
	people := People{width: MostColumns}
	for line := range strings.Lines(p.write(name, value)) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		cells := strings.Split(line, cellEnd)
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if people.columns == nil {
			for _, heading := range cells {
				people.columns = append(people.columns, column{heading: heading})
			}
			continue
		}
		for i := range people.columns {
			people.columns[i].cells = append(people.columns[i].cells, cells[i])
		}
	}
	return &people
}

// numbers are functions that format a number for people, by the verbs of fields (see texts).
// Templates have them too.
var numbers = map[string]func(float64) string{
	"sig":      Sig[float64],
	"full":     Full[float64],
	"percent":  Percent[float64],
	"share":    func(x float64) string { return Percent(100 * x) },
	"duration": Duration[float64],
	"span":     Span[float64],
	"wait":     Wait[float64],
	"level":    Level[float64],
	"hours":    func(x float64) string { return Fixed(x/3600, 1) },
}

// Functions are the functions of all templates: those in numbers, which take numbers of any type,
// and these.
var Functions = withNumbers(template.FuncMap{
	"fixed":    func(decimals int, x reflect.Value) string { return Fixed(float(x), decimals) },
	"signed":   func(decimals int, x reflect.Value) string { return fmt.Sprintf("%+.*f", decimals, float(x)) },
	"known":    func(x reflect.Value) bool { return Known(float(x)) },
	"count":    func(n reflect.Value, noun string) string { return words.Counted(int64(float(n)), noun) },
	"grouped":  func(n reflect.Value) string { return Grouped(int64(float(n))) },
	"sub":      func(a, b reflect.Value) float64 { return float(a) - float(b) },
	"sum":      func(a, b reflect.Value) float64 { return float(a) + float(b) },
	"mul":      func(a, b reflect.Value) float64 { return float(a) * float(b) },
	"div":      func(a, b reflect.Value) float64 { return float(a) / float(b) },
	"same":     same,
	"contains": func(part, text string) bool { return strings.Contains(text, part) },
	"fromto":   Range,
	"base":     filepath.Base,
	"wrap": func(width, indent int, label string, text any) paragraph {
		return paragraph(Wrap(width, indent, label, fmt.Sprint(text)))
	},
	"shell": func(word string) string { return ShellWord(printable.Text(word)) },
})

func withNumbers(functions template.FuncMap) template.FuncMap {
	for name, write := range numbers {
		functions[name] = func(x reflect.Value) string { return write(float(x)) }
	}
	return functions
}

// innermost returns the value to which pointers and interfaces lead.
func innermost(v reflect.Value) reflect.Value {
	for v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}

// same reports whether two values, or the values they point to, are formatted alike.
func same(a, b reflect.Value) bool {
	return fmt.Sprint(innermost(a)) == fmt.Sprint(innermost(b))
}

// float converts a number of any type; NaN if it is unknown or not a number.
func float(v reflect.Value) float64 {
	switch v = innermost(v); {
	case v.CanFloat():
		return v.Float()
	case v.CanUint():
		return float64(v.Uint())
	case v.CanInt():
		if n, ok := v.Interface().(interface{ Known() bool }); !ok || n.Known() {
			return float64(v.Int())
		}
	}
	return math.NaN()
}

// Wrap breaks a text at blanks into lines of at most width characters. The first line begins with
// the label; the others are indented by indent blanks.
func Wrap(width, indent int, label, text string) string {
	lines := []string{label}
	margin := strings.Repeat(" ", indent)
	for _, word := range strings.Fields(text) {
		word = printable.Text(word)
		last := &lines[len(lines)-1]
		switch {
		case *last == "" || strings.HasSuffix(*last, " "):
			*last += word
		case len(*last)+1+len(word) > width:
			lines = append(lines, margin+word)
		default:
			*last += " " + word
		}
	}
	return strings.Join(lines, "\n")
}

// ShellWord quotes a word for a shell if necessary.
func ShellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:%@") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
