package wire

import "example.com/ckpt/internal/core/result"

// Diagnosis is the answer of `ckpt doctor`.
type Diagnosis struct {
	Head
	Healthy  bool      `json:"healthy"`
	Facts    []Fact    `json:"facts"`
	Ailments []Ailment `json:"ailments"`
}

// Fact is something that is as it is.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Ailment is something that should not be as it is.
type Ailment struct {
	Code   string `json:"code"`
	What   string `json:"what"`
	Fix    string `json:"fix,omitempty"`
	Mended bool   `json:"mended"`
}

// FromDiagnosis is the answer that holds a diagnosis.
func FromDiagnosis(d *result.Diagnosis) Diagnosis {
	w := Diagnosis{head("diagnosis"), d.Open() == 0, []Fact{}, []Ailment{}}
	for _, f := range d.Facts {
		w.Facts = append(w.Facts, Fact(f))
	}
	for _, a := range d.Ailments {
		w.Ailments = append(w.Ailments, Ailment(a))
	}
	return w
}
