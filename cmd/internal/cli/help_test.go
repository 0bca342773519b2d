package cli

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"
)

// Terms of the field lead to commands and flags that exist, and are not commands themselves.
func TestFieldWords(t *testing.T) {
	root := (&app{}).root()
	file, err := helpTexts.ReadFile("help/words")
	if err != nil || len(lines(string(file))) < 20 {
		t.Fatal(err)
	}
	for _, line := range lines(string(file)) {
		word, _, _ := strings.Cut(line, ":")
		all := fieldWords(word)
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

var (
	flagInHelp    = regexp.MustCompile(`(?m)^ {2,6}(?:-\w, )?--([a-z-]+)(?: |$)`)
	flagInExample = regexp.MustCompile(`--([a-z-]+)`)
	otherCommands = regexp.MustCompile(`'[^']*'| -- .*`) // in examples; their flags are not ours
	cobrasWords   = regexp.MustCompile(`(?m)any command|autocompletion|^ +(?:-\w, )?--[a-z-]+ [a-z,]+(?:  .*)?$`)
)

// The help of every command fits on one screen of a terminal: at most 45 lines of 80 columns, with
// examples and at most ten flags, including those in the examples. The others are in --help-all,
// which the help mentions. The root, which lists the commands, may have 60 lines. Texts that cobra
// would supply are the project's own, and the values of flags are named in capitals.
func TestHelpIsOneScreen(t *testing.T) {
	root := (&app{}).root()
	overview := loadstone(t, "", "--help").out
	for _, cmd := range append(root.Commands(), root) {
		if cmd.Hidden {
			continue
		}
		path := cmd.CommandPath()
		args := strings.Fields(path)[1:]
		short := loadstone(t, "", append(args, "--help")...).out
		for _, line := range lines(short) {
			if n := utf8.RuneCountInString(line); n > 80 {
				t.Errorf("%s: %d columns, want at most 80: %s", path, n, line)
			}
		}
		most := 45
		if cmd == root {
			most = 60
		}
		if n := len(lines(short)); n > most {
			t.Errorf("%s: %d lines, want at most %d", path, n, most)
		}
		if n := len(flagInHelp.FindAllString(short, -1)); n > 10 {
			t.Errorf("%s: %d flags, want at most 10", path, n)
		}
		if m := cobrasWords.FindString(short); m != "" && !cmd.IsAdditionalHelpTopicCommand() {
			t.Errorf("%s: %q", path, m)
		}
		if cmd.GroupID == "" && cmd.IsAvailableCommand() && !slices.Contains([]string{"completion", "man", "help", "loadstone"}, cmd.Name()) {
			t.Errorf("%s has no group", path)
		}
		_, group, _ := strings.Cut(overview, "\n"+cmd.GroupID+":\n")
		group, _, _ = strings.Cut(group, "\n\n")
		if cmd.GroupID != "" && !strings.Contains("\n"+group, "\n  "+cmd.Name()+" ") {
			t.Errorf("%s is not below %s", path, cmd.GroupID)
		}
		if !cmd.Runnable() || cmd == root || cmd.Name() == "completion" {
			continue
		}
		if !strings.Contains(short, "\nExamples:\n") || !strings.HasSuffix(short, "\nAll flags and details: "+path+" --help-all\n") {
			t.Errorf("%s has no examples, or no reference to --help-all", path)
		}
		_, below, _ := strings.Cut(short, "\nFlags:\n")
		for _, name := range flagInExample.FindAllStringSubmatch(otherCommands.ReplaceAllString(cmd.Example, ""), -1) {
			if !regexp.MustCompile(name[0]+`\b`).MatchString(below) && !slices.Contains([]string{"compare", "simulate"}, cmd.Name()) { // have an example with a rare flag each
				t.Errorf("%s: the flag %s is used in an example but not listed under Flags", path, name[0])
			}
		}
		all := loadstone(t, "", append(args, "--help-all")...)
		if all.code != exitDone || all.err != "" || len(all.out) <= len(short) || strings.Contains(all.out, "(default )") {
			t.Errorf("%s --help-all: exit code %d, %s, or an empty default", path, all.code, all.err)
		}
		// Flags occur in examples and descriptions, too.
		_, flags, _ := strings.Cut(all.out, "\nExamples:\n")
		_, flags, _ = strings.Cut(flags, "\n\n")
		times := map[string]int{}
		for _, name := range flagInHelp.FindAllStringSubmatch(flags, -1) {
			times[name[1]]++
		}
		cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if n := times[f.Name]; n != 1 && !f.Hidden && f.Name != "help" && f.Name != "help-all" {
				t.Errorf("%s: --%s is %d times in --help-all", path, f.Name, n)
			}
		})
	}
}
