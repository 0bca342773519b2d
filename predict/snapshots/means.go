package snapshots

// means predicts the mean logarithm of the known waits of the job's group, or of all,
// and bounds the wait by their quantile.
type means struct {
	name     string
	groups   bool
	quantile float64
	all      Prediction
	of       map[int]Prediction
}

// NewConstant returns the predictor "constant": the mean of all known waits,
// with their quantile at share, in (0, 1), as the bound.
func NewConstant(share float64) Predictor { return &means{name: "constant", quantile: share} }

// NewGroupMeans returns the predictor "group-means": the mean of the known
// waits of the job's group, or of all jobs if its group has none, with the
// quantile at share, in (0, 1), as the bound.
func NewGroupMeans(share float64) Predictor {
	return &means{name: "group-means", groups: true, quantile: share}
}

func (m *means) Name() string { return m.name }

func (m *means) Learn(past []Row, now float64) error {
	m.all = level(known(past, now), m.quantile)
	m.of = map[int]Prediction{}
	if !m.groups {
		return nil
	}
	logs := map[int][]float64{}
	for i := range past {
		if r := &past[i]; r.Known(now) {
			logs[r.Group] = append(logs[r.Group], Log(r.Wait))
		}
	}
	for group, logs := range logs {
		m.of[group] = level(logs, m.quantile)
	}
	return nil
}

func (m *means) Predict(rows []Row, out []Prediction) {
	for i := range rows {
		p, ok := m.of[rows[i].Group]
		if !ok {
			p = m.all
		}
		out[i] = p
	}
}
