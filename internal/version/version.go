// Package version holds the version of Loadstone, the one number for the
// command's --version, Parquet's created_by, the notes in logs, the report and
// the manual.
//
// Files carry Number alone: the same input and seed give the same bytes from
// any commit and any build of a version. Only --version adds what the build
// says of itself.
package version

import "runtime/debug"

// Module is the path of the module that the version is of.
const Module = "github.com/loadstone-hpc/loadstone"

// Number is the version, without the v of its tag.
const Number = "0.1.0"

// CreatedBy is what files say that name their writer, in the form that readers
// of Parquet's created_by parse.
const CreatedBy = "loadstone version " + Number

// String returns Number and, in brackets, the commit that the running program
// was built from, or else the version of the module, where the build recorded
// one that says more.
func String() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Number
	}
	return describe(info)
}

func describe(info *debug.BuildInfo) string {
	main := info.Main
	for _, dep := range info.Deps { // the library in another program
		if dep.Path == Module {
			main = *dep
		}
	}
	// A commit is the main module's.
	if info.Main.Path == Module {
		settings := map[string]string{}
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
		if commit := settings["vcs.revision"]; commit != "" {
			changed := ""
			if settings["vcs.modified"] == "true" {
				changed = " with changes"
			}
			return Number + " (commit " + commit[:min(len(commit), 12)] + changed + ")"
		}
	}
	if v := main.Version; main.Path == Module && v != "" && v != "(devel)" && v != "v"+Number {
		return Number + " (module " + v + ")"
	}
	return Number
}
