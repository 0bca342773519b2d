package reshape

import "slices"

// FiltersSchema names the JSON form of FilterList and its version.
const FiltersSchema = "loadstone.filters/1"

// FilterList describes the filters that ParseFilter reads.
type FilterList struct {
	Schema  string        `json:"schema"`
	Filters []FilterKind  `json:"filters"` // those with a name, in the order in which they are best applied
	Fields  []FilterField `json:"fields"`  // what a condition can ask for
}

// FilterField describes a field of conditions.
type FilterField struct {
	Names   []string `json:"names" csv:"field" row:"words"` // any of them will do
	Meaning string   `json:"meaning"`
	Values  string   `json:"values"` // how they are written
}

// Filters returns a description of all filters.
func Filters() FilterList {
	list := FilterList{Schema: FiltersSchema, Filters: filterKinds()}
	for i := range fields {
		list.Fields = append(list.Fields, FilterField{slices.Clone(fields[i].names), fields[i].meaning, fields[i].form()})
	}
	return list
}

// filterKinds are the filters with a name. A function, because parsing a
// condition asks for the names.
func filterKinds() []FilterKind {
	return []FilterKind{windowKind(), duplicatesKind(), partialsKind(), failedAtStartKind(), flurriesKind()}
}
