package reshape

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// condition parses a filter that is an expression over a job's fields, such as
//
//	user=3 and proc=1 and app=1
//	user=5 and (hour>=3 and hour<=3)
//	keep status=1,5 and not size=64..128
//
// It removes the jobs that match or, if it begins with "keep", those that do not. A
// comparison with an unknown value is false, even with "!="; "user=unknown" tests
// for unknown values. In the order of binding:
//
//	field = value, ...     also lo..hi among the values, and "unknown"
//	field != value, ...
//	field < <= > >= value
//	not CONDITION
//	CONDITION and CONDITION
//	CONDITION or CONDITION
//	(CONDITION)
//	keep CONDITION         only at the beginning
//
// Values that contain blanks or signs must be in single or double quotes. Fields are listed by
// Filters: every column of the job table (workload.Columns), by its name or one of its words, and
// fields derived from columns, such as hour.
//
// A job is also removed if "not" or "keep" turns a false comparison with an unknown value into
// a match: "keep status=1" leaves no job of unknown status.
func condition(text string) (Filter, error) {
	_, tidy, err := cut(text)
	if err != nil {
		return Filter{}, err
	}
	apply := func(log *workload.Log) (applied, error) {
		p := &conditionParser{log: log}
		if log != nil {
			p.clock, _ = log.Header.Clock()
		}
		keep, match, err := p.condition(tidy)
		return applied{func(j *workload.Job) string {
			if match(j) == keep {
				return ""
			}
			return p.reason(j)
		}, p.unknownName}, err
	}
	_, err = apply(nil)
	return Filter{tidy, apply}, err
}

// Tokens are quoted words, signs and other words. They are separated by blanks, as in
// unicode.IsSpace.
var (
	tokenForm = regexp.MustCompile(`'[^']*'|"[^"]*"|[!<>]=|[()=!<>,]|[^\s\v\x{85}\p{Z}()=!<>,'"]+`)
	signForm  = regexp.MustCompile(`^[()=!<>,]`)
)

// cut splits a condition into tokens, which keep their quotes. tidy is the condition on one line:
// blanks are unchanged within quotes, and single elsewhere.
func cut(text string) (tokens []string, tidy string, err error) {
	end := 0
	for _, at := range append(tokenForm.FindAllStringIndex(text, -1), []int{len(text), len(text)}) {
		between, token := text[end:at[0]], text[at[0]:at[1]]
		switch {
		case strings.TrimSpace(between) != "":
			return nil, "", fmt.Errorf("%s: the quote is not closed", strings.TrimSpace(text[end:]))
		case strings.ContainsFunc(token, unicode.IsControl):
			return nil, "", fmt.Errorf("%q: no name has a tab, a line's end or another control character in it", strings.Trim(token, `'"`))
		case token == "":
			return tokens, tidy, nil
		case between != "" && tidy != "":
			tidy += " "
		}
		tidy += token
		tokens, end = append(tokens, token), at[1]
	}
	return tokens, tidy, nil
}

// matcher reports whether a job meets a condition.
type matcher func(*workload.Job) bool

// conditionParser is a recursive-descent parser that makes the matcher of a condition for a log.
type conditionParser struct {
	log   *workload.Log // nil to check only what does not depend on a log
	clock workload.Clock
	names []wantedName

	tokens []string
	length int      // number of tokens in the condition
	used   []*field // fields of the condition, in order of appearance
	depth  int
}

// condition parses a whole condition.
func (p *conditionParser) condition(text string) (keep bool, match matcher, err error) {
	if p.tokens, _, err = cut(text); err != nil {
		return false, nil, err
	}
	p.length = len(p.tokens)
	if keep = p.accept("keep"); len(p.tokens) == 0 {
		return false, nil, errors.New("want a condition, such as user=3")
	}
	if match, err = p.or(); err == nil && len(p.tokens) > 0 {
		err = fmt.Errorf("%q: want \"and\", \"or\" or the end", p.tokens[0])
	}
	return keep, match, err
}

// reason returns the job's values of the fields in the condition.
func (p *conditionParser) reason(j *workload.Job) string {
	var parts []string
	for _, f := range p.used {
		parts = append(parts, f.names[0]+"="+f.text(f.value(j, p.clock)))
	}
	return strings.Join(parts, " ")
}

// accept takes the next token if it is the given word, and reports whether it is.
func (p *conditionParser) accept(word string) bool {
	found := len(p.tokens) > 0 && p.tokens[0] == word
	if found {
		p.tokens = p.tokens[1:]
	}
	return found
}

// take takes the next token and returns it without its quotes; "" at the end.
func (p *conditionParser) take() (text string, quoted bool) {
	if len(p.tokens) == 0 {
		return "", false
	}
	text, p.tokens = p.tokens[0], p.tokens[1:]
	if quoted = text[0] == '\'' || text[0] == '"'; quoted {
		text = text[1 : len(text)-1]
	}
	return text, quoted
}

func (p *conditionParser) or() (matcher, error) {
	a, err := p.and()
	if err != nil || !p.accept("or") {
		return a, err
	}
	b, err := p.or()
	return func(j *workload.Job) bool { return a(j) || b(j) }, err
}

func (p *conditionParser) and() (matcher, error) {
	a, err := p.unary()
	if err != nil || !p.accept("and") {
		return a, err
	}
	b, err := p.and()
	return func(j *workload.Job) bool { return a(j) && b(j) }, err
}

// maxDepth is the largest number of levels of a condition, each of which costs stack.
const maxDepth = 1000

func (p *conditionParser) unary() (matcher, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("more than %d levels of \"not\" and parentheses", maxDepth)
	}
	defer func() { p.depth-- }()
	switch {
	case p.accept("not"):
		a, err := p.unary()
		return func(j *workload.Job) bool { return !a(j) }, err
	case p.accept("("):
		a, err := p.or()
		if err == nil && !p.accept(")") {
			err = errors.New("a parenthesis is not closed")
		}
		return a, err
	}
	return p.comparison()
}

// unknownValue is the word for unknown values in a condition.
const unknownValue = "unknown"

// comparison parses "field op value". With = and != there may be several values, and ranges lo..hi.
// A name can be compared by = and != only.
func (p *conditionParser) comparison() (matcher, error) {
	first := len(p.tokens) == p.length
	name, quoted := p.take()
	f := findField(name)
	if f == nil || quoted {
		return nil, noField(name, quoted, first)
	}
	if !slices.Contains(p.used, f) {
		p.used = append(p.used, f)
	}
	op, _ := p.take()
	if !slices.Contains([]string{"=", "!=", "<", "<=", ">", ">="}, op) {
		return nil, fmt.Errorf("%s %q: want one of = != < <= > >=", name, op)
	}
	several, wantUnknown := op == "=" || op == "!=", false
	var ranges [][2]float64
	var names []string
	for more := true; more; more = p.accept(",") {
		v, quoted := p.take()
		lo, hi, isRange := strings.Cut(v, "..")
		if quoted || !isRange {
			lo, hi, isRange = v, v, false
		}
		from, err := f.parse(lo, p.clock)
		to, hiErr := f.parse(hi, p.clock)
		switch err = cmp.Or(err, hiErr); {
		case v == "" || !quoted && signForm.MatchString(v):
			return nil, fmt.Errorf("%s%s: a value is missing", name, op)
		case len(ranges) > 0 && !several:
			return nil, fmt.Errorf("%s%s: several values go with = and != only", name, op)
		case (isRange || lo == unknownValue) && !several:
			return nil, fmt.Errorf("%s%s%s: want one value", name, op, v)
		case lo == unknownValue:
			wantUnknown = true
		case err != nil && f.kind == nameField && several && !isRange:
			names = append(names, v)
		case err != nil && f.kind == nameField:
			return nil, fmt.Errorf("%s%s%s: want a number: a name can only be equal or not", name, op, v)
		case err != nil && (p.log != nil || f.kind != instantField): // the meaning of a date depends on the log
			return nil, err
		case err == nil && from > to:
			return nil, fmt.Errorf("%s: %s..%s: the first is above the second", f.names[0], lo, hi)
		default:
			ranges = append(ranges, [2]float64{from, to})
		}
	}
	for i := range ranges { // make the value of an inequality the range of all values below or above it
		r := &ranges[i]
		switch op {
		case "<":
			*r = [2]float64{math.Inf(-1), math.Nextafter(r[1], math.Inf(-1))}
		case "<=":
			r[0] = math.Inf(-1)
		case ">":
			*r = [2]float64{math.Nextafter(r[0], math.Inf(1)), math.Inf(1)}
		case ">=":
			r[1] = math.Inf(1)
		}
	}
	nameOf, err := p.namer(f, names)
	return func(j *workload.Job) bool {
		x := f.value(j, p.clock)
		if math.IsNaN(x) {
			return wantUnknown && op == "="
		}
		in := names != nil && slices.Contains(names, nameOf(int64(x)))
		for _, r := range ranges {
			in = in || r[0] <= x && x <= r[1]
		}
		return in != (op == "!=")
	}, err
}

// wantedName is a name in a condition.
type wantedName struct {
	field *field
	name  string
}

// unknownName returns the error for a name that is not in the log's header, or nil.
func (p *conditionParser) unknownName() error {
	for _, want := range p.names {
		field := want.field.names[0]
		if names := p.log.Header.NamesOf(field); !slices.Contains(slices.Collect(maps.Values(names)), want.name) {
			return fmt.Errorf("the log has no %s named %q; give a number instead", field, want.name)
		}
	}
	return nil
}

// namer returns the function for the name of a field's number in the log. If the header already has
// the names, the wanted ones are checked at once.
func (p *conditionParser) namer(f *field, wanted []string) (func(int64) string, error) {
	if len(wanted) == 0 || p.log == nil {
		return nil, nil
	}
	for _, name := range wanted {
		p.names = append(p.names, wantedName{f, name})
	}
	if grow := p.log.Names(); grow != nil { // the names are collected while the log is read
		return func(n int64) string {
			name, _ := grow.Text(f.column, n)
			return name
		}, nil
	}
	names := p.log.Header.NamesOf(f.names[0])
	return func(n int64) string { return names[n] }, p.unknownName()
}

// noField returns the error for a word that is not a field. Only the first word of a filter may be
// "duplicates".
func noField(name string, quoted, first bool) error {
	fields := fieldNames()
	list := strings.Join(fields, ", ")
	switch {
	case name == duplicatesOfAll && !quoted:
		return fmt.Errorf("%q: is a filter by name, not a field: want %s or %s by itself", name, duplicatesOfAll, duplicatesOfID)
	case first:
		return fmt.Errorf("%q: want %s, or a condition on the fields %s%s", name, duplicatesOfAll, list, words.Meant(name, append(fields, duplicatesOfAll)))
	}
	return fmt.Errorf("%q: want one of the fields %s%s", name, list, words.Meant(name, fields))
}
