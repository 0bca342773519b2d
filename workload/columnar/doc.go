// Package columnar reads tables of any program in Parquet and Arrow, and writes job logs in both.
//
// A Source reads named columns; package mapping makes job logs from it, and has the formats
// mapping.Parquet, mapping.Arrow and mapping.ArrowStream.
//
// Damaged and hostile files return errors; they do not panic or exhaust memory. Package
// columnar therefore decodes Parquet pages itself, because Arrow's Go library trusts the
// lengths in a file, and it checks Arrow messages before the library decodes them. It
// also encodes Parquet pages itself, because the library is slow on columns with nulls.
package columnar
