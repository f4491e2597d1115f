package secrets

import (
	"encoding/base64"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// maker makes values that look like secrets, the same in every run. They are not
// literals, so that no scanner finds them in this file.
type maker struct{ *rand.Rand }

const (
	hexits   = "0123456789abcdef"
	lowers   = "abcdefghijklmnopqrstuvwxyz0123456789"
	alphanum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
	base32s  = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"
)

func (m maker) of(alphabet string, n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[m.IntN(len(alphabet))]
	}
	return string(b)
}

func (m maker) hex(n int) string { return m.of(hexits, n) }
func (m maker) an(n int) string  { return m.of(alphanum, n) }

// passwords has passwords as people choose them.
var passwords = []string{"S3cr3t" + "-Pw!9", "Tr0ub4dor" + "&3", "hunter2" + "hunter2", "xK9#mPq2" + "vL", "Winter2024" + "!"}

func b64(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

type sample struct{ name, text string }

// planted returns 71 kinds of secrets: 38 keys that are known by their form, and 33
// secrets that are known by the text around them.
func planted(m maker, pw string) []sample {
	pem := "-----BEGIN RSA " + "PRIVATE KEY-----\n" + strings.Repeat(m.an(64)+"\n", 12) + "-----END RSA " + "PRIVATE KEY-----"
	jwt := strings.TrimRight(b64(`{"alg":"HS256","typ":"JWT"}`), "=") + "." + strings.TrimRight(b64(`{"sub":"`+m.an(12)+`","iat":1516239022}`), "=") + "." + m.an(43)
	return []sample{
		{"AWS access key id", "AKIA" + m.of(base32s, 16)},
		{"AWS secret key", "aws_secret_access_key = " + m.an(40)},
		{"GitHub token", "ghp_" + m.an(36)},
		{"GitHub fine-grained token", "github_" + "pat_" + m.an(82)},
		{"GitHub OAuth token", "gho_" + m.an(36)},
		{"GitLab token", "glpat-" + m.an(20)},
		{"Slack bot token", "xoxb-" + m.of("0123456789", 12) + "-" + m.of("0123456789", 12) + "-" + m.an(24)},
		{"Slack webhook", "https://hooks.slack.com/services/" + "T" + m.an(8) + "/B" + m.an(8) + "/" + m.an(24)},
		{"Stripe key", "sk_" + "live_" + m.an(24)},
		{"Stripe webhook secret", "whsec_" + m.an(32)},
		{"OpenAI key", "sk-" + "proj-" + m.an(20) + "T3Blbk" + "FJ" + m.an(20)},
		{"Anthropic key", "sk-ant-" + "api03-" + m.an(93) + "AA"},
		{"OpenRouter key", "sk-or-" + "v1-" + m.hex(64)},
		{"Groq key", "gsk_" + m.an(52)},
		{"xAI key", "xai-" + m.an(80)},
		{"Replicate key", "r8_" + m.an(37)},
		{"Hugging Face token", "hf_" + m.of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 34)},
		{"Google API key", "AIza" + m.an(35)},
		{"Google service account", `"private_key": "` + strings.ReplaceAll(pem, "\n", `\n`) + `",`},
		{"npm token", "npm_" + m.of(lowers, 36)},
		{"PyPI token", "pypi-" + "AgEIcHlwaS5vcmc" + m.an(80)},
		{"Docker Hub token", "dckr_" + "pat_" + m.an(27)},
		{"Notion token", "ntn_" + m.an(46)},
		{"Figma token", "figd_" + m.an(40)},
		{"Tailscale key", "tskey-" + "auth-" + m.an(17) + "-" + m.an(32)},
		{"Supabase key", "sbp_" + m.hex(40)},
		{"SendGrid key", "SG." + m.an(22) + "." + m.an(43)},
		{"Twilio key", "SK" + m.hex(32)},
		{"Mailgun key", "key-" + m.hex(32)},
		{"Databricks token", "dapi" + m.hex(32)},
		{"DigitalOcean token", "dop_" + "v1_" + m.hex(64)},
		{"Linear key", "lin_" + "api_" + m.an(40)},
		{"Vault token", "hvs." + m.an(95)},
		{"age key", "AGE-SECRET-" + "KEY-1" + m.of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)},
		{"SSH private key", pem},
		{"JWT", jwt},
		{"Telegram bot token", m.of("123456789", 10) + ":AA" + m.an(33)},
		{"Discord webhook", "https://discord.com/api/webhooks/" + m.of("123456789", 18) + "/" + m.an(68)},

		{"postgres URL", "postgres://admin:" + pw + "@db.internal:5432/shop"},
		{"MySQL URL", "mysql://shop:" + pw + "@10.0.3.4/shop"},
		{"MongoDB URL", "mongodb+srv://root:" + pw + "@cluster0.mongodb.net/shop"},
		{"Redis URL", "redis://:" + pw + "@cache.internal:6379/0"},
		{"AMQP URL", "amqp://worker:" + pw + "@mq.internal:5672"},
		{"URL with a login", "https://ann:" + pw + "@registry.internal/v2/"},
		{"GitLab URL", "https://oauth2:" + m.an(26) + "@gitlab.com/me/shop.git"},
		{"GitHub URL", "https://x-access-token:" + m.an(40) + "@github.com/me/shop.git"},
		{"FTP URL", "ftp://deploy:" + pw + "@files.internal/"},
		{"SMTP URL", "smtp://mailer:" + pw + "@mail.internal:587"},
		{"Authorization: Basic", "Authorization: Basic " + b64("ann:"+pw)},
		{"Authorization: Bearer", "Authorization: Bearer " + m.an(40)},
		{"curl with a header", "curl -H 'Authorization: Bearer " + m.an(40) + "' https://api.internal/v1"},
		{"curl -u", "curl -u ann:" + pw + " https://api.internal/v1"},
		{"Cookie", "Cookie: theme=dark; session_id=" + m.an(32)},
		{"Set-Cookie", "Set-Cookie: sid=" + m.an(40) + "; HttpOnly"},
		{"base64 of a token", "token in the manifest: " + b64("ghp_"+m.an(36))},
		{"Azure storage", "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=" + m.an(86) + "==;EndpointSuffix=core.windows.net"},
		{"ADO connection string", "Server=db.internal;Database=shop;User Id=sa;Password=" + pw + ";"},
		{"JDBC URL", "jdbc:postgresql://db.internal/shop?user=shop&password=" + strings.Trim(pw, "&#3")},
		{"sshpass", "sshpass -p '" + pw + "' ssh root@10.0.0.5"},
		{"mysql -p", "mysql -u root -p" + pw + " shop < dump.sql"},
		{"PGPASSWORD", "PGPASSWORD=" + pw + " psql -h db.internal"},
		{"export", "export DB_PASSWORD='" + pw + "'"},
		{"YAML", "  password: " + pw},
		{"prose", "The admin password is " + pw + ", ask Bob for the user"},
		{"netrc", "machine api.internal login ann password " + pw},
		{"pgpass", "db.internal:5432:shop:ann:" + pw},
		{"npmrc", "//registry.internal/:_authToken=" + m.an(40)},
		{"Docker login", `{"auths": {"registry.internal": {"auth": "` + b64("ann:"+pw) + `"}}}`},
		{"kubeconfig", "    client-key-data: " + b64(pem)},
		{"redis-cli", "redis-cli -h cache.internal -a " + pw + " ping"},
		{"name and value", `api_key = "` + m.an(32) + `"`},
	}
}

// besides returns more kinds of secrets.
func besides(m maker, pw string) []sample {
	return []sample{
		{"private key, cut off", "-----BEGIN OPENSSH " + "PRIVATE KEY-----\n" + m.an(70) + "\n"},
		{"URL parameter", "https://api.internal/v1/items?limit=5&access_token=" + m.an(40)},
		{"URL with a token", "https://" + m.an(40) + "@github.com/me/shop.git"},
		{"X-API-Key", "X-API-Key: " + m.an(32)},
		{"PRIVATE-TOKEN", `curl --header "PRIVATE-TOKEN: ` + m.an(20) + `" https://gitlab.internal/api`},
		{"WireGuard", "PrivateKey = " + b64(m.an(32))},
		{"docker login", "docker login -u ann -p " + pw + " registry.internal"},
		{"mongosh", "mongosh --host db.internal -u root -p " + pw},
		{"--password", "restic --password " + pw},
		{"SharedAccessKey", "Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=" + m.an(43) + "="},
		{"DeepSeek key", "sk-" + m.hex(32)},
		{"Google OAuth secret", "GOCSPX-" + m.an(28)},
		{"Google OAuth token", "ya29." + "a0" + m.an(120)},
		{"Tavily key", "tvly-" + "dev-" + m.an(32)},
		{"LangSmith key", "lsv2_" + "pt_" + m.hex(32) + "_" + m.hex(10)},
		{"Pinecone key", "pcsk_" + m.an(60)},
		{"NVIDIA key", "nvapi-" + m.an(64)},
		{"Vercel token", "vcp_" + m.an(40)},
		{"Netlify token", "nfp_" + m.an(40)},
		{"Atlassian token", "ATATT3" + "xFfGF0" + m.an(180)},
		{"crates.io token", "cio" + m.an(32)},
		{"Ethereum key", "private key: 0x" + m.hex(64)},
		{"seed phrase", "mnemonic: " + strings.Repeat("abandon ", 11) + "about"},
		{"token in prose", "the deploy token is " + m.an(32)},
		{"in a table", "| staging | `postgres://app:" + pw + "@db.internal/app` |"},
		{"in a sentence", "use `redis-cli -a " + pw + "` for it"},
		{"two on a line", "old gsk_" + m.an(52) + " new gsk_" + m.an(52)},
		{"Wi-Fi", `psk="` + pw + `"`},
		{"Wi-Fi in hex", "psk=" + m.hex(64)},
		{"login in prose", "login: mia / " + pw},
		{"x-access-token as base64", "AUTHORIZATION: basic " + b64("x-access-token:"+m.an(40))},
	}
}

// TestPlanted checks how many kinds are found. The rules of gitleaks alone find far
// fewer.
func TestPlanted(t *testing.T) {
	for seed, pw := range passwords {
		m := maker{rand.New(rand.NewPCG(uint64(seed), 71))}
		all := planted(m, pw)
		if len(all) != 71 {
			t.Fatalf("%d kinds", len(all))
		}
		missed := unseen(t, all, &Scanner{})
		theirs := unseen(t, all, &Scanner{Allow: Allow{Rules: ownIDs()}})
		t.Logf("%q: %d of 71 by all rules, %d by gitleaks' alone: %s", pw, 71-len(missed), 71-len(theirs), strings.Join(theirs, ", "))
		if len(missed) > 0 {
			t.Errorf("%q: missed %s", pw, strings.Join(missed, ", "))
		}
		if missed := unseen(t, besides(m, pw), &Scanner{}); len(missed) > 0 {
			t.Errorf("%q: missed besides %s", pw, strings.Join(missed, ", "))
		}
	}
}

// unseen returns the names of the samples in which nothing is found, within a checkpoint.
func unseen(t *testing.T, all []sample, s *Scanner) []string {
	t.Helper()
	var names []string
	for _, p := range all {
		if found := s.Scan("note.md", "## Context\n\n- "+p.text+"\n- Done\n"); len(found) == 0 {
			names = append(names, p.name)
		}
	}
	return names
}

func ownIDs() []string {
	var all []string
	for _, r := range slices.Concat(own[:], keys[:]) {
		all = append(all, r.id)
	}
	return all
}
