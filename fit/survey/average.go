package survey

import (
	"strings"

	"github.com/loadstone-hpc/loadstone/fit/site"
	"github.com/loadstone-hpc/loadstone/model"
)

// AverageSchema names the JSON form of AverageResult and its version.
const AverageSchema = "loadstone.fit-representative/1"

// AverageResult is the result of Average: one model of several sites.
type AverageResult struct {
	Schema string         `json:"schema"`
	Method string         `json:"method"` // site.MethodAverage or site.MethodSearch
	Sites  []AveragedSite `json:"sites"`
	Model  AveragedSite   `json:"model"`

	Report site.RepresentativeReport `json:"-"`
}

// AveragedSite is a model with its origin.
type AveragedSite struct {
	Input string       `json:"input,omitempty"` // file; "" for the average
	Model ModelFile    `json:"model"`
	Fit   *site.Report `json:"fit,omitempty"` // if Input is a log
}

// ModelFile is a model whose JSON is that of the model file.
type ModelFile struct{ model.Site }

// MarshalJSON writes the model file.
func (m ModelFile) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	if err := model.Encode(&b, m.Site); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}

// JSONShape returns the type of the JSON: an object that package model describes.
func (ModelFile) JSONShape() any { return map[string]any{} }

// Average combines several models into one, as site.Representative does.
func Average(sites []AveragedSite, o site.RepresentativeOptions) (*AverageResult, error) {
	var models []model.Site
	for _, s := range sites {
		models = append(models, s.Model.Site)
	}
	m, report, err := site.Representative(models, o)
	if err != nil {
		return nil, err
	}
	return &AverageResult{Schema: AverageSchema, Method: report.Method, Sites: sites, Model: AveragedSite{Model: ModelFile{m}}, Report: report}, nil
}
