package mapping

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	_ "time/tzdata" // zone names must mean the same on every machine

	"github.com/loadstone-hpc/loadstone/workload"
)

// decode reads a mapping. Errors are *InputError, with the line and the path of
// the value.
func decode(file string, data []byte) (*Mapping, error) {
	root, err := tree(file, data)
	if err != nil {
		return nil, err
	}
	if err := root.only("schema", "name", "title", "source", "tried", "time_zone", "header", "exactly", "fields", "separator", "join", "records", "columns", "left_out"); err != nil {
		return nil, err
	}
	if s := root.members["schema"]; s == nil || s.text != Schema {
		at, saw := root, "no schema"
		if s != nil {
			at, saw = s, s.says()
		}
		return nil, &workload.InputError{File: file, Line: at.line, Field: "schema", Saw: saw, Want: strconv.Quote(Schema)}
	}
	m := &Mapping{}
	for _, x := range []struct {
		key string
		to  *string
	}{{"name", &m.Name}, {"title", &m.Title}, {"source", &m.Source}, {"tried", &m.Tried}, {"time_zone", &m.Zone}, {"records", &m.Records}, {"separator", &m.Separator}} {
		if *x.to, err = root.string(x.key); err != nil {
			return nil, err
		}
	}
	if m.Zone != "" {
		if _, err := time.LoadLocation(m.Zone); err != nil || m.Zone == "Local" {
			return nil, root.members["time_zone"].fault(strconv.Quote(m.Zone), "a name such as Europe/Zurich")
		}
	}
	if m.Records != "" && records[m.Records] == nil {
		return nil, root.members["records"].fault(strconv.Quote(m.Records), "one of "+list(recordNames()))
	}
	if m.Exactly, err = root.strings("exactly"); err != nil {
		return nil, err
	}
	if m.Fields, err = root.strings("fields"); err != nil {
		return nil, err
	}
	if at := root.members["separator"]; at != nil && m.Fields == nil {
		return nil, at.fault(at.says(), "none without fields: the line of names shows it")
	}
	if err := m.decodeJoin(root); err != nil {
		return nil, err
	}
	if m.Header, err = root.pairs("header"); err != nil {
		return nil, err
	}
	if m.LeftOut, err = root.pairs("left_out"); err != nil {
		return nil, err
	}
	return m, m.decodeColumns(root)
}

// pairs reads an object of texts, in its order.
func (n *node) pairs(key string) ([][2]string, error) {
	m := n.members[key]
	if m == nil {
		return nil, nil
	}
	if m.kind != isObject {
		return nil, m.fault(m.says(), isObject)
	}
	var all [][2]string
	for _, k := range m.keys {
		text, err := m.string(k)
		if err != nil {
			return nil, err
		}
		all = append(all, [2]string{k, workload.OneLine(text)})
	}
	return all, nil
}

func (m *Mapping) decodeColumns(root *node) error {
	columns := root.members["columns"]
	if columns == nil {
		return &workload.InputError{File: root.file, Line: root.line, Field: "columns", Saw: "no such key", Want: "the columns of the job table and what they are made of"}
	}
	if columns.kind != isObject || len(columns.keys) == 0 {
		return columns.fault(columns.says(), "an object with a key for each column of the job table")
	}
	for _, key := range columns.keys {
		n := columns.members[key]
		t, ok := findTarget(key)
		if !ok {
			return n.fault("no column of the job table", "one of "+list(targetNames()))
		}
		e, err := decodeEntry(n, t)
		if err != nil {
			return err
		}
		m.entries = append(m.entries, *e)
	}
	if err := m.check(columns); err != nil {
		return err
	}
	return m.sort(columns)
}

func targetNames() []string {
	var names []string
	for t := range targets {
		names = append(names, t.String())
	}
	return names
}

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
	if err := n.only(append([]string{"column", "unit", "form", "round", "prefix", "decimal_comma", "key", "absent", "values", "unknown", "optional", "note"}, operators...)...); err != nil {
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
			return m.fault(fmt.Sprintf("%s beside %s", op, found), "one of them")
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
		return n.fault("neither column nor "+strings.Join(operators, ", "), "one of them")
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
	case formName, formRow, formStatus, formTimestamp, formExit, formWait:
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
		case e.target.float() || e.form == formName || e.form == formRow || e.form == formStatus:
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
		case isText:
		default:
			return item.fault(item.says(), "a text or a number that stands for unknown")
		}
		e.unknown = append(e.unknown, item.text)
	}
	return nil
}

// list is what a message says of several names.
func list[T ~string](names []T) string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = string(name)
	}
	return strings.Join(all, ", ")
}
