package flags

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/loadstone-hpc/loadstone/workload"
)

// wordsFlag takes one way of sorting jobs into classes: words of
// workload.ParseClasses by commas.
type wordsFlag struct {
	words *[]string
	in    workload.Grouping
	text  *string // the words by commas; may be nil
}

func (f *wordsFlag) String() string { return strings.Join(*f.words, ",") }

func (f *wordsFlag) Type() string { return "name" }

func (f *wordsFlag) Set(text string) error {
	words, err := workload.NormalClassWords(workload.SplitClasses(text), f.in)
	if err == nil {
		*f.words = words
		if f.text != nil {
			*f.text = f.String()
		}
	}
	return wordsFault(err)
}

// wordsFault is an option's error without the name, which the flag says.
func wordsFault(err error) error {
	var option *workload.OptionError
	if errors.As(err, &option) {
		return fmt.Errorf("saw %s, want %s", optionsAsFlags(option.Saw), optionsAsFlags(option.Want))
	}
	return err
}

// someClass stands for the classes of --class while flags are being read.
var someClass = []workload.NamedClass{{Name: "some", Values: []string{"1"}}}

// classesHelp is what the help of every such flag says of its words: all of them
// are in its errors and in completion.
const classesHelp = "such as user,queue or site,size:4:16"

// By adds a --by that sorts jobs into classes, its words joined by commas,
// and --class.
func By(cmd *cobra.Command, by *string, named *[]workload.NamedClass, usage string, in workload.Grouping) {
	addWordsFlag(cmd, wordsFlag{words: new([]string), in: in, text: by}, "by", usage)
	Named(cmd, named)
}

// CheckBy is CheckNamed of a --by that By added.
func CheckBy(cmd *cobra.Command, named []workload.NamedClass, by *string) error {
	words := []string{*by}
	err := CheckNamed(cmd, named, "by", &words)
	*by = words[0]
	return err
}

// Words adds a flag that takes a way of sorting jobs into classes.
func Words(cmd *cobra.Command, words *[]string, name, usage string, in workload.Grouping) {
	addWordsFlag(cmd, wordsFlag{words: words, in: in}, name, usage)
}

func addWordsFlag(cmd *cobra.Command, f wordsFlag, name, usage string) {
	f.in.Named = someClass
	cmd.Flags().Var(&f, name, usage+", "+classesHelp)
	completeBy(cmd, name, func(typed string) []string {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		var out []string
		for _, v := range f.in.Words() {
			out = append(out, before+v)
		}
		return out
	})
}

// namedFlag takes named classes, one each time, or a file of them.
type namedFlag struct {
	named *[]workload.NamedClass
	files []string // that were read
}

func (f *namedFlag) String() string { return "" }

func (f *namedFlag) Type() string { return "class" }

func (f *namedFlag) Set(text string) error {
	if name, ok := strings.CutPrefix(text, "@"); ok {
		return f.read(name)
	}
	return wordsFault(f.add(text))
}

func (f *namedFlag) add(text string) error {
	c, err := workload.ParseNamedClass(text)
	if err == nil {
		*f.named = append(*f.named, c)
	}
	return err
}

// read takes the lines of a file, but for empty ones and those that begin with #.
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

// ClassFiles are the files that a command's --class read; cmd may be nil.
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

// Named adds --class.
func Named(cmd *cobra.Command, named *[]workload.NamedClass) {
	cmd.Flags().Var(&namedFlag{named: named}, namedFlagName, "a class with a `name`, for the word class: short=q1s,q2s or short=q*s (queues), partition:east=1,2; repeat it, or @FILE with a line each")
}

// CheckNamed makes the way of sorting jobs that a flag asks for the named
// classes, where there are some and no way was asked for. Named classes that
// neither the flag's words nor the others' have are a fault.
func CheckNamed(cmd *cobra.Command, named []workload.NamedClass, flag string, words *[]string, others ...string) error {
	switch {
	case len(named) == 0 || slices.ContainsFunc(append(others, *words...), func(w string) bool {
		return slices.Contains(workload.SplitClasses(w), workload.NamedWord)
	}):
		return nil
	case cmd.Flags().Changed(flag):
		return Usagef(cmd, "--class: want the word class in --%s, such as --%s class", flag, flag)
	}
	*words = []string{workload.NamedWord}
	return nil
}
