package workload

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// Header is the header of a log in the form of SWF: lines "Keyword: value" in order, including
// repeated keywords, continuation lines and free text. Lines are kept verbatim, so that a header
// passes through every format unchanged; formats other than SWF store it as metadata.
type Header struct {
	Lines []string // without the leading ';', the rest verbatim
}

// Field is a keyword with its value. Continuation lines are joined by newlines.
type Field struct {
	Key, Value string // without blanks around them
	Line       int    // index into Header.Lines of its first line
}

// parseLine splits a header line into keyword and value. A keyword is one word of letters and
// underscores directly before the first colon.
func parseLine(line string) (key, value string, ok bool) {
	s := strings.TrimSpace(line)
	colon := strings.IndexByte(s, ':')
	if colon <= 0 {
		return "", "", false
	}
	for _, r := range s[:colon] {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r != '_' {
			return "", "", false
		}
	}
	// "http://..." on a continuation line is a value, not a keyword.
	if strings.HasPrefix(s[colon:], "://") {
		return "", "", false
	}
	return s[:colon], strings.TrimSpace(s[colon+1:]), true
}

// Fields returns the keywords with their values, in order.
func (h *Header) Fields() []Field {
	var fs []Field
	open := false
	for i, line := range h.Lines {
		if key, value, ok := parseLine(line); ok {
			fs = append(fs, Field{key, value, i})
			open = true
			continue
		}
		text := strings.TrimSpace(line)
		if text == "" {
			open = false
			continue
		}
		// A continuation is indented text under a keyword. Other text ends it, so that a value's
		// lines are always adjacent.
		open = open && (line[0] == ' ' || line[0] == '\t')
		if open {
			fs[len(fs)-1].Value += "\n" + text
		}
	}
	return fs
}

// Get returns the value of the first line with that keyword, ignoring case, with continuation
// lines joined by newlines. It returns "" if there is none.
func (h *Header) Get(key string) string {
	for _, f := range h.Fields() {
		if strings.EqualFold(f.Key, key) {
			return f.Value
		}
	}
	return ""
}

// All returns the values of all lines with that keyword, in order.
func (h *Header) All(key string) []string {
	var vs []string
	for _, f := range h.Fields() {
		if strings.EqualFold(f.Key, key) {
			vs = append(vs, f.Value)
		}
	}
	return vs
}

// Int returns the number at the beginning of the value: 400 for "400 (48 interactive)". It
// returns false if there is none, if it is negative, or if it continues as in "1,024" or "1e3".
func (h *Header) Int(key string) (int64, bool) {
	v := h.Get(key)
	end := 0
	for end < len(v) && v[end] >= '0' && v[end] <= '9' {
		end++
	}
	n, err := strconv.ParseInt(v[:end], 10, 64)
	return n, err == nil && (end == len(v) || strings.IndexByte(" \t\n(", v[end]) >= 0)
}

// Set replaces the value of the first line with that keyword and removes its continuation
// lines. If there is none, it adds a line at the end. Line ends in the value become blanks.
func (h *Header) Set(key, value string) {
	line := lineOf(key, value)
	for _, f := range h.Fields() {
		if !strings.EqualFold(f.Key, key) {
			continue
		}
		rest := h.Lines[f.Line+1:]
		for range strings.Count(f.Value, "\n") {
			rest = rest[1:]
		}
		h.Lines = append(append(append([]string(nil), h.Lines[:f.Line]...), line), rest...)
		return
	}
	h.Add(key, value)
}

// Remove removes every line with that keyword whose value has the prefix begin, and its
// continuation lines.
func (h *Header) Remove(key, begin string) {
	for _, f := range slices.Backward(h.Fields()) {
		if strings.EqualFold(f.Key, key) && strings.HasPrefix(f.Value, begin) {
			end := f.Line + 1 + strings.Count(f.Value, "\n")
			h.Lines = slices.Concat(h.Lines[:f.Line], h.Lines[end:])
		}
	}
}

// CleanedNote is the beginning of the Note that marks a log of the archive as cleaned.
const CleanedNote = "THIS IS A CLEANED VERSION OF THE LOG"

// Add adds a line at the end. Line ends in the value become blanks.
func (h *Header) Add(key, value string) { h.Lines = append(h.Lines, lineOf(key, value)) }

func lineOf(key, value string) string { return " " + key + ": " + OneLine(value) }

// Clone returns an independent copy.
func (h Header) Clone() Header { return Header{append([]string(nil), h.Lines...)} }

// ErrNoMachine is the cause of the error if the machine's size is needed and neither the header
// nor an option gives it.
var ErrNoMachine = errors.New("the header has neither MaxProcs nor MaxNodes")

// Header keywords that are not in the standard workload format.
const (
	MaxGPUs       = "MaxGPUs"       // GPUs of the machine
	MaxNodeMemory = "MaxNodeMemory" // memory of the largest node, KB
)

// Processors returns the machine's size: MaxProcs, else MaxNodes. It returns false if neither is
// positive.
func (h *Header) Processors() (int64, bool) {
	for _, key := range []string{"MaxProcs", "MaxNodes"} {
		if n, ok := h.Int(key); ok && n > 0 {
			return n, true
		}
	}
	return 0, false
}
