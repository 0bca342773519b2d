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

// String returns Number and, in brackets, the commit that the running program was built from,
// where the build recorded one.
func String() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Path != Module { // a commit is the main module's
		return Number
	}
	return describe(info.Settings)
}

func describe(settings []debug.BuildSetting) string {
	commit, changed := "", ""
	for _, s := range settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value[:min(len(s.Value), 12)]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = " with changes"
		}
	}
	if commit == "" {
		return Number
	}
	return Number + " (commit " + commit + changed + ")"
}
