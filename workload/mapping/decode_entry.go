package mapping

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
	"github.com/loadstone-hpc/loadstone/workload/internal/parse"
)

// decodeEntry reads what stands for a column: the name of the file's column, or an
// object.
func decodeEntry(n *node, t target) (*entry, error) {
	e := &entry{target: t, path: n.path, line: n.line, form: t.forms()[0], scale: scale{1, 1}, absent: math.NaN()}
	if n.kind == isText && n.text != "" {
		e.operands = []operand{{columns: []string{n.text}}}
		return e, nil
	}
	if n.kind != isObject {
		return nil, n.fault(n.says(), "the name of a column, or an object")
	}
	if err := n.only(append([]string{"column", "value", "unit", "form", "round", "prefix", "decimal_comma", "key", "absent", "values", "unknown", "optional", "note"}, operators...)...); err != nil {
		return nil, err
	}
	for _, read := range []func(*node) error{e.decodeOperands, e.decodeForm, e.decodeUnit, e.decodeRest, e.decodeValues, e.decodeUnknown} {
		if err := read(n); err != nil {
			return nil, err
		}
	}
	return e, nil
}

func (e *entry) decodeOperands(n *node) error {
	columns, err := n.strings("column")
	if err != nil {
		return err
	}
	found := ""
	if at := n.members["value"]; at != nil {
		found = "value"
		var o operand
		if at.kind != isNumber {
			return at.fault(at.says(), "a number, for every row")
		}
		if o, err = decodeOperand(at); err != nil {
			return err
		}
		e.operands = []operand{o}
	}
	if found != "" && columns != nil {
		return n.members["column"].fault("column and also value", "one of them")
	}
	if columns != nil {
		found = "column"
		e.operands = []operand{{columns: columns}}
	}
	for _, op := range operators {
		m := n.members[op]
		if m == nil {
			continue
		}
		if found != "" {
			return m.fault(fmt.Sprintf("%s and also %s", op, found), "one of them")
		}
		found, e.operator = op, op
		if m.kind != isList || len(m.items) != 2 {
			return m.fault(m.says(), "a list of two: names of columns, numbers or {\"entry\": name}")
		}
		for _, item := range m.items {
			o, err := decodeOperand(item)
			if err != nil {
				return err
			}
			e.operands = append(e.operands, o)
		}
	}
	if found == "" {
		return n.fault("neither column, value nor "+strings.Join(operators, ", "), "one of them")
	}
	return nil
}

func decodeOperand(n *node) (o operand, err error) {
	switch n.kind {
	case isText:
		if n.text == "" {
			return o, n.fault(n.says(), "the name of a column")
		}
		o.columns = []string{n.text}
	case isNumber:
		if o.number, err = strconv.ParseFloat(n.text, 64); err != nil {
			return o, n.fault(n.text, workload.WantFinite)
		}
	case isObject:
		if err := n.only("entry"); err != nil {
			return o, err
		}
		if o.entry, err = n.string("entry"); err != nil {
			return o, err
		}
		if o.entry == "" {
			return o, n.fault("no entry", "the name of an entry of this mapping")
		}
	default:
		return o, n.fault(n.says(), "the name of a column, a number or {\"entry\": name}")
	}
	return o, nil
}

func (e *entry) decodeForm(n *node) error {
	text, err := n.string("form")
	if err != nil || text == "" {
		return err
	}
	forms := e.target.forms()
	if !slices.Contains(forms, form(text)) {
		return n.members["form"].fault(strconv.Quote(text), fmt.Sprintf("for %s %s", e.target, list(forms)))
	}
	e.form = form(text)
	return nil
}

func (e *entry) decodeUnit(n *node) error {
	text, err := n.string("unit")
	if err != nil || text == "" {
		return err
	}
	at := n.members["unit"]
	switch e.form {
	case formName, formRow, formID, formStatus, formTimestamp:
		return at.fault(strconv.Quote(text), fmt.Sprintf("no unit: the form %q has none", e.form))
	}
	s, ok := unitsOf[e.target.unit()][text]
	if !ok {
		return at.fault(strconv.Quote(text), fmt.Sprintf("for %s one of %s", e.target, list(unitNames(e.target.unit()))))
	}
	e.scale = s
	return nil
}

func (e *entry) decodeRest(n *node) (err error) {
	if e.round, err = n.string("round"); err != nil {
		return err
	}
	if at := n.members["round"]; at != nil {
		switch {
		case !slices.Contains([]string{"up", "down", "nearest"}, e.round):
			return at.fault(at.says(), "up, down or nearest")
		case e.target.float() || e.form == formName || e.form == formRow || e.form == formID || e.form == formStatus:
			return at.fault(at.says(), "no rounding: "+e.target.String()+" is no count")
		}
	}
	if e.prefix, err = n.string("prefix"); err != nil {
		return err
	}
	if at := n.members["prefix"]; at != nil && (e.form != formNumber || e.operator != "") {
		return at.fault(at.says(), "no prefix: it is for a column of the form \"number\"")
	}
	if e.comma, err = n.bool("decimal_comma"); err != nil {
		return err
	}
	if e.keys, err = n.strings("key"); err != nil {
		return err
	}
	switch at := n.members["key"]; {
	case at != nil && e.form != formTRES:
		return at.fault(at.says(), "no key: it is for the form \"tres\"")
	case at == nil && e.form == formTRES:
		return n.fault("the form \"tres\" without a key", "a key such as gres/gpu, or its number")
	}
	if at := n.members["absent"]; at != nil {
		if e.absent, err = strconv.ParseFloat(at.text, 64); at.kind != isNumber || err != nil || e.form != formTRES {
			return at.fault(at.says(), "a number, for the form \"tres\" alone")
		}
	}
	switch between := e.form == formTimestamp && !e.target.moment(); {
	case n.members["value"] != nil && !slices.Contains([]form{formNumber, formDuration}, e.form):
		return n.fault(fmt.Sprintf("a value of the form %q", e.form), "one of the form \"number\"")
	case between && (e.operator != "minus" || len(e.columns()) != 2):
		return n.fault("the form \"timestamp\" for a length of time", "one column minus another")
	case e.operator != "" && !between && !slices.Contains([]form{formNumber, formDuration, formMemory, formTRES}, e.form):
		return n.fault(fmt.Sprintf("an expression of the form %q", e.form), "one of numbers")
	}
	e.optional, err = n.bool("optional")
	return err
}

// statuses are the words for statuses in a mapping.
var statuses = map[string]int64{
	"failed": workload.StatusFailed, "completed": workload.StatusCompleted, "cancelled": workload.StatusCancelled,
	"partial": workload.StatusPartial, "last_completed": workload.StatusLastCompleted, "last_failed": workload.StatusLastFailed,
}

func (e *entry) decodeValues(n *node) error {
	m := n.members["values"]
	switch {
	case m == nil:
		return nil
	case m.kind != isObject:
		return m.fault(m.says(), isObject)
	case e.form != formStatus:
		return m.fault("names of values", "none: they are for a status")
	}
	e.values = map[string]int64{}
	for _, key := range m.keys {
		v := m.members[key]
		code, ok := statuses[v.text]
		switch {
		case v.kind == isNull:
			code = workload.Unknown
		case v.kind != isText || !ok:
			return v.fault(v.says(), "failed, completed, cancelled, partial, last_completed, last_failed or null")
		}
		e.values[key] = code
	}
	return nil
}

func (e *entry) decodeUnknown(n *node) error {
	m := n.members["unknown"]
	if m == nil {
		return nil
	}
	items := m.items
	if m.kind != isList {
		items = []*node{m}
	}
	for _, item := range items {
		switch item.kind {
		case isNumber:
			if x, err := strconv.ParseFloat(item.text, 64); err != nil || math.IsInf(x, 0) {
				return item.fault(item.text, workload.WantFinite)
			}
			fallthrough
		case isText:
			if x, want := parse.Number([]byte(item.text)); want == "" {
				e.none = append(e.none, x)
			}
		default:
			return item.fault(item.says(), "a text or a number that stands for unknown")
		}
		e.unknown = append(e.unknown, item.text)
	}
	return nil
}
