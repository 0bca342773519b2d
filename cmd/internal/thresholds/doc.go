// Package thresholds implements the conditions that a pipeline sets on a result: --require
// names a score and its limit (Requirement), and --baseline an earlier result that no
// score may be worse than (Baseline). If a result does not meet them, the command
// returns an Error and its exit code is 3.
package thresholds
