package flags

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/workload"
)

// namedFlag is the value of --class, which is repeatable: each time a named class or a file of
// them.
type namedFlag struct {
	named *[]workload.NamedClass
	files []string // files read
}

func (f *namedFlag) String() string { return "" }

func (f *namedFlag) Type() string { return "class" }

func (f *namedFlag) Set(text string) error {
	if name, ok := strings.CutPrefix(text, "@"); ok {
		return f.read(name)
	}
	return f.add(text)
}

func (f *namedFlag) add(text string) error {
	c, err := workload.ParseNamedClass(text)
	if err == nil {
		*f.named = append(*f.named, c)
	}
	return err
}

// read adds the classes in the lines of a file, except empty lines and those that begin with #.
func (f *namedFlag) read(name string) error {
	data, err := ReadFile(name)
	if err != nil {
		return err
	}
	f.files = append(f.files, name)
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	for i, line := range bytes.Split(data, []byte("\n")) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if err := f.add(string(line)); err != nil {
			return fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
	}
	return nil
}

const namedFlagName = "class"

// ClassFiles returns the files that a command's --class has read; cmd may be nil.
func ClassFiles(cmd *cobra.Command) []string {
	if f := namedFlagOf(cmd); f != nil {
		return f.files
	}
	return nil
}

func namedFlagOf(cmd *cobra.Command) *namedFlag {
	if cmd == nil {
		return nil
	}
	flag := cmd.Flags().Lookup(namedFlagName)
	if flag == nil {
		return nil
	}
	f, _ := flag.Value.(*namedFlag)
	return f
}
