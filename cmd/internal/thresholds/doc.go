// Package thresholds has the conditions that a pipeline sets on a result: --require
// names a score and its limit (Requirement), --baseline an earlier result that no
// score may be worse than (Baseline). A result that does not meet them is an Error, for
// which the command's exit code is 3.
package thresholds
