// Package batsim writes the workload file of the simulator Batsim. The file is JSON;
// it cannot be read.
package batsim
