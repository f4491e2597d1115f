package resume

// savedBefore begins the text of every automatic delta.
const SavedBefore = "Saved before a"
