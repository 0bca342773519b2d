package watch

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// What Slurm says of its nodes, partitions and reservations comes as the lines of
// scontrol --oneliner, "NodeName=n1 CPUTot=64 State=IDLE+DRAIN ...", or as the JSON of
// slurmrestd.

// maxMachineLine bounds a line of scontrol: a node has some hundred bytes.
const maxMachineLine = 1 << 20

// machineRead reads either form: lines that begin with a key, or the list of a JSON
// document by its member.
func machineRead(r io.Reader, what, key, member string, line func(fields map[string]string) error, object func(o jsonObject) error) error {
	b := bufio.NewReader(r)
	for {
		c, err := b.ReadByte()
		if err == io.EOF {
			return fmt.Errorf("%s: no output", what)
		}
		if err != nil {
			return err
		}
		if c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			b.UnreadByte()
			if c == '{' {
				return readObjects(b, what, member, object)
			}
			return readLines(b, what, key, line)
		}
	}
}

// readLines reads the lines of scontrol.
func readLines(r io.Reader, what, key string, take func(map[string]string) error) error {
	s := bufio.NewScanner(r)
	s.Buffer(nil, maxMachineLine)
	for n := 1; s.Scan(); n++ {
		text := strings.TrimSpace(s.Text())
		if text == "" || strings.HasPrefix(text, "No ") && strings.HasSuffix(text, "in the system") {
			continue
		}
		if !strings.HasPrefix(text, key+"=") {
			return fmt.Errorf("%s: line %d begins with %q, want %s=", what, n, cutName(oneLine([]byte(cutName(text)))), key)
		}
		fields := map[string]string{}
		for _, pair := range strings.Fields(text) {
			if k, v, ok := strings.Cut(pair, "="); ok {
				if _, has := fields[k]; !has {
					fields[k] = v
				}
			}
		}
		if err := take(fields); err != nil {
			return fmt.Errorf("%s: line %d: %w", what, n, err)
		}
	}
	if errors.Is(s.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("%s: a line of more than %d bytes", what, maxMachineLine)
	}
	return s.Err()
}

// jsonObject is the members of an object.
type jsonObject map[string]json.RawMessage

// readObjects reads a list of objects one by one.
func readObjects(r io.Reader, what, member string, take func(jsonObject) error) error {
	d := json.NewDecoder(r)
	fault := func(err error) error {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return fmt.Errorf("%s: JSON: %w", what, err)
	}
	if _, err := d.Token(); err != nil {
		return fault(err)
	}
	found := false
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return fault(err)
		}
		if key != member {
			var skip json.RawMessage
			if err := d.Decode(&skip); err != nil {
				return fault(err)
			}
			continue
		}
		found = true
		open, err := d.Token()
		if err != nil {
			return fault(err)
		}
		if open == nil { // null
			continue
		}
		if open != json.Delim('[') {
			return fmt.Errorf("%s: JSON: %s is not an array", what, member)
		}
		for n := 0; d.More(); n++ {
			var o jsonObject
			if err := d.Decode(&o); err != nil {
				return fault(err)
			}
			if err := take(o); err != nil {
				return fmt.Errorf("%s: %s[%d]: %w", what, member, n, err)
			}
		}
		if _, err := d.Token(); err != nil {
			return fault(err)
		}
	}
	if _, err := d.Token(); err != nil {
		return fault(err)
	}
	if !found {
		return fmt.Errorf("%s: JSON without %q", what, member)
	}
	return nil
}

// text returns a member that is a text, "" where there is none.
func (o jsonObject) text(keys ...string) string {
	var s string
	for _, k := range keys {
		if json.Unmarshal(o[k], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// texts returns a list of texts, or one.
func (o jsonObject) texts(key string) (list []string) {
	if json.Unmarshal(o[key], &list) == nil {
		return list
	}
	if s := o.text(key); s != "" {
		return []string{s}
	}
	return nil
}

// object returns a member that is an object; of none it is empty.
func (o jsonObject) object(key string) (in jsonObject) {
	json.Unmarshal(o[key], &in)
	return in
}

// number returns the first of the members that has a number; NaN where none has, and for
// Slurm's ways to say none: null, -1, {"set": false}, {"infinite": true}.
func (o jsonObject) number(keys ...string) float64 {
	for _, k := range keys {
		text := bytes.TrimSpace(o[k])
		if len(text) > 0 && text[0] == '{' {
			in := o.object(k)
			if string(in["set"]) == "false" || string(in["infinite"]) == "true" {
				continue
			}
			text = in["number"]
		}
		if x, err := strconv.ParseFloat(string(bytes.Trim(text, `"`)), 64); err == nil && x >= 0 && x < noValue {
			return x
		}
	}
	return math.NaN()
}

// noValue is where Slurm's 32 bit numbers for "not set" and "no limit" begin.
const noValue = 4294967294

// count makes a whole number of one that may be unknown: 0.
func count(x float64) int64 {
	if !(x >= 0 && x < 1e15) {
		return 0
	}
	return int64(x)
}

func wholeNumber(text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= 0 && x < noValue) {
		return math.NaN()
	}
	return x
}
