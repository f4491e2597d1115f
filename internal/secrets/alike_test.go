package secrets

import (
	"math/rand/v2"
	"testing"
)

// alikes returns texts that look like secrets and are common in documentation, code and checkpoints.
func alikes(m maker) []string {
	return []string{
		"postgres://user:password@localhost:5432/db",
		"postgres://postgres:postgres@localhost/shop",
		"postgres://app:app123@localhost/shop",
		"amqp://guest:guest@localhost:5672",
		"`DATABASE_URL=postgres://${DB_USER}:${DB_PASSWORD}@db/shop`",
		"mongodb+srv://<user>:<password>@cluster0.mongodb.net",
		"redis://:****@cache:6379",
		"https://user:pass@example.com/path",
		"mysql://username:changeme@host/db",
		"https://{user}:{token}@github.com/me/shop.git",
		"https://x-access-token:$GITHUB_TOKEN@github.com/me/shop",
		"https://oauth2:xxxxxxxxxxxxxxxxxxxx@gitlab.com/me/shop",
		"docker://node:20-alpine@sha256:" + m.hex(64),
		"image: ghcr.io/me/shop:1.2.3@sha256:" + m.hex(64),
		"http://localhost:8080/path/@scope/name and ann@example.com",
		"git@github.com:me/shop.git, ssh://git@github.com:22/me/shop.git",
		"Authorization: Bearer $TOKEN",
		"Authorization: Bearer <token>",
		"`Authorization: Bearer YOUR_ACCESS_TOKEN_HERE_12345`",
		"Authorization: Basic dXNlcm5hbWU6cGFzc3dvcmQ=",
		"Authorization: Basic " + "QWxhZGRpbjpvcGVuIHNlc2FtZQ==",
		"- the Authorization header is read in `auth/header.go`, basic auth is for tests",
		"Cookie: theme=dark; lang=en; consent=1",
		"- Fix the cookie: SameSite=Lax in web/session_cookie_handler2.go",
		"Set-Cookie: session=<id>; HttpOnly; Path=/",
		"The password is required, the token was expired, the secret is rotated weekly",
		"password is hashed with argon2id; before, PBKDF2-SHA256 with 600000 rounds",
		"the password is stored in vault:shop/db, read by config.Password(ctx)",
		"password: ${PASSWORD}", "password = os.environ['DB_PASSWORD2']", "password := readPassword2(ctx)",
		"password: \"{{ .Values.db.password }}\"", "password=********", "passwd: (asked for)",
		"PASSWORD=changeme123", "password: example1234", "DB_PASSWORD=your-Password-1",
		"- **Password reset**: users.password_hash2 -> users.password_argon2",
		"password is checked by TestPassword2Rules in auth/password2_test.go:120",
		"sshpass -p \"$SSHPASS\" ssh host", "sshpass -p <password> ssh host", "mysql -u root -p shop < dump.sql", "mysql -u root -p${MYSQL_PW} shop", "mysql --port 3307 -prompt",
		"curl -u \"$USER:$PASS\" https://api.example.com", "curl -u user:password https://api.example.com",
		"docker login -u ann --password-stdin", "redis-cli -a $REDISCLI_AUTH ping", "gh auth login --with-token < file", "ckpt export --token-budget 1000 --token 2000",
		"machine api.example.com login USER password PASSWORD",
		"Server=localhost;Database=shop;User Id=sa;Password=<password>;",
		"AccountKey=<your-key>;EndpointSuffix=core.windows.net",
		"https://api.example.com/v1/items?limit=5&token=TOKEN&api_key=API_KEY",
		"https://example.com/?key=value&sort=asc", "the cache key=user:1234567890:profile",
		"sk-or-v1-...", "gsk_xxxxxxxxxxxxxxxxxxxxxxxxxxxx", "sk-ant-your-key-here", "whsec_<secret>", "ghp_XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX", "xai-your-api-key-goes-here-000",
		"- task-list-item-for-the-new-login-page-of-the-web-shop", "sk-learn-based-model-selection-for-the-recommender", "risk-assessment-2026-01-02-for-the-new-payment-provider",
		"AKIAIOSFODNN7EXAMPLE", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
		"commit " + m.hex(40), "base: " + m.hex(40), "sha256:" + m.hex(64), "session: 0f4e2c9a-6b7d-4e1f-9a8b-1c2d3e4f5a6b",
		"\"integrity\": \"sha512-" + b64(m.an(64)) + "\"", "h1:" + b64(m.an(32)) + "  go.sum",
		"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + m.an(43) + " ann@laptop", "-----BEGIN PUBLIC KEY-----\n" + m.an(64) + "\n-----END PUBLIC KEY-----",
		"client-certificate-data: " + b64("-----BEGIN CERTIFICATE-----\n"+m.an(64)+"\n"),
		"- the API key is read from `VAULT_TOKEN`, the access token is 60 s valid",
		"the cache key is " + m.hex(40), "The tokens_used: 182344, key: chk-auth, anchor: main@651088b",
		"tskey-auth-...", "figd_<token>", "dapi" + "-docs", "npm_config_registry=https://registry.npmjs.org/some_long_name",
		"privateKey: crypto.KeyObject, PrivateKey = loadKey(path)", "mnemonic: twelve words that the user wrote down",
		"<password>your-password-1</password>", "<password>${db.password}</password>", `app.config["SECRET_KEY"] = os.environ["FLASK_SECRET_KEY_2"]`,
		"SECRET_KEY = os.environ['SECRET_KEY_FOR_PRODUCTION_2']", "SECRET_KEY = '${DJANGO_SECRET_KEY_OF_THE_STAGING_HOST}'",
		"SECRET_KEY = 'your-secret-key-goes-here-and-is-long-enough'", "APP_KEY=base64:<32 bytes>", "the path patterns.txt and patAcH.md",
		"public_key: " + m.hex(64),
		"//registry.internal/:_authToken=${NPM_TOKEN}", "psk=\"your-wifi-password\"", "key_mgmt=WPA-PSK psk=\"\"",
		"login: GET / POST", "login: src/auth / handler2.go", "user: ann / reviewer", "login: v1 / v2.3.1", "login: web / api2",
		"pwd=/srv/main && cd $pwd", "PWD=/home/ann/src/project2", "OLDPWD=/home/ann/src/Project-2026",
	}
}

// TestAlikes checks that no scan finds a secret in one of them.
func TestAlikes(t *testing.T) {
	m := maker{rand.New(rand.NewPCG(28, 0))}
	for _, text := range alikes(m) {
		for _, whole := range []string{text, "- " + text + ".\n", "| x | `" + text + "` |\n"} {
			if got := places((&Scanner{}).Scan("note.md", whole)); got != "" {
				t.Errorf("%s: %q", got, whole)
			}
		}
	}
}
