// Package logtest holds what the tests of several formats share: made-up logs,
// files by other libraries, and slow, simple readers to compare with.
package logtest
