// Package lifetimes fits run times class by class: the conditional lifetimes of
// Downey (1997), "Predicting queue times on space-sharing parallel computers".
//
//	jobs --Collect--> classes --Fit-------> a law for each class
//	                     +------NewOverlap--> how much classes overlap
//	                     +------Drift-------> how laws change from period to period
//	a law or a sample --RemainingAt--> how much longer jobs last, by their age
//
// A Collector tells the jobs apart by the columns of a workload.Classifier. Its
// memory is bounded, whatever the jobs are.
package lifetimes
