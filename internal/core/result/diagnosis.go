package result

// Diagnosis is what doctor knows of a repository: facts, and what ails it.
type Diagnosis struct {
	Facts    []Fact
	Ailments []Ailment
}

// Fact is something that is as it is.
type Fact struct{ Name, Value string }

// Ailment is something that should not be as it is.
type Ailment struct {
	Code   string // stable: "two-currents"
	What   string // what is wrong, with which object
	Fix    string // what mends it, where doctor cannot
	Mended bool   // doctor --fix has mended it
}

// Open is the number of ailments that are not mended.
func (d *Diagnosis) Open() int {
	n := 0
	for _, a := range d.Ailments {
		if !a.Mended {
			n++
		}
	}
	return n
}
