package live

import (
	"context"
)

// Advice returns the sizes and time limits for a program. Its errors are as of Wait.
func (s *Service) Advice(ctx context.Context, q AdviceQuestion) (*Advice, error) {
	v := s.view.Load()
	if v == nil {
		return nil, ErrNotReady
	}
	return &Advice{Schema: AdviceSchema, State: s.momentNow(v), All: []Candidate{}}, nil
}
