package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/loadstone-hpc/loadstone/cmd/internal/present"
)

// The parts of the page that cannot be left out.
const (
	describePart = "describe"
	validatePart = "validate"
	usagePart    = "usage"
	fitPart      = "fit"
	modelPart    = "model"
)

// parts are in the order in which a page speaks of them.
var parts = []string{describePart, validatePart, fitPart, modelPart, RunTimes, Waits, Twins}

// step is one computation of the page.
type step struct {
	command string // that prints its numbers
	typed   string // all of it
	remarks []present.Remark
}

// said is a remark of a step, as a sentence.
type said struct {
	command, text string
	warning       bool
}

// begin notes the command that has the numbers of a part, for the readers of the
// page.
func (l *Report) begin(part, command string, flags ...string) *step {
	words := []string{"loadstone", command, shellWord(l.input)}
	if l.o.Processors > 0 && part != RunTimes {
		flags = append(flags, "--procs", strconv.FormatInt(l.o.Processors, 10))
	}
	for _, f := range append(flags, l.o.Global...) {
		words = append(words, shellWord(f))
	}
	s := &step{command: command, typed: strings.Join(words, " ")}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.steps[part] = s
	return s
}

// typed are the commands whose numbers are on the page.
func (l *Report) typed() []string {
	var all []string
	for _, part := range parts {
		if s, ok := l.steps[part]; ok {
			all = append(all, s.typed)
		}
	}
	return all
}

// said is what there is to say beside the numbers, each remark once.
func (l *Report) said() []said {
	var all []said
	for _, part := range parts {
		s, ok := l.steps[part]
		if !ok {
			continue
		}
		for _, r := range s.remarks {
			text := sentence(r.Text)
			if !slices.ContainsFunc(all, func(other said) bool { return other.text == text }) {
				all = append(all, said{s.command, text, r.Warning})
			}
		}
	}
	return all
}

// shellWord quotes a word for a shell where that is needed.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:%@") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
