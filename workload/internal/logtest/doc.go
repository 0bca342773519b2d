// Package logtest holds what the tests of several formats share: made-up logs, files written by
// other libraries, and slow, simple readers for comparison.
package logtest
