package reshape

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

// Condition is the filter of an expression over a job's fields, such as
//
//	user=3 and proc=1 and app=1
//	user=5 and (hour>=3 and hour<=3)
//	keep status=1,5 and not size=64..128
//
// It removes the jobs that match, or with "keep" in front those that do not. A
// comparison with an unknown value is false, also one with "!="; "user=unknown" tests
// for it.
//
// Jobs on which the words "not" and "keep" turn a false comparison with an
// unknown value into a match are removed: "keep status=1" leaves none of
// unknown status.
type Condition struct{ text string }

type matcher func(*workload.Job) bool

// logTerms is what the values of a condition mean in a log.
type logTerms struct {
	header workload.Header
	clock  workload.Clock
	names  *workload.Names // grow as the log is read; nil where the header has them all
	unmet  []func() error  // each returns the error for a name that the log does not have
}

// String returns the condition as it was written.
func (c *Condition) String() string { return c.text }

// Apply implements Filter. A name or a date that has no meaning in the log is an
// error.
func (c *Condition) Apply(h workload.Header, jobs workload.JobSeq, o *Outcome) workload.JobSeq {
	return func(yield func(workload.Job, error) bool) {
		clock, _ := h.Clock()
		p := conditionParser{terms: &logTerms{header: h, clock: clock, names: o.names}}
		keep, match, err := p.condition(c.text)
		if err != nil {
			yield(workload.Job{}, fmt.Errorf("filter %q: %w", c.text, err))
			return
		}
		for j, err := range jobs {
			if err == nil && match(&j) != keep {
				o.Remove(&j, reason(&j, p.used, clock))
				continue
			}
			if !yield(j, err) || err != nil {
				return
			}
		}
		for _, fault := range p.terms.unmet {
			if err := fault(); err != nil {
				yield(workload.Job{}, fmt.Errorf("filter %q: %w", c.text, err))
				return
			}
		}
	}
}

// reason is the job's values of the fields that a condition looks at.
func reason(j *workload.Job, used []*field, clock workload.Clock) string {
	var parts []string
	for _, f := range used {
		parts = append(parts, f.names[0]+"="+f.text(f.value(j, clock)))
	}
	return strings.Join(parts, " ")
}

// unknownValue is how a condition asks for what is unknown.
const unknownValue = "unknown"

// ParseCondition reads a Condition. In the order of binding:
//
//	field = value, ...     also lo..hi among the values, and "unknown"
//	field != value, ...
//	field < <= > >= value
//	not CONDITION
//	CONDITION and CONDITION
//	CONDITION or CONDITION
//	(CONDITION)
//	keep CONDITION         in front of all
//
// Values with blanks or signs in them stand in single or double quotes. Fields
// are listed by Filters: every column of the job table (workload.Columns), by its name or
// one of its words, and what derives from columns, such as hour.
func ParseCondition(text string) (*Condition, error) {
	_, tidy, err := cut(text)
	if err != nil {
		return nil, err
	}
	_, _, err = new(conditionParser).condition(tidy)
	return &Condition{tidy}, err
}

// token is a word, a quoted word, or a sign.
type token struct {
	text   string
	quoted bool
}

const signs = "()=!<>,"

// cut divides a condition into tokens. tidy is the condition on one line: blanks are
// as they were in quotes, and one elsewhere.
func cut(text string) (tokens []token, tidy string, err error) {
	var line strings.Builder
	for rest := strings.TrimSpace(text); rest != ""; {
		n, quoted := 1, false
		switch c := rest[0]; {
		case c == '\'' || c == '"':
			if n = strings.IndexByte(rest[1:], c) + 2; n < 2 {
				return nil, "", fmt.Errorf("%s: the quote is not closed", rest)
			}
			if quoted = true; strings.ContainsFunc(rest[:n], unicode.IsControl) {
				return nil, "", fmt.Errorf("%q: no name has a tab, a line's end or another control character in it", rest[1:n-1])
			}
		case strings.IndexByte("!<>", c) >= 0 && strings.HasPrefix(rest[1:], "="):
			n = 2
		case strings.IndexByte(signs, c) < 0:
			ends := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(signs+`'"`, r) }
			if n = strings.IndexFunc(rest, ends); n < 0 {
				n = len(rest)
			}
		}
		t := token{rest[:n], quoted}
		line.WriteString(t.text)
		if quoted {
			t.text = rest[1 : n-1]
		}
		tokens = append(tokens, t)
		after := strings.TrimLeftFunc(rest[n:], unicode.IsSpace)
		if after != "" && len(after) < len(rest)-n {
			line.WriteByte(' ')
		}
		rest = after
	}
	return tokens, line.String(), nil
}

// conditionParser is a parser by recursive descent, which makes a condition in the terms of
// a log. Depth is bounded, because each level costs stack.
type conditionParser struct {
	terms  *logTerms // nil to check what needs no log
	tokens []token
	length int      // of the condition, in tokens
	used   []*field // in order of appearance
	depth  int
}

// condition reads all of a condition.
func (p *conditionParser) condition(text string) (keep bool, match matcher, err error) {
	if p.tokens, _, err = cut(text); err != nil {
		return false, nil, err
	}
	p.length = len(p.tokens)
	if keep = p.accept("keep"); len(p.tokens) == 0 {
		return false, nil, errors.New("want a condition, such as user=3")
	}
	if match, err = p.or(); err == nil && len(p.tokens) > 0 {
		err = fmt.Errorf("%q: want \"and\", \"or\" or the end", p.tokens[0].text)
	}
	return keep, match, err
}

const maxDepth = 1000

// accept takes the next token if it is that word.
func (p *conditionParser) accept(word string) bool {
	if len(p.tokens) == 0 || p.tokens[0] != (token{text: word}) {
		return false
	}
	p.tokens = p.tokens[1:]
	return true
}

// take takes the next token, "" at the end.
func (p *conditionParser) take() (t token) {
	if len(p.tokens) > 0 {
		t, p.tokens = p.tokens[0], p.tokens[1:]
	}
	return t
}

func (p *conditionParser) or() (matcher, error) {
	return p.joined("or", p.and, func(a, b matcher) matcher {
		return func(j *workload.Job) bool { return a(j) || b(j) }
	})
}

func (p *conditionParser) and() (matcher, error) {
	return p.joined("and", p.unary, func(a, b matcher) matcher {
		return func(j *workload.Job) bool { return a(j) && b(j) }
	})
}

// joined reads parts with a word between them.
func (p *conditionParser) joined(word string, part func() (matcher, error), join func(a, b matcher) matcher) (matcher, error) {
	all, err := part()
	for err == nil && p.accept(word) {
		var next matcher
		next, err = part()
		all = join(all, next)
	}
	return all, err
}

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

// span is a range of values. The number of a name that has not been met so far is NaN, which
// no comparison holds for.
type span struct {
	lo, hi float64
	name   string
}

// comparison reads "field op value". For = and != there may be several values, and ranges
// lo..hi.
func (p *conditionParser) comparison() (matcher, error) {
	first := len(p.tokens) == p.length
	name := p.take()
	f := findField(name.text)
	if f == nil || name.quoted {
		return nil, noField(name, first)
	}
	if !slices.Contains(p.used, f) {
		p.used = append(p.used, f)
	}
	op := p.take().text
	if !slices.Contains([]string{"=", "!=", "<", "<=", ">", ">="}, op) {
		return nil, fmt.Errorf("%s %q: want one of = != < <= > >=", name.text, op)
	}
	several, wantUnknown := op == "=" || op == "!=", false
	var spans []span
	for {
		v := p.take()
		lo, hi, isRange := strings.Cut(v.text, "..")
		if v.quoted || !isRange {
			lo, hi, isRange = v.text, v.text, false
		}
		switch {
		case v.text == "" || !v.quoted && strings.ContainsAny(v.text, signs):
			return nil, fmt.Errorf("%s%s: a value is missing", name.text, op)
		case (isRange || lo == unknownValue) && !several:
			return nil, fmt.Errorf("%s%s%s: want one value", name.text, op, v.text)
		case lo == unknownValue:
			wantUnknown = true
		default:
			s, err := p.span(f, lo, hi, several && !isRange)
			if err != nil {
				return nil, err
			}
			spans = append(spans, s)
		}
		if !p.accept(",") {
			break
		}
		if !several {
			return nil, fmt.Errorf("%s%s: several values go with = and != only", name.text, op)
		}
	}
	return p.matcher(f, op, spans, wantUnknown), nil
}

// span reads a value, or a range. A name alone may be one that a log brings later, if it is
// only to be equal or not.
func (p *conditionParser) span(f *field, lo, hi string, equal bool) (s span, err error) {
	if p.terms == nil && (f.kind == nameField || f.kind == instantField) {
		return s, nil // only the log knows whether they have a meaning
	}
	terms := p.terms
	if terms == nil {
		terms = &logTerms{}
	}
	if _, err := strconv.ParseInt(lo, 10, 64); err != nil && f.kind == nameField && terms.names != nil && equal {
		return span{math.NaN(), math.NaN(), lo}, nil
	}
	if s.lo, err = f.parse(lo, terms); err != nil {
		return s, err
	}
	if s.hi, err = f.parse(hi, terms); err != nil {
		return s, err
	}
	if s.lo > s.hi {
		return s, fmt.Errorf("%s: %s..%s: the first is above the second", f.names[0], lo, hi)
	}
	return s, nil
}

// matcher compares a field with values.
func (p *conditionParser) matcher(f *field, op string, spans []span, wantUnknown bool) matcher {
	terms := p.terms
	if terms == nil {
		return nil
	}
	// find looks for the number of a name, which the log has before the first job that bears it.
	find := func(s *span) bool {
		number, ok := terms.names.Find(f.column, s.name)
		if ok {
			*s = span{float64(number), float64(number), ""}
		}
		return ok
	}
	for i := range spans {
		if s := &spans[i]; s.name != "" {
			terms.unmet = append(terms.unmet, func() error {
				if s.name == "" || find(s) {
					return nil
				}
				return f.noSuchName(s.name)
			})
		}
	}
	return func(j *workload.Job) bool {
		x := f.value(j, terms.clock)
		if math.IsNaN(x) {
			return wantUnknown && op == "="
		}
		in := false
		for i := range spans {
			s := &spans[i]
			if s.name != "" {
				find(s)
			}
			switch op {
			case "<":
				in = x < s.lo
			case "<=":
				in = x <= s.lo
			case ">":
				in = x > s.lo
			case ">=":
				in = x >= s.lo
			default:
				in = in || s.lo <= x && x <= s.hi
			}
		}
		return in != (op == "!=")
	}
}

// noField is the error of a word that is no field. Only the first word of a filter may name
// one of the filters.
func noField(name token, first bool) error {
	filters, fields := filterNames(), fieldNames()
	list := strings.Join(fields, ", ")
	switch {
	case slices.Contains(filters, name.text) && !name.quoted:
		return fmt.Errorf("%q: is a filter by name, not a field: want it by itself, without \"keep\", and its parameters in parentheses, as in flurries(jobs=50)", name.text)
	case first:
		return fmt.Errorf("%q: want one of the filters %s; or a condition on the fields %s%s", name.text, strings.Join(filters, ", "), list, words.Meant(name.text, append(filters, fields...)))
	}
	return fmt.Errorf("%q: want one of the fields %s%s", name.text, list, words.Meant(name.text, fields))
}
