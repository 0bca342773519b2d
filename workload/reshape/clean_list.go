package reshape

// filterKinds are the filters with a name. A function, because parsing a
// condition asks for the names.
func filterKinds() []FilterKind {
	return []FilterKind{windowKind(), duplicatesKind(), partialsKind(), failedAtStartKind(), flurriesKind(), dailyPeakKind()}
}
