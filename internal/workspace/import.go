package workspace

// OpImport is the name of an import, which makes no checkpoint current unless it makes one only.
const OpImport = "import"
