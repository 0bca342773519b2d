// Package version defines the version of Loadstone, which is used for the
// command's --version, Parquet's created_by, the notes in logs, the report and
// the manual.
//
// Files contain only Number, so that the same input and seed give the same bytes
// with any commit and any build of a version. Only --version adds the commit of
// the build.
package version

import "runtime/debug"

// Module is the module path of Loadstone.
const Module = "github.com/loadstone-hpc/loadstone"

// Number is the version, without the v of its tag.
const Number = "0.1.0"

// CreatedBy identifies the writer of a file, in the form that readers
// of Parquet's created_by parse.
const CreatedBy = "loadstone version " + Number

// String returns Number and, in parentheses, the commit from which the running program was built,
// if the build recorded it.
func String() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Path != Module { // the recorded commit is that of the main module
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
