package secrets

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// pasted returns 112 secrets as people paste them: in settings, command lines, headers, files and
// sentences.
func pasted(m maker) []sample {
	pw := func() string { // like that of a generator, with all kinds of characters
		return m.of(lowers, 3) + m.of("ABCDEFGHJKLMNP", 2) + m.of("0123456789", 2) + m.of("!@#+=?", 1) + m.an(5) + "7b"
	}
	upper := "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	uuid := func() string { return fmt.Sprintf("%s-%s-%s-%s-%s", m.hex(8), m.hex(4), m.hex(4), m.hex(4), m.hex(12)) }
	django := "abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)"
	var all []sample
	add := func(name, format string, values ...string) {
		args := make([]any, len(values))
		for i, v := range values {
			args[i] = v
		}
		all = append(all, sample{name, fmt.Sprintf(format, args...)})
	}
	// settings of frameworks and services
	add("Django", "SECRET_KEY = '%s'", m.of(django, 50))
	add("Django, double quotes", `SECRET_KEY = "%s"`, m.of(django, 50))
	add("Django env", "DJANGO_SECRET_KEY='%s'", m.of(django, 50))
	add("Flask", `app.config["SECRET_KEY"] = "%s"`, m.hex(48))
	add("Rails", "secret_key_base: %s", m.hex(128))
	add("Rails env", "SECRET_KEY_BASE=%s", m.hex(128))
	add("Rails master key", "RAILS_MASTER_KEY=%s", m.hex(32))
	add("Laravel", "APP_KEY=base64:%s", b64(m.an(32)))
	add("Symfony", "APP_SECRET=%s", m.hex(32))
	add("NextAuth", "NEXTAUTH_SECRET=%s", b64(m.an(32)))
	add("JWT secret", "JWT_SECRET=%s", m.an(48))
	add("Encryption key", "ENCRYPTION_KEY=%s", m.hex(64))
	add("WordPress", "define('AUTH_KEY', '%s');", m.an(64))
	add("Azure OpenAI", "AZURE_OPENAI_KEY=%s", m.hex(32))
	add("Azure OpenAI, YAML", "azure_openai_key: %s", m.hex(32))
	add("Azure subscription", "Ocp-Apim-Subscription-Key: %s", m.hex(32))
	add("Azure client secret", "AZURE_CLIENT_SECRET=%s", m.an(3)+"8Q~"+m.an(34))
	add("Azure storage", "AccountName=shop;AccountKey=%s==;", m.an(86))
	add("AWS pair", "aws_access_key_id = %s", "AKIA"+m.of(base32s, 16))
	add("AWS secret", "AWS_SECRET_ACCESS_KEY=%s", m.an(40))
	add("AWS session", "AWS_SESSION_TOKEN=%s", "IQoJb3JpZ2lu"+m.an(200))
	add("Cloudflare", "CLOUDFLARE_API_TOKEN=%s", m.an(40))
	add("Datadog", "DD_API_KEY=%s", m.hex(32))
	add("Sentry", "SENTRY_AUTH_TOKEN=%s", "sntrys_"+b64(`{"iat":1700000000.1,"url":"https://sentry.io","org":"`+m.an(8)+`"}`)+"_"+m.an(43))
	add("Algolia", "ALGOLIA_ADMIN_API_KEY=%s", m.hex(32))
	add("Mapbox", "MAPBOX_TOKEN=sk.%s.%s", "eyJ1Ijoi"+m.an(60), m.an(22))
	add("Heroku", "HEROKU_API_KEY=%s", uuid())
	add("New Relic", "%s", "NRAK-"+m.of(upper, 27))
	add("New Relic, set", "NEW_RELIC_API_KEY=%s", "NRAK-"+m.of(upper, 27))
	add("Airtable", "%s", "pat"+m.an(14)+"."+m.hex(64))
	add("Airtable, set", "AIRTABLE_TOKEN=%s", "pat"+m.an(14)+"."+m.hex(64))
	add("Okta", "OKTA_API_TOKEN=%s", "00"+m.an(40))
	add("Twilio", "TWILIO_AUTH_TOKEN=%s", m.hex(32))
	add("Mailchimp", "MAILCHIMP_KEY=%s-us14", m.hex(32))
	add("SendGrid", "SENDGRID_API_KEY=%s", "SG."+m.an(22)+"."+m.an(43))
	add("Grafana", "GRAFANA_TOKEN=%s", "glsa_"+m.an(32)+"_"+m.hex(8))
	add("PlanetScale", "%s", "pscale_"+"tkn_"+m.an(43))
	add("Shopify", "%s", "shpat_"+m.hex(32))
	add("Square", "%s", "EAAA"+m.an(60))
	add("Dropbox", "dropbox_access_token: %s", "sl."+m.an(130))
	add("Terraform", "token = \"%s\"", m.an(14)+".atlasv1."+m.an(67))
	add("Doppler", "DOPPLER_TOKEN=%s", "dp.pt."+m.an(43))
	add("Pulumi", "PULUMI_ACCESS_TOKEN=%s", "pul-"+m.hex(40))
	add("Snyk", "SNYK_TOKEN=%s", uuid())
	add("Postman", "%s", "PMAK-"+m.hex(24)+"-"+m.hex(34))
	// keys alone
	add("GitHub", "%s", "ghp_"+m.an(36))
	add("GitHub app", "%s", "ghs_"+m.an(36))
	add("GitLab", "%s", "glpat-"+m.an(20))
	add("Slack", "%s", "xoxp-"+m.of("0123456789", 12)+"-"+m.of("0123456789", 12)+"-"+m.of("0123456789", 12)+"-"+m.hex(32))
	add("Slack app", "%s", "xapp-1-A"+m.of(upper, 10)+"-"+m.of("0123456789", 13)+"-"+m.hex(64))
	add("Stripe", "%s", "rk_"+"live_"+m.an(24))
	add("OpenAI", "%s", "sk-"+"proj-"+m.an(74)+"T3Blbk"+"FJ"+m.an(74))
	add("Anthropic", "ANTHROPIC_API_KEY=%s", "sk-ant-"+"api03-"+m.an(93)+"AA")
	add("Google", "%s", "AIza"+m.an(35))
	add("npm", "%s", "npm_"+m.an(36))
	add("PyPI", "%s", "pypi-"+"AgEIcHlwaS5vcmc"+m.an(90))
	add("Groq", "%s", "gsk_"+m.an(52))
	add("Hugging Face", "%s", "hf_"+m.an(34))
	add("DigitalOcean", "%s", "dop_"+"v1_"+m.hex(64))
	add("Linear", "%s", "lin_"+"api_"+m.an(40))
	add("Perplexity", "%s", "pplx-"+m.an(48))
	add("Mistral", "MISTRAL_API_KEY=%s", m.an(32))
	add("Cohere", "COHERE_API_KEY=%s", m.an(40))
	add("DeepSeek", "DEEPSEEK_API_KEY=%s", "sk-"+m.hex(32))
	add("Telegram", "%s", m.of("123456789", 10)+":AA"+m.an(33))
	add("Discord", "DISCORD_TOKEN=%s", "M"+m.an(25)+"."+m.an(6)+"."+m.an(38))
	add("age", "%s", "AGE-SECRET-"+"KEY-1"+m.of("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58))
	add("SSH", "%s", "-----BEGIN OPENSSH "+"PRIVATE KEY-----\n"+m.an(70)+"\n"+m.an(70)+"\n-----END OPENSSH "+"PRIVATE KEY-----")
	add("PKCS8", "%s", "-----BEGIN "+"PRIVATE KEY-----\n"+m.an(64)+"\n"+m.an(64)+"\n-----END "+"PRIVATE KEY-----")
	// URLs and connection strings
	for _, scheme := range []string{"postgres", "mysql", "mongodb", "amqps", "rediss", "mssql", "clickhouse", "ldap"} {
		add(scheme, scheme+"://app:%s@db.internal:1234/shop", m.an(12)+"7")
	}
	add("sa", "Server=tcp:db.internal;User Id=sa;Password=%s;Encrypt=true", pw())
	add("Redis Go", `redis.Options{Addr: "c:6379", Password: "%s"}`, pw())
	add("git remote", "git remote set-url origin https://ann:%s@git.internal/shop.git", "ghp_"+m.an(36))
	add("pip index", "--index-url https://build:%s@pypi.internal/simple", m.an(16)+"3")
	add("webhook", "https://hooks.slack.com/services/"+"T%s/B%s/%s", m.of(upper, 8), m.of(upper, 8), m.an(24))
	add("SAS", "https://shop.blob.core.windows.net/c?sv=2022-11-02&sig=%s%%3D", m.an(43))
	add("GET", "GET /v1/me?api_key=%s", m.an(32))
	// files
	add("npmrc UUID", "//npm.internal/:_authToken=%s", uuid())
	add("npmrc", "//npm.internal/:_authToken=%s", m.an(36))
	add("npmrc _auth", "_auth=%s", b64("ann:"+pw()))
	add("pypirc", "[pypi]\nusername = ann\npassword = %s", pw())
	add("netrc", "machine git.internal login ann password %s", pw())
	add("pgpass", "db.internal:5432:*:ann:%s", pw())
	add("docker", `"auth": "%s"`, b64("ann:"+pw()))
	add("Wi-Fi", `psk="%s"`, pw())
	add("hostapd", "wpa_passphrase=%s", pw())
	add("properties", "spring.datasource.password=%s", pw())
	add("XML", "<password>%s</password>", pw())
	add("JSON", `{"db_password": "%s"}`, pw())
	add("TOML", `password = "%s"`, pw())
	add("compose", "      - POSTGRES_PASSWORD=%s", pw())
	add("k8s secret", "stringData:\n  password: %s", pw())
	add("ansible", "ansible_become_pass: %s", pw())
	// command lines and headers
	add("curl -u", "curl -u ann:%s https://api.internal", pw())
	add("curl header", "curl -H 'X-Api-Key: %s' https://api.internal", m.an(32))
	add("bearer", "Authorization: Bearer %s", m.an(40))
	add("mysql", "mysql -u root -p%s shop", pw())
	add("sshpass", "sshpass -p %s ssh pi@10.0.0.2", pw())
	add("docker login", "docker login -u ann -p %s r.internal", pw())
	add("export", "export GITHUB_TOKEN=%s", "ghp_"+m.an(36))
	add("helm", "helm upgrade x --set auth.password=%s", pw())
	// sentences
	add("login", "login: mia / %s", pw())
	add("user", "user: deploy | %s", pw())
	add("password is", "the password of staging is %s, ask Bob", pw())
	add("credentials", "Credentials: admin / %s", pw())
	return all
}

// TestPasted checks that all of these secrets are found.
func TestPasted(t *testing.T) {
	for seed := range uint64(5) {
		all := pasted(maker{rand.New(rand.NewPCG(seed, 112))})
		missed := unseen(t, all, &Scanner{})
		if len(all) != 112 || len(missed) > 0 {
			t.Errorf("of %d, want 112, missed %s", len(all), strings.Join(missed, ", "))
		}
	}
}

// harmless returns 64 texts that look like the secrets of pasted.
func harmless(m maker) []string {
	return []string{
		"SECRET_KEY = os.environ['DJANGO_SECRET_KEY']", "SECRET_KEY = config('SECRET_KEY', default='change-me-please-change-me-please')",
		"SECRET_KEY = env.str(\"SECRET_KEY\")", "SECRET_KEY = '<50 random characters, see docs/setup.md for it>'",
		"SECRET_KEY_BASE=${SECRET_KEY_BASE}", "SECRET_KEY_BASE=$(bin/rails secret)", "APP_KEY=", "APP_KEY=base64:YOUR_KEY",
		"- APP_KEY is made by php artisan key:generate", "NRAK-<key>", "NRAK-XXXXXXXXXXXXXXXXXXXXXXXXXXX", "NRAK is the prefix of New Relic's keys",
		"patterns.md", "patch.1234567890 and path.go", "pat<14 characters>.<64 of hex>", "AZURE_OPENAI_KEY=<your key>", "AZURE_OPENAI_KEY=$KEY",
		"AZURE_OPENAI_ENDPOINT=https://shop.openai.azure.com/", "- read api_key from the vault, then api_key.rotate()", "api_key: null",
		"access_token: str | None = None", "auth_token = request.headers.get('X-Auth')", "encryption_key: bytes", "signing_key = load_pem(path)",
		"_authToken=${NPM_TOKEN}", "_authToken=<token>", "//npm.internal/:always-auth=true", "psk=<passphrase>", "psk=\"\"", "psk = flags.psk",
		"login: mia", "login: mia / ann", "login: POST /api/v2/login", "user: ann / team: web", "account: 12345 / 67890", "credentials: see 1Password / vault",
		"user: ann | role: admin2", "login: /auth/login2 / session", "username: deploy / CI", "creds: aws / gcp", "<password>string</password>",
		"<password>${env.DB_PASSWORD}</password>", "<passwd/>", "password>=8 characters", "commit " + m.hex(40) + " fixes it", "tree: " + m.hex(64),
		"etag: \"" + m.hex(32) + "\"", "md5: " + m.hex(32), "trace_id=" + m.hex(32), "span " + m.hex(16), "digest: sha256:" + m.hex(64),
		"uuid: " + m.hex(8) + "-" + m.hex(4) + "-" + m.hex(4) + "-" + m.hex(4) + "-" + m.hex(12), "build-" + m.hex(12), "v2.14.0-rc.1+" + m.hex(7),
		"the token bucket is 100 per minute", "tokens: 128000, budget: 4096", "max_tokens=4096", "password_min_length=12", "PasswordResetToken2 in user_test.go",
		"passphrase is asked for on the terminal", "- **Secret scanning**: gitleaks 8.30 in CI", "the private key lies in /etc/ssl/private/server.pem",
		"export GITHUB_TOKEN=$(gh auth token)", "helm upgrade x --set auth.existingSecret=shop-db",
	}
}

// TestHarmless checks that no scan finds a secret in one of them.
func TestHarmless(t *testing.T) {
	all := harmless(maker{rand.New(rand.NewPCG(64, 0))})
	if len(all) != 64 {
		t.Errorf("%d texts, want 64", len(all))
	}
	for _, text := range all {
		if got := places((&Scanner{}).Scan("note.md", "## Context\n\n- "+text+"\n")); got != "" {
			t.Errorf("%s: %q", got, text)
		}
	}
}
