package part

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loadstone-hpc/loadstone/workload"
)

// Paths returns the files of parts in the order of their parts, with the task that
// they are of. A part that is missing, there twice, or of another task is an error
// that names it.
func Paths(paths []string) ([]string, Task, error) {
	var task Task
	var order []string
	for i, path := range paths {
		p, err := Read(path)
		if err != nil {
			return nil, task, err
		}
		if i == 0 {
			task, order = p.Task, make([]string, p.Share.Parts)
		} else if why := task.differs(p.Task); why != "" {
			return nil, task, &workload.InputError{File: path, Saw: why, Want: "a part of what " + paths[0] + " is of"}
		}
		at := p.Share.Part - 1
		if order[at] != "" {
			return nil, task, &workload.InputError{File: path, Saw: "part " + p.Share.String() + " again, which is in " + order[at] + " too", Want: "each part once"}
		}
		order[at] = path
		if at == 0 { // the name that results show, in whatever order the parts come
			task.Log.Name = p.Log.Name
		}
	}
	var missing []string
	for i, path := range order {
		if path == "" {
			missing = append(missing, workload.Share{Part: i + 1, Parts: len(order)}.String())
		}
	}
	if n := len(missing); n > 0 {
		shown := missing[:min(n, 8)]
		if n > len(shown) {
			shown = append(slices.Clone(shown), fmt.Sprintf("%d more", n-len(shown)))
		}
		return nil, task, fmt.Errorf("missing: part %s of `%s`", strings.Join(shown, ", "), task)
	}
	return order, task, nil
}

// differs says what of another task is not as here; "" where nothing is.
func (t Task) differs(o Task) string {
	switch {
	case o.Command != t.Command || !slices.Equal(o.Flags, t.Flags):
		return "a part of `" + o.String() + "`"
	case o.Log.Bytes != t.Log.Bytes || o.Log.Digest != t.Log.Digest:
		return fmt.Sprintf("a part of another log, or of the log before or after a change: %s of %d bytes with the checksum %s", o.Log.Name, o.Log.Bytes, o.Log.Digest)
	case o.Share.Parts != t.Share.Parts:
		return fmt.Sprintf("one of %d parts", o.Share.Parts)
	case o.Program != t.Program:
		return "a part by version " + o.Program + " of the program"
	}
	return ""
}

// String is the command that the parts are of.
func (t Task) String() string {
	return strings.Join(append([]string{"loadstone", t.Command, t.Log.Name}, t.Flags...), " ")
}
