package reshape

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/loadstone-hpc/loadstone/internal/words"
	"github.com/loadstone-hpc/loadstone/workload"
)

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
	tokens, text, err := cut(text)
	if err != nil {
		return nil, err
	}
	c := &Condition{text: text}
	p := &conditionParser{tokens: tokens, length: len(tokens), c: c}
	if c.keep = p.accept("keep"); len(p.tokens) == 0 {
		return nil, errors.New("want a condition, such as user=3")
	}
	if c.root, err = p.or(); err != nil {
		return nil, err
	}
	if len(p.tokens) > 0 {
		return nil, fmt.Errorf("%q: want \"and\", \"or\" or the end", p.tokens[0].text)
	}
	return c, nil
}

// token is a word, a quoted word, or a sign.
type token struct {
	text   string
	quoted bool
}

// cut takes a condition apart. tidy is the condition on one line: blanks are
// as they were in quotes, and one elsewhere.
func cut(text string) (ts []token, tidy string, err error) {
	const signs = "()=!<>,"
	var line strings.Builder
	for rest := strings.TrimSpace(text); rest != ""; {
		var t token
		n := 1 // bytes of rest that the token is
		switch c := rest[0]; {
		case c == '\'' || c == '"':
			end := strings.IndexByte(rest[1:], c)
			if end < 0 {
				return nil, "", fmt.Errorf("%s: the quote is not closed", rest)
			}
			t, n = token{rest[1 : 1+end], true}, end+2
			if strings.ContainsFunc(t.text, unicode.IsControl) {
				return nil, "", fmt.Errorf("%q: no name has a tab, a line's end or another control character in it", t.text)
			}
		case strings.IndexByte("!<>", c) >= 0 && strings.HasPrefix(rest[1:], "="):
			n = 2
			t.text = rest[:n]
		case strings.IndexByte(signs, c) >= 0:
			t.text = rest[:n]
		default:
			if n = strings.IndexFunc(rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(signs+"'\"", r) }); n < 0 {
				n = len(rest)
			}
			t.text = rest[:n]
		}
		ts = append(ts, t)
		line.WriteString(rest[:n])
		after := strings.TrimLeftFunc(rest[n:], unicode.IsSpace)
		if after != "" && len(after) < len(rest)-n {
			line.WriteByte(' ')
		}
		rest = after
	}
	return ts, line.String(), nil
}

// conditionParser is a parser by recursive descent. Depth is bounded, because
// each level costs stack.
type conditionParser struct {
	tokens []token
	length int // of the condition, in tokens
	c      *Condition
	depth  int
}

const maxDepth = 1000

// accept takes the next token if it is that word.
func (p *conditionParser) accept(words ...string) bool {
	if len(p.tokens) == 0 || p.tokens[0].quoted || !slices.Contains(words, p.tokens[0].text) {
		return false
	}
	p.tokens = p.tokens[1:]
	return true
}

// take takes the next token, "" at the end.
func (p *conditionParser) take() token {
	if len(p.tokens) == 0 {
		return token{}
	}
	t := p.tokens[0]
	p.tokens = p.tokens[1:]
	return t
}

func (p *conditionParser) or() (node, error) {
	a, err := p.and()
	for err == nil && p.accept("or") {
		var b node
		b, err = p.and()
		a = either{a, b}
	}
	return a, err
}

func (p *conditionParser) and() (node, error) {
	a, err := p.unary()
	for err == nil && p.accept("and") {
		var b node
		b, err = p.unary()
		a = both{a, b}
	}
	return a, err
}

func (p *conditionParser) unary() (node, error) {
	if p.depth++; p.depth > maxDepth {
		return nil, fmt.Errorf("more than %d levels of \"not\" and parentheses", maxDepth)
	}
	defer func() { p.depth-- }()
	switch {
	case p.accept("not"):
		a, err := p.unary()
		return negation{a}, err
	case p.accept("("):
		a, err := p.or()
		if err == nil && !p.accept(")") {
			err = errors.New("a parenthesis is not closed")
		}
		return a, err
	}
	return p.comparison()
}

func (p *conditionParser) comparison() (node, error) {
	first := len(p.tokens) == p.length
	name := p.take()
	f := findField(name.text)
	if f == nil || name.quoted {
		return nil, p.noField(name, first)
	}
	if !slices.Contains(p.c.used, f) {
		p.c.used = append(p.c.used, f)
	}
	n := comparison{field: f, op: p.take().text}
	if !slices.Contains([]string{"=", "!=", "<", "<=", ">", ">="}, n.op) {
		return nil, fmt.Errorf("%s %q: want one of = != < <= > >=", name.text, n.op)
	}
	for {
		v := p.take()
		lo, hi, isRange := strings.Cut(v.text, "..")
		if v.quoted || !isRange {
			lo, hi = v.text, v.text
		}
		if v.text == "" || !v.quoted && strings.ContainsAny(v.text, "()=!<>,") {
			return nil, fmt.Errorf("%s%s: a value is missing", name.text, n.op)
		}
		if (isRange || lo == unknownValue) && n.op != "=" && n.op != "!=" {
			return nil, fmt.Errorf("%s%s%s: want one value", name.text, n.op, v.text)
		}
		n.values = append(n.values, [2]string{lo, hi})
		if !p.accept(",") {
			break
		}
		if n.op != "=" && n.op != "!=" {
			return nil, fmt.Errorf("%s%s: several values go with = and != only", name.text, n.op)
		}
	}
	return n, n.check()
}

// noField is the error of a word that is no field. Only the first word of a filter may name
// one of the filters.
func (p *conditionParser) noField(name token, first bool) error {
	filters, fields := filterNames(), strings.Join(fieldNames(), ", ")
	switch {
	case first:
		return fmt.Errorf("%q: want one of the filters %s; or a condition on the fields %s%s", name.text, strings.Join(filters, ", "), fields, words.Meant(name.text, append(filters, fieldNames()...)))
	case slices.Contains(filters, name.text) && !name.quoted:
		return fmt.Errorf("%q: is a filter by name, not a field, and cannot be part of a condition or come after \"keep\": want it as a separate filter, without \"keep\"", name.text)
	}
	return fmt.Errorf("%q: want one of the fields %s%s", name.text, fields, words.Meant(name.text, fieldNames()))
}

// check finds the faults that do not need the log: values that no log could
// give a meaning.
func (n comparison) check() error {
	f := n.field
	if f.kind == nameField || f.kind == instantField {
		return nil
	}
	_, err := n.bind(scaleOf(workload.Header{}))
	return err
}
