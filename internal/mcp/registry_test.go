package mcp

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// registryEntry is server.json, by which the MCP registry lists the server. It has the members of
// the schema of 2025-12-11 that ckpt uses.
type registryEntry struct {
	Schema      string `json:"$schema"`
	Name        string `json:"name"`
	Title       string `json:"title"`
	Description string `json:"description"`
	Version     string `json:"version"`
	Repository  struct {
		URL    string `json:"url"`
		Source string `json:"source"`
	} `json:"repository"`
	WebsiteURL string `json:"websiteUrl"`
	Meta       struct {
		Publisher mcpServer `json:"io.modelcontextprotocol.registry/publisher-provided"`
	} `json:"_meta"`
}

// mcpServer describes how a server is installed and started.
type mcpServer struct {
	Install   []string `json:"install"`
	Command   string   `json:"command"`
	Args      []string `json:"args"`
	Transport string   `json:"transport"`
}

// TestRegistryEntry asserts that the MCP registry can take server.json, and that the file agrees
// with the server and with the extension for Gemini CLI.
func TestRegistryEntry(t *testing.T) {
	var entry registryEntry
	decode(t, "server.json", &entry)
	var extension struct {
		Version    string               `json:"version"`
		Context    string               `json:"contextFileName"`
		Name       string               `json:"name"`
		MCPServers map[string]mcpServer `json:"mcpServers"`
	}
	decode(t, "gemini-extension.json", &extension)

	if !strings.HasPrefix(entry.Schema, "https://static.modelcontextprotocol.io/schemas/") {
		t.Errorf("the schema is %s", entry.Schema)
	}
	name := regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9.-]*[a-zA-Z0-9]/ckpt$`)
	if !name.MatchString(entry.Name) {
		t.Errorf("the name is %s, not one of reverse DNS", entry.Name)
	}
	if entry.Title != "Checkpoints" || entry.Description == "" || len(entry.Description) > 100 {
		t.Errorf("the title is %q, the description %q (at most 100 bytes)", entry.Title, entry.Description)
	}
	for _, address := range []string{entry.Repository.URL, entry.WebsiteURL} {
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "https" || u.Host == "" {
			t.Errorf("%q is not an https address", address)
		}
	}
	if !strings.HasPrefix(entry.WebsiteURL, entry.Repository.URL+"/") || entry.Repository.Source != "github" {
		t.Errorf("the repository is %+v, the website %s", entry.Repository, entry.WebsiteURL)
	}
	exact := regexp.MustCompile(`^\d+\.\d+\.\d+$`)
	if !exact.MatchString(entry.Version) || entry.Version != extension.Version {
		t.Errorf("the version is %s, that of the extension %s", entry.Version, extension.Version)
	}
	server, want := entry.Meta.Publisher, extension.MCPServers["ckpt"]
	if server.Command != want.Command || !slices.Equal(server.Args, want.Args) || server.Transport != "stdio" {
		t.Errorf("it starts %+v, the extension %+v", server, want)
	}
	for _, line := range server.Install {
		if strings.Contains(line, "@") && !strings.HasSuffix(line, "@v"+entry.Version) {
			t.Errorf("%q does not install version %s", line, entry.Version)
		}
	}
}

// decode reads a file at the top of the repository, and refuses keys that v does not have.
func decode(t *testing.T, file string, v any) {
	t.Helper()
	src, err := os.ReadFile("../../" + file)
	if err != nil {
		t.Fatal(err)
	}
	from := json.NewDecoder(bytes.NewReader(src))
	from.DisallowUnknownFields()
	if err := from.Decode(v); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}
