package flags

import (
	"bytes"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Settings sets the flags that are not on the command line: from the environment, then
// from the file of the flag config, if there is one. The variable of --token-file, for example, is
// LOADSTONE_TOKEN_FILE; an empty variable counts as unset. A line of the file is "name = value"
// with the name of a flag, or empty, or a comment that begins with #. Settings returns the origin
// of the value of each flag that was set: the flag, the variable or the file.
func Settings(cmd *cobra.Command) (map[string]string, error) {
	from := map[string]string{}
	var fault error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := environmentName(f.Name)
		switch value := os.Getenv(name); {
		case f.Changed:
			from[f.Name] = "--" + f.Name
		case value != "" && settable(f) && fault == nil:
			from[f.Name], fault = name, set(cmd, f, name, value)
		case f.Name == configFlag && value != "":
			fault = set(cmd, f, name, value)
		}
	})
	if path := cmd.Flag(configFlag); fault == nil && path != nil && path.Changed {
		fault = readSettings(cmd, path.Value.String(), from)
	}
	return from, fault
}

// configFlag is the name of the flag for the file.
const configFlag = "config"

func environmentName(flag string) string {
	return "LOADSTONE_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// settable reports whether a flag can be set by the environment and the file.
func settable(f *pflag.Flag) bool {
	return f.Name != configFlag && f.Name != "help" && f.Name != "help-all" && !f.Hidden
}

// set sets a flag; where is the origin of the value, for errors.
func set(cmd *cobra.Command, f *pflag.Flag, where, value string) error {
	err := cmd.Flags().Set(f.Name, value)
	if err == nil {
		return nil
	}
	text := strings.TrimPrefix(strings.TrimPrefix(ParseFault(cmd, err).Error(), "--"+f.Name), ": ")
	return Usagef("%s: %s", where, strings.TrimSpace(text))
}

// readSettings sets flags from a file, except flags already in from, and records their origin in
// from.
func readSettings(cmd *cobra.Command, path string, from map[string]string) error {
	data, err := ReadFile(path)
	if err != nil {
		return err
	}
	lines := map[string]int{}
	for i, line := range bytes.Split(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\n")) {
		text := strings.TrimSpace(string(line))
		if text == "" || text[0] == '#' {
			continue
		}
		fault := func(format string, args ...any) error {
			return Usagef("%s:%d: "+format, append([]any{path, i + 1}, args...)...)
		}
		name, value, ok := strings.Cut(text, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		f := cmd.Flag(name)
		switch {
		case !ok:
			return fault("saw %q, want name = value", text)
		case name == configFlag:
			return fault("%s is set on the command line or by %s, not in a file of settings", name, environmentName(name))
		case f == nil || !settable(f):
			return fault("%w", unknownSetting(cmd, name))
		case lines[name] > 0:
			return fault("%s is set a second time, see line %d", name, lines[name])
		case value == "":
			return fault("%s: the value is missing", name)
		}
		lines[name] = i + 1
		if from[name] != "" {
			continue
		}
		from[name] = path
		if err := set(cmd, f, name, value); err != nil {
			return fault("%w", err)
		}
	}
	return nil
}

func unknownSetting(cmd *cobra.Command, name string) error {
	text := "unknown setting " + name + ", want the name of a flag without --"
	if near := nearFlags(cmd, name); near != "" {
		text += "; did you mean " + strings.ReplaceAll(near, "--", "") + "?"
	}
	return errors.New(text)
}
