package sweep

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/loadstone-hpc/loadstone/evaluate"
	"github.com/loadstone-hpc/loadstone/internal/opt"
	"github.com/loadstone-hpc/loadstone/runtime"
	"github.com/loadstone-hpc/loadstone/sched"
)

// studyKeys are the keys of a study file.
func studyKeys(d *decoder, s *Study) []studyKey {
	return []studyKey{
		{"name", into(d, d.text, &s.Name)},
		{"logs", list(d, func(key string, n *yaml.Node) (Input, error) { return d.input(key, "file", n) }, &s.Logs)},
		{"models", list(d, func(key string, n *yaml.Node) (Input, error) { return d.input(key, "model", n) }, &s.Models)},
		{"workloads", into(d, func(key string, n *yaml.Node) (Workloads, error) {
			text, err := d.text(key, n)
			return Workloads(text), err
		}, &s.Workloads)},
		{"method", into(d, d.text, &s.Method)},
		{"days", into(d, d.positive, &s.Days)},
		{"jobs", into(d, d.whole, &s.Jobs)},
		{"loads", list(d, d.number, &s.Loads)},
		{"seeds", func(key string, n *yaml.Node) (err error) {
			if n.Kind == yaml.SequenceNode {
				return list(d, d.seed, &s.Seeds.List)(key, n)
			}
			s.Seeds.Count, err = d.whole(key, n)
			return err
		}},
		{"processors", list(d, d.whole, &s.Processors)},
		{"policies", list(d, d.named(opt.Names(sched.Policies())), &s.Policies)},
		{"estimates", list(d, d.named(evaluate.EstimatesNames()), &s.Estimates)},
		{"feedback", list(d, d.truth, &s.Feedback)},
		{"runtime", list(d, d.named(runtime.PredictorNames()), &s.RunTimes)},
		{"classes", list(d, d.text, &s.Classes)},
		{"wait", list(d, d.named(evaluate.AllWaitPredictors()), &s.Waits)},
	}
}

// into reads a value.
func into[T any](_ *decoder, read func(string, *yaml.Node) (T, error), to *T) func(string, *yaml.Node) error {
	return func(key string, n *yaml.Node) (err error) {
		*to, err = read(key, n)
		return err
	}
}

// list reads a list of at least one value.
func list[T any](d *decoder, read func(string, *yaml.Node) (T, error), to *[]T) func(string, *yaml.Node) error {
	return func(key string, n *yaml.Node) error {
		switch {
		case n.Kind != yaml.SequenceNode:
			return d.fault(n, key, kind(n), "a list, such as ["+example(key)+"]")
		case len(n.Content) == 0:
			return d.fault(n, key, "an empty list", "one value or more, or no key "+key)
		}
		for i, item := range n.Content {
			x, err := read(fmt.Sprintf("%s[%d]", key, i), item)
			if err != nil {
				return err
			}
			*to = append(*to, x)
		}
		return nil
	}
}

func example(key string) string {
	if text, ok := map[string]string{"logs": "kth.swf.gz", "models": "lublin1999", "loads": "0.5, 0.7", "processors": "100, 120", "policies": "fcfs, easy", "estimates": "user, perfect",
		"feedback": "false, true", "runtime": "last2, kernel", "classes": "user", "wait": "bmbp"}[key]; ok {
		return text
	}
	return "..."
}

func (d *decoder) text(key string, n *yaml.Node) (string, error) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" || n.Value == "" {
		return "", d.fault(n, key, kind(n), "a text")
	}
	return n.Value, nil
}

// named reads a name. One that differs from a valid one in case alone is that one, as on
// the command line.
func (d *decoder) named(valid []string) func(string, *yaml.Node) (string, error) {
	return func(key string, n *yaml.Node) (string, error) {
		text, err := d.text(key, n)
		if i := slices.IndexFunc(valid, func(name string) bool { return strings.EqualFold(name, text) }); i >= 0 {
			text = valid[i]
		}
		return text, err
	}
}

func (d *decoder) number(key string, n *yaml.Node) (float64, error) {
	x, err := strconv.ParseFloat(n.Value, 64)
	if tag := n.ShortTag(); n.Kind != yaml.ScalarNode || err != nil || math.IsInf(x, 0) || math.IsNaN(x) || tag != "!!int" && tag != "!!float" {
		return 0, d.fault(n, key, kind(n), "a number")
	}
	return x, nil
}

func (d *decoder) positive(key string, n *yaml.Node) (float64, error) {
	x, err := d.number(key, n)
	if err == nil && !(x > 0) {
		err = d.fault(n, key, kind(n), "a number above 0")
	}
	return x, err
}

func (d *decoder) whole(key string, n *yaml.Node) (int64, error) {
	x, err := strconv.ParseInt(n.Value, 10, 64)
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" || err != nil || x < 1 {
		return 0, d.fault(n, key, kind(n), "a whole number of 1 or more")
	}
	return x, nil
}

func (d *decoder) seed(key string, n *yaml.Node) (uint64, error) {
	x, err := strconv.ParseInt(n.Value, 10, 64) // as a table has it
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" || err != nil || x < 0 {
		return 0, d.fault(n, key, kind(n), "a whole number of 0 or more")
	}
	return uint64(x), nil
}

func (d *decoder) truth(key string, n *yaml.Node) (bool, error) {
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!bool" || n.Value != "true" && n.Value != "false" {
		return false, d.fault(n, key, kind(n), "true or false")
	}
	return n.Value == "true", nil
}

// input reads a file's name, or an object that has it under the key file.
func (d *decoder) input(key, file string, n *yaml.Node) (in Input, err error) {
	if n.Kind == yaml.ScalarNode {
		in.File, err = d.text(key, n)
		return in, err
	}
	keys := []studyKey{{file, into(d, d.text, &in.File)}, {"name", into(d, d.text, &in.Name)}, {"processors", into(d, d.whole, &in.Processors)}}
	if file == "file" {
		keys = append(keys, studyKey{"timezone", into(d, d.text, &in.TimeZone)}, studyKey{"as", into(d, d.text, &in.As)})
	}
	if err := d.object(n, key, keys); err != nil {
		return in, err
	}
	if in.File == "" {
		return in, d.fault(n, key, "no "+file, "the key "+file)
	}
	return in, nil
}

// path is where an input is.
func (s *Study) path(in Input) string {
	if filepath.IsAbs(in.File) || s.Folder == "" {
		return in.File
	}
	return filepath.Join(s.Folder, in.File)
}
