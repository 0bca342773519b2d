package columnar

import (
	"math"

	"github.com/apache/arrow/go/v15/arrow"
	"github.com/apache/arrow/go/v15/parquet"
	"github.com/apache/arrow/go/v15/parquet/metadata"
	pqschema "github.com/apache/arrow/go/v15/parquet/schema"

	"github.com/loadstone-hpc/loadstone/workload"
)

// stampName is a column that a Parquet file has beside those of the job table: the
// moment of submission, for programs that show times. It follows from
// submit_time_s and the header, so that readers of this package pass it over.
const stampName = "submit_time"

// stampField is that column in Arrow's schema.
var stampField = arrow.Field{Name: stampName, Type: &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: "UTC"}, Nullable: true,
	Metadata: arrow.NewMetadata([]string{"meaning"}, []string{"moment of submission, from submit_time_s and UnixStartTime"})}

// stampNode is that column in Parquet's schema.
func stampNode(id int32) (pqschema.Node, error) {
	kind := pqschema.NewTimestampLogicalType(true, pqschema.TimeUnitMicros)
	return pqschema.NewPrimitiveNodeLogical(stampName, parquet.Repetitions.Optional, kind, parquet.Types.Int64, -1, id)
}

// stamps makes the column.
type stamps struct {
	chunkEncoder
	start int64 // of the log, s since 1970
}

// newStamps returns the maker of a log's time stamps, or nil where the header does
// not say when the log starts.
func newStamps(h workload.Header) *stamps {
	clock, _ := h.Clock()
	if !clock.Known || !clock.Dates(float64(clock.Start.Unix())) {
		return nil
	}
	return &stamps{chunkEncoder: chunkEncoder{delta: true}, start: clock.Start.Unix()}
}

// of reports whether the time stamps are those of a log with that header.
func (s *stamps) of(h workload.Header) bool {
	if s == nil {
		return false
	}
	other := newStamps(h)
	return other != nil && other.start == s.start
}

// maxStamp is the last moment that micros of int64 have, s from 1970, rounded down.
const maxStamp = 9e12

// fill takes the submission times of a row group. Those that a time stamp cannot represent
// are null.
func (s *stamps) fill(submit *chunkEncoder) {
	s.valid = append(s.valid[:0], submit.valid...)
	at := 0 // row
	for _, w := range submit.values {
		for s.valid[at>>3]>>(at&7)&1 == 0 {
			at++
		}
		seconds := math.Float64frombits(w)
		if whole := math.Floor(seconds); math.Abs(whole) < maxStamp {
			s.values = append(s.values, uint64((s.start+int64(whole))*1e6+int64(math.Round((seconds-whole)*1e6))))
		} else {
			s.valid[at>>3] &^= 1 << (at & 7)
		}
		at++
	}
}

// dropLast takes the last column out of a footer; its pages stay, and nothing
// refers to them.
func dropLast(meta *metadata.FileMetaData) {
	f := meta.FileMetaData
	last := len(f.Schema) - 1
	f.Schema = f.Schema[:last]
	*f.Schema[0].NumChildren--
	for _, g := range f.RowGroups {
		c := g.Columns[last-1].MetaData
		g.TotalByteSize -= c.TotalUncompressedSize
		if g.TotalCompressedSize != nil {
			*g.TotalCompressedSize -= c.TotalCompressedSize
		}
		g.Columns = g.Columns[:last-1]
	}
	if len(f.ColumnOrders) == last {
		f.ColumnOrders = f.ColumnOrders[:last-1]
	}
}
