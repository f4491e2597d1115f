package protocol

// Keeps is how many bytes of what a hook prints an agent gives to its model; false
// for an agent that is not known. Gemini and Copilot were seen to keep 60 kB, all
// that they were given; for the others it is [Limit].
func Keeps(agent string) (bytes int, known bool) {
	for _, a := range agents {
		if a.name == agent {
			if agent == "gemini" || agent == "copilot" {
				return 60_000, true
			}
			return Limit, true
		}
	}
	return 0, false
}
