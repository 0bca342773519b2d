package cli

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"
)

// Words of the field lead to commands and flags that exist, and are no commands.
func TestFieldWords(t *testing.T) {
	root := (&app{}).root()
	for word, all := range fieldWords {
		if cmd, _, err := root.Find([]string{word}); err != nil || cmd != root {
			t.Errorf("%s is a command", word)
		}
		for _, name := range all {
			name, flag, _ := strings.Cut(name, " --")
			cmd, _, err := root.Find([]string{name})
			if err != nil || cmd == root || flag != "" && cmd.Flags().Lookup(flag) == nil {
				t.Errorf("%s leads to %s, flag %q: there is none", word, name, flag)
			}
		}
	}
}

// "-h COMMAND" is the command's help.
func TestHelpBeforeCommand(t *testing.T) {
	got, want := loadstone(t, "", "-h", "fit"), loadstone(t, "", "fit", "-h")
	if got.code != exitDone || got.out != want.out {
		t.Errorf("exit code %d, %s%s", got.code, got.err, got.out)
	}
}

// The help of every command is one screen of a terminal: at most 45 lines of 80
// columns, with examples and at most ten flags. The others are in --help-all, and it
// says so. The root, which lists the commands, has 60 lines.
func TestHelpIsOneScreen(t *testing.T) {
	root := (&app{}).root()
	for _, cmd := range append(root.Commands(), root) {
		if cmd.Hidden {
			continue
		}
		args := strings.Fields(cmd.CommandPath())[1:]
		short := loadstone(t, "", append(args, "--help")...).out
		for _, line := range lines(short) {
			if n := utf8.RuneCountInString(line); n > 80 {
				t.Errorf("%s: %d columns, want at most 80: %s", cmd.CommandPath(), n, line)
			}
		}
		most := 45
		if cmd == root {
			most = 60
		}
		if n := len(lines(short)); n > most {
			t.Errorf("%s: %d lines, want at most %d", cmd.CommandPath(), n, most)
		}
		if n := len(regexp.MustCompile(`(?m)^ {2,6}(-\w, )?--`).FindAllString(short, -1)); n > 10 {
			t.Errorf("%s: %d flags, want at most 10", cmd.CommandPath(), n)
		}
		if !cmd.Runnable() || len(args) == 0 || args[0] == "completion" {
			continue
		}
		if !strings.Contains(short, "\nExamples:\n") {
			t.Errorf("%s has no examples", cmd.CommandPath())
		}
		all := loadstone(t, "", append(args, "--help-all")...)
		if all.code != exitDone || all.err != "" || len(all.out) <= len(short) {
			t.Errorf("%s --help-all: exit code %d, %s", cmd.CommandPath(), all.code, all.err)
		}
		if strings.Contains(all.out, "(default )") {
			t.Errorf("%s --help-all prints an empty default", cmd.CommandPath())
		}
		// Flags are in examples and descriptions too.
		_, flags, _ := strings.Cut(all.out, "\nExamples:\n")
		_, flags, _ = strings.Cut(flags, "\n\n")
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if f.Hidden || f.Name == "help" || f.Name == "help-all" {
				return
			}
			if n := len(flagLine(f.Name).FindAllString(flags, -1)); n != 1 {
				t.Errorf("%s: --%s is %d times in --help-all", cmd.CommandPath(), f.Name, n)
			}
		})
		if more := "\nAll flags and details: " + cmd.CommandPath() + " --help-all\n"; !strings.HasSuffix(short, more) {
			t.Errorf("%s does not say where the other flags are", cmd.CommandPath())
		}
	}
}

// What the examples of a help use is in it: --help explains each flag of its examples.
func TestHelpShowsFlagsOfExamples(t *testing.T) {
	others := regexp.MustCompile(`'[^']*'| -- .*`) // flags of other commands
	for _, cmd := range (&app{}).root().Commands() {
		if slices.Contains([]string{"compare", "simulate"}, cmd.Name()) { // one example each of a rare flag
			continue
		}
		short := loadstone(t, "", cmd.Name(), "--help").out
		_, below, _ := strings.Cut(short, "\nFlags:\n")
		for _, name := range regexp.MustCompile(`--([a-z-]+)`).FindAllStringSubmatch(others.ReplaceAllString(cmd.Example, ""), -1) {
			if !regexp.MustCompile(`--` + name[1] + `\b`).MatchString(below) {
				t.Errorf("%s: --%s is in an example, and not explained", cmd.Name(), name[1])
			}
		}
	}
}

// The texts are the project's also where cobra has its own, and the values of flags are
// named in capitals.
func TestHelpHasNoWordsOfCobra(t *testing.T) {
	root := (&app{}).root()
	all := root.Commands()
	for _, cmd := range root.Commands() {
		all = append(all, cmd.Commands()...)
	}
	for _, cmd := range all {
		if cmd.Hidden || cmd.IsAdditionalHelpTopicCommand() {
			continue
		}
		help := loadstone(t, "", append(strings.Fields(cmd.CommandPath())[1:], "--help")...).out
		if m := regexp.MustCompile(`(?m)any command|autocompletion|^ +(?:-\w, )?--[a-z-]+ [a-z,]+(?:  .*)?$`).FindString(help); m != "" {
			t.Errorf("%s: %q", cmd.CommandPath(), m)
		}
	}
}

// --help mentions the global flags that most users need.
func TestHelpMentionsGlobalFlags(t *testing.T) {
	for _, name := range []string{"describe", "wait", "generate", "fit"} {
		if help := loadstone(t, "", name, "--help").out; !strings.Contains(help, "\nGlobal flags: -q, --quiet ") || !strings.Contains(help, "--timezone ZONE") {
			t.Errorf("no global flags in\n%s", help)
		}
	}
}

// flagLine is the line with which a flag's text begins.
func flagLine(name string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^ {2,6}(-\w, )?--` + name + `( |$)`)
}

// --help-all takes the place of a run, as --help does.
func TestHelpAll(t *testing.T) {
	for _, args := range []string{"--help-all", "fit --help-all", "predict --help-all log.swf", "convert --help-all", "help --help-all"} {
		if got := loadstone(t, "", strings.Fields(args)...); got.code != exitDone || !strings.Contains(got.out, "\nUsage:\n") {
			t.Errorf("%s: exit code %d, %s%s", args, got.code, got.out, got.err)
		}
	}
	// What is asked for rarely is not in --help, but works.
	if help := loadstone(t, "", "predict", "--help").out; strings.Contains(help, "drawn") || strings.Contains(help, "downey-b-queue") {
		t.Errorf("predictors without scores in\n%s", help)
	}
	if help := loadstone(t, "", "predict", "--help-all").out; !strings.Contains(help, "drawn") || !strings.Contains(help, "--estimate-factor") {
		t.Errorf("not everything in\n%s", help)
	}
}

// Every command but those of other groups is listed with its task.
func TestCommandGroups(t *testing.T) {
	root := (&app{}).root()
	help := loadstone(t, "", "--help").out
	for _, cmd := range root.Commands() {
		_, below, _ := strings.Cut(help, "\n"+cmd.GroupID+":\n")
		below, _, _ = strings.Cut(below, "\n\n")
		if cmd.GroupID != "" && !strings.Contains("\n"+below, "\n  "+cmd.Name()+" ") {
			t.Errorf("%s is not below %s:\n%s", cmd.Name(), cmd.GroupID, help)
		}
		if cmd.GroupID == "" && cmd.IsAvailableCommand() && !slices.Contains([]string{"completion", "man", "help"}, cmd.Name()) {
			t.Errorf("%s has no group", cmd.Name())
		}
	}
	if !strings.Contains(help, "loadstone demo") || !strings.Contains(help, "loadstone describe LOG") {
		t.Errorf("the help does not say where to begin:\n%s", help)
	}
}

// The help topics fit a terminal.
func TestTopicsFitATerminal(t *testing.T) {
	for _, topic := range (&app{}).root().Commands() {
		if !topic.IsAdditionalHelpTopicCommand() {
			continue
		}
		for _, line := range lines(topic.Long) {
			if n := utf8.RuneCountInString(line); n > 80 {
				t.Errorf("%s: %d columns, want at most 80: %s", topic.Name(), n, line)
			}
		}
	}
}

// Every flag of predict stands in one of its groups, but for those of all commands.
func TestPredictFlagGroups(t *testing.T) {
	help := loadstone(t, "", "predict", "--help-all").out
	if strings.Contains(help, "\nOther flags:\n") || !strings.Contains(help, "\nWho predicts:\n") {
		t.Errorf("not all flags are in groups:\n%s", help)
	}
}
