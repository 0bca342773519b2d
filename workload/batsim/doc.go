// Package batsim writes workload files for the simulator Batsim
// (https://batsim.readthedocs.io), in JSON. It does not read them.
package batsim
