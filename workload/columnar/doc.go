// Package columnar reads and writes job logs in Parquet and Arrow, and reads other tables in
// Parquet.
//
//   - Parquet, Arrow and ArrowStream are the formats of the job table.
//   - Source reads named columns of Parquet tables of any program; package mapping turns
//     those into job logs.
//   - Spool keeps batches of jobs in a temporary file.
//
// Damaged and hostile files return errors; they do not panic or exhaust memory. Package
// columnar therefore decodes Parquet pages itself, because Arrow's Go library trusts the
// lengths in a file, and it checks Arrow messages before the library decodes them. It
// also encodes Parquet pages itself, because the library is slow on columns with nulls.
package columnar
