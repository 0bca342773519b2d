package gwf

import "bytes"

// The format has three fields for where a job belongs: PartitionID, OrigSiteID
// (where it was submitted) and LastRunSiteID (where it ran). The table has
// one, partition_id, which stands for the site of a grid. This file is the
// rule by which they meet:
//
//   - partition_id is LastRunSiteID; of a job that never ran, OrigSiteID; of a
//     log without sites, PartitionID: the first of the three that is known.
//     What a predictor or a scheduler asks of a site is where jobs run.
//   - A text of the other two that says something else is left out, and
//     counted. (DAS-2 and AuverGrid run jobs where they are submitted.)
//   - The header's Partitions says so.
const (
	gwfSiteKey  = "Partitions"
	gwfSiteRule = "sites of a grid: LastRunSiteID, else OrigSiteID, else PartitionID"
)

// gwfSite picks the site's text of the three; left has a bit for each field
// that says something else.
func gwfSite(partition, orig, last []byte) (site []byte, left uint32) {
	switch {
	case gwfKnown(last):
		site = last
	case gwfKnown(orig):
		site = orig
	default:
		return partition, 0
	}
	if gwfKnown(partition) && !bytes.Equal(partition, site) {
		left |= 1 << gwfPartition
	}
	if gwfKnown(orig) && !bytes.Equal(orig, site) {
		left |= 1 << gwfOrigSite
	}
	return site, left
}

// gwfKnown reports whether a text is a value: it is neither "-1" nor, between two
// tabs, nothing.
func gwfKnown(tok []byte) bool {
	return len(tok) > 0 && (len(tok) != 2 || tok[0] != '-' || tok[1] != '1')
}
