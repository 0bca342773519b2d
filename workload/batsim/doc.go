// Package batsim writes the workload file of the simulator Batsim. The file is
// JSON, and it is written only.
package batsim
