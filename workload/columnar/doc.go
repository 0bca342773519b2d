// Package columnar reads and writes job logs and other tables in Parquet and Arrow.
//
// It has Parquet, Arrow and ArrowStream, the formats of the job table; Spool, a
// temporary file of batches; and PlainForm, which writes tables that are not of jobs.
// Parquet tables of other programs are read through a Mapping, which the caller
// brings (OpenMapped); workload/traces has those of two archives.
//
// Parquet pages are encoded and decoded here, because the library's readers
// trust the lengths that a damaged file claims and its writer is slow on columns
// with nulls. Arrow messages are checked here before the library decodes them.
package columnar
