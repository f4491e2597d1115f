package workspace

// opSync names the commits that carry the folder from one side to the other.
const OpSync = "sync"
