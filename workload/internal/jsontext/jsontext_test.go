package jsontext_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/loadstone-hpc/loadstone/workload/internal/jsontext"
)

// valid reports whether a Scanner accepts a text as a single value.
func valid(text []byte) bool {
	var s jsontext.Scanner
	s.Reset(text, 0, true)
	s.Skip()
	return s.Fault() == nil && s.Blank()
}

// deep reports whether a text may be nested deeper than a Scanner allows.
func deep(text []byte) bool {
	return bytes.Count(text, []byte("["))+bytes.Count(text, []byte("{")) > jsontext.MaxDepth
}

// FuzzScanner compares the grammar and the strings with encoding/json.
func FuzzScanner(f *testing.F) {
	for _, text := range []string{
		``, `{}`, `[]`, `[1,-2.5e+7,0,-0,1E9,true,false,null,"a"]`, `{"a":{"b":[{},[]]},"c":""}`, `01`, `1.`, `-`, `+1`, `.5`, `1e`, `[1,]`, `[,1]`,
		`{"a":1,}`, `{"a"}`, `{"a":}`, `{a:1}`, `{"a":1 "b":2}`, `[1 2]`, `"\u00e9\ud83d\ude00\ud83d\n\/"`, `"\x"`, `"\u12g4"`, `"\ud83dx"`, "\"a\nb\"", `"a`, `"a\`,
		`[}`, `{]`, `nul`, `tru`, `truefalse`, `1 2`, "\xff", "\"\xff\"", " \t\r\n1 ", `Infinity`, `NaN`, strings.Repeat("[", 70), `"\ud800\u0041"`, `"\`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if deep(text) || bytes.Contains(text, []byte("Infinity")) || bytes.Contains(text, []byte("NaN")) {
			valid(text)
			return
		}
		if got, want := valid(text), json.Valid(text); got != want {
			t.Fatalf("%q: valid %v, encoding/json says %v", text, got, want)
		}
		var want string
		if json.Unmarshal(text, &want) != nil || !bytes.HasPrefix(bytes.TrimSpace(text), []byte{'"'}) {
			return
		}
		var s jsontext.Scanner
		s.Reset(text, 0, true)
		// encoding/json replaces invalid UTF-8.
		if got := strings.ToValidUTF8(string(s.String()), "\ufffd"); got != want && !strings.Contains(want, "\ufffd") {
			t.Fatalf("%q: string %q, encoding/json says %q", text, got, want)
		}
	})
}

// TestScannerFaults checks the position and the text of faults.
func TestScannerFaults(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": [1, 2}`:          `byte 11: saw "}", want a comma or ]`,
		`{"a": tru}`:            `byte 6: saw "tru}", want a value`,
		`{"a" 1}`:               `byte 5: saw "1}", want a colon`,
		`{"a": "b`:              `byte 8: saw the end of the text, want a closing quotation mark`,
		`{"a": 1`:               `byte 7: saw the end of the text, want a comma or }`,
		`{"a": "\q"}`:           `byte 6: saw "\"\\q\"}", want a string with no other escapes than \" \\ \/ \b \f \n \r \t, and \u with four hexadecimal digits`,
		"{\"a\": \"b\nc\"}":     `byte 8: saw "\nc\"}", want an escape such as \n instead of a control character`,
		strings.Repeat("[", 65): `byte 64: saw more than 64 nested arrays and objects, want fewer`,
		`[1, 00000000000000000000000000000000000000001]`: `byte 4: saw "000000000000000000000000"..., want a value`,
	} {
		var s jsontext.Scanner
		s.Reset([]byte(text), 0, true)
		s.Skip()
		if f := s.Fault(); f == nil || f.Error() != want {
			t.Errorf("%s: %v, want %s", text, f, want)
		}
	}
}

// cut reads a document in chunks of about size bytes, and returns the elements of "jobs" and the
// other members.
func cut(r io.Reader, size int) (elements, members []string, err error) {
	a := jsontext.NewArray(bufio.NewReader(r), "jobs", size)
	a.Member = func(key string, value []byte) { members = append(members, key+"="+string(value)) }
	for {
		c, err := a.Next()
		if err == io.EOF {
			return elements, members, nil
		}
		if err != nil {
			return elements, members, err
		}
		if int(c.Element) != len(elements) && c.Element != 0 {
			return nil, nil, errors.New("a chunk counts its elements wrongly")
		}
		var s jsontext.Scanner
		s.Reset(bytes.Clone(c.Text), '[', c.First)
		for !s.Blank() && s.Next() {
			elements = append(elements, string(s.Raw()))
		}
		if s.Fault() != nil {
			return elements, members, s.Fault()
		}
	}
}

// Without a key the document is an array or a sequence of objects.
func TestArrayWithoutKey(t *testing.T) {
	read := func(text string, size int) (all []string, err error) {
		a := jsontext.NewArray(bufio.NewReader(strings.NewReader(text)), "", size)
		for {
			c, err := a.Next()
			if err == io.EOF {
				return all, nil
			}
			if err != nil {
				return nil, err
			}
			var s jsontext.Scanner
			s.Reset(c.Text, c.Inside, c.First)
			for !s.Blank() && s.Next() && s.Kind() == '{' {
				all = append(all, string(s.Raw()))
			}
			if !s.Blank() {
				return nil, fmt.Errorf("%q is left", c.Text[s.Offset():])
			}
		}
	}
	for size := 1; size < 40; size++ {
		for _, text := range []string{"{\"a\": \"}\"}\n{\"b\": [1]}\n\n {}  {}\n", " [{\"a\": \"}\"},\n {\"b\": [1]}, {},{}]\n"} {
			all, err := read(text, size)
			if got := strings.Join(all, "|"); err != nil || got != `{"a": "}"}|{"b": [1]}|{}|{}` {
				t.Errorf("%q, chunks of %d: %s, %v", text, size, got, err)
			}
		}
	}
	for text, want := range map[string]string{
		`{} {"a": [`:   "byte 10: saw the end of the text, want the rest of the objects: it was cut short",
		`5`:            `byte 0: saw "5", want an array`,
		`{} ]`:         `byte 3: saw "]", want an object`,
		"{}\n5\n{}":    `byte 3: saw "5\n{}", want an object`,
		"{},\n{\"a\"}": `byte 2: saw ",\n{\"a\"}", want an object`,
	} {
		if _, err := read(text, 100); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// FuzzArray cuts a document into chunks of many sizes, from an input that arrives in many pieces,
// and checks that elements and faults are always the same and agree with encoding/json.
func FuzzArray(f *testing.F) {
	for _, text := range []string{
		`{"meta":{"a":[1]},"jobs":[{"a":"]}"},{"b":[{"c":"\"}"}]}],"errors":[]}`, `{"jobs":[]}`, `{"jobs":[{}]}{"jobs":[{}]}` + "\n", `{"jobs":null}`, `{}`,
		`{"jobs":[{},]}`, `{"jobs":[{}`, `{"jobs":[{}]`, `{"jobs":[{"a":"`, `{"jobs":[1,"a",[2],{}]}`, `{"jobs":[}]}`, `[{}]`, `{"jobs":[{}],"jobs":[{}]}`, `{"a":1`,
		"\xef\xbb\xbf{\"jobs\" : [ { } , { } ] }", `{"jobs":[{}]}x`, ``, ` `, `{"jobs":[{}{}]}`,
	} {
		f.Add([]byte(text), uint8(0))
		f.Add([]byte(text), uint8(7))
	}
	f.Fuzz(func(t *testing.T, text []byte, size uint8) {
		elements, members, err := cut(bytes.NewReader(text), 1<<20)
		parts, beside, partsErr := cut(iotest.OneByteReader(bytes.NewReader(text)), int(size)+1)
		if (err == nil) != (partsErr == nil) {
			t.Fatalf("error %v in one, %v in chunks of %d", err, partsErr, size)
		}
		if err != nil {
			return
		}
		if strings.Join(elements, "\x00") != strings.Join(parts, "\x00") || strings.Join(members, "\x00") != strings.Join(beside, "\x00") {
			t.Fatalf("%q %q in one, %q %q in chunks of %d", elements, members, parts, beside, size)
		}
		var want []string
		for d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")))); !deep(text); {
			var doc struct{ Jobs json.RawMessage }
			if err := d.Decode(&doc); err == io.EOF {
				break
			} else if err != nil {
				if !bytes.Contains(text, []byte("NaN")) && !bytes.Contains(text, []byte("Infinity")) {
					t.Fatalf("%q: no error, encoding/json says %v", text, err)
				}
				return
			}
			var jobs []json.RawMessage
			if json.Unmarshal(doc.Jobs, &jobs) != nil {
				return
			}
			for _, j := range jobs {
				want = append(want, string(j))
			}
		}
		if bytes.Count(bytes.ToLower(text), []byte(`jobs`)) == 1 && strings.Join(elements, "\x00") != strings.Join(want, "\x00") {
			t.Fatalf("%q: elements %q, encoding/json says %q", text, elements, want)
		}
	})
}

// TestArrayFaults checks the position and text of the error for invalid documents.
func TestArrayFaults(t *testing.T) {
	for text, want := range map[string]struct {
		line, offset int64
		words        string
	}{
		`{"jobs":[{"a":1},{"b"`:         {1, 21, `saw the end of the text, want the rest of "jobs": it was cut short`},
		"{\"meta\":{},\n\"nodes\":[]}":  {2, 22, `saw the end of the object, want an array "jobs"`},
		`{"jobs":[{}},{}]}`:             {1, 11, `saw "},{}]}", want a comma or ]`},
		`{"jobs":[{}]} x`:               {1, 14, `saw "x", want an object`},
		"{\"meta\":{},\n\"jobs\":null}": {2, 19, `saw "null", want an array "jobs"`},
		`[{"jobs":[]}]`:                 {1, 0, `saw "[{\"jobs\":[]}]", want an object`},
		"{\"jobs\":[\n{}\n],\n\"a\":x}": {4, 20, `saw "x}", want a value`},
	} {
		_, _, err := cut(strings.NewReader(text), 4)
		var f *jsontext.Fault
		if !errors.As(err, &f) || f.Line != want.line || int64(f.At) != want.offset || !strings.HasSuffix(f.Error(), want.words) {
			t.Errorf("%s: %v at %+v, want %+v", text, err, f, want)
		}
	}
}

// TestArrayPieces has pieces that end within a word or a number.
func TestArrayPieces(t *testing.T) {
	text := `{"jobs":[` + strings.Repeat(`{"a":true,"b":-1.5e-3},`, 9000) + `{}]}`
	if elements, _, err := cut(strings.NewReader(text), 10); err != nil || len(elements) != 9001 {
		t.Errorf("%d elements, %v", len(elements), err)
	}
}

// endless is a document that never ends: a prefix, followed by the same bytes repeated.
type endless struct {
	prefix, again string
	read          int
}

func (e *endless) Read(b []byte) (n int, err error) {
	for n < len(b) {
		switch at := e.read; {
		case at < len(e.prefix):
			b[n] = e.prefix[at]
		default:
			b[n] = e.again[(at-len(e.prefix))%len(e.again)]
		}
		n++
		e.read++
	}
	return n, nil
}

// TestArrayBounds reads endless documents in which no job ends, and checks that reading stops.
func TestArrayBounds(t *testing.T) {
	for name, c := range map[string]struct {
		in   endless
		want string
	}{
		"string":   {endless{prefix: `{"jobs":[{"a":"`, again: "x"}, "an element of more than 64 MiB"},
		"array":    {endless{prefix: `{"jobs":[`, again: "1,"}, `saw "1,1,1,1,1,1,1,1,1,1,1,1,"..., want an object`},
		"depth":    {endless{prefix: `{"jobs":[{"a":`, again: "["}, "more than 64 nested arrays and objects"},
		"member":   {endless{prefix: `{"nodes":[`, again: "{},"}, "more than 1 MiB outside \"jobs\""},
		"key":      {endless{prefix: `{"`, again: "a"}, "more than 1 MiB outside \"jobs\""},
		"elements": {endless{prefix: `{"jobs":[{}]`, again: ` `}, "more than 1 MiB outside \"jobs\""},
	} {
		_, _, err := cut(&c.in, 1<<20)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
		if c.in.read > 80<<20 {
			t.Errorf("%s: %d bytes were read", name, c.in.read)
		}
	}
}
