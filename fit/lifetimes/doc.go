// Package lifetimes fits run times class by class: the conditional lifetimes of
// Downey (1997), "Predicting queue times on space-sharing parallel computers".
//
//	jobs --Collect--> classes --Fit-------> a law for each class
//	                     +------NewOverlap--> how much classes overlap
//	                     +------Drift-------> how laws change from period to period
//	a law or a sample --RemainingAt--> how much longer jobs last, by their age
//
// A Collector sorts the jobs into classes by columns (workload.ParseClasses). Its
// memory is bounded.
package lifetimes
