package secrets

// Our own rules find secrets that gitleaks' rules miss: passwords in URLs and command lines,
// headers, connection strings, and keys with newer prefixes. Each is applied to the lines with one
// of its words, and to the line after each.

// key returns a rule for keys with the given prefix.
func key(id, prefix, rest string, words ...string) rule {
	return rule{id: id, expr: `\b(` + prefix + rest + `)\b`, entropy: 3, words: words, fits: isKey}
}

// Parts of regular expressions: the quote before a value, and a value without spaces or quotes.
const (
	opens = "[\"'`]?"
	value = "([^\\s\"'`<>|\\\\]{5,})"
)

var own = [...]rule{
	{id: "url-password", words: []string{"://"}, group: 2, fits: isURLPassword,
		expr: `\b[a-zA-Z][a-zA-Z0-9+.-]{1,30}://([^\s/:@"'<>` + "`" + `]*):([^\s/"'<>` + "`" + `]{3,})@([\w.\[%$-][\w.:\]-]*)`},
	{id: "url-token", words: []string{"://"}, fits: isToken,
		expr: `\b(?:https?|git|ssh)://([A-Za-z0-9_-]{20,})@[\w-]+\.(?:[\w-]+\.)*[a-z]{2,}`},
	{id: "url-parameter", words: []string{"token=", "key=", "secret=", "password=", "passwd=", "pwd=", "signature=",
		"sig="}, fits: isParameter,
		expr: `[?&;](?:(?i)[a-z_-]*(?:token|api_?key|secret|signature)|key|sig|auth|password|passwd|pwd)=([^\s&"'<>` + "`" + `|)\]]{6,})`},
	{id: "connection-string", words: []string{"password=", "pwd=", "accountkey=", "sharedaccesskey=", "accesskey="},
		fits: isPassword,
		expr: `(?i)\b(?:password|pwd|accountkey|sharedaccesskey|accesskey)\s?=\s?["']?([^\s;"'<>` + "`" + `]{5,})["']?\s*;`},
	{id: "azure-account-key", words: []string{"accountkey=", "sharedaccesskey="},
		expr: `(?i)(?:accountkey|sharedaccesskey)=([a-z0-9+/]{40,}={0,2})`, entropy: 3.5},
	{id: "authorization-basic", words: []string{"basic "}, fits: isBasic,
		expr: `(?i)(?:authorization|auth|header)[^\n]{0,30}?\bbasic\s+([a-z0-9+/_-]{8,}={0,2})`},
	{id: "authorization-bearer", words: []string{"bearer ", "authorization"}, fits: isToken,
		expr: `(?i)(?:\bbearer\s+|\bauthorization["']?\s*[:=]\s*` + opens + `(?:token|apikey|api-key|key|digest)\s+)` + opens + `([a-z0-9._~+/=-]{16,})`},
	{id: "header-key", words: []string{"x-api-key", "x-auth-token", "x-access-token", "x-vault-token", "private-token",
		"job-token", "api-key:", "apikey:"}, fits: isToken,
		expr: `(?i)(?:x-(?:[a-z]+-)?(?:api-?key|auth-?token|access-?token|token)|private-token|job-token|api-?key)["']?\s*[:=]\s*` + opens + `([a-z0-9._~+/=-]{16,})`},
	{id: "cookie", words: []string{"cookie"}, fits: isToken,
		expr: `(?i)\b(?:set-)?cookie["']?\s*[:=]\s*` + opens + `(?:[\w.-]+=[^;\s"']{0,60};\s*){0,12}?[\w.-]+=(?:s%3A)?([^;\s"'` + "`" + `]{16,})`},
	{id: "base64-credential", fits: isEncoded,
		words: []string{"z2hwx", "z2hvx", "z2hzx", "z2l0ahvix3bhdf", "c2styw50l", "c2stchjvai", "qutjq", "eg94yi", "eg94cc",
			"z2xwyxqt", "c2tfbgl2zv", "ec1hy2nlc3mtdg9rzw46", "b2f1dggyo", "ls0tls1crudjt", "z2xwyxqt"},
		expr: `(?:^|[^A-Za-z0-9+/])((?:Z2hwX|Z2hvX|Z2hzX|Z2l0aHViX3BhdF|c2stYW50L|c2stcHJvai|QUtJQ|eG94Yi|eG94cC|Z2xwYXQt|c2tfbGl2ZV|eC1hY2Nlc3MtdG9rZW46|b2F1dGgyO|LS0tLS1CRUdJT)[A-Za-z0-9+/_-]{16,}={0,2})`},
	{id: "docker-auth", words: []string{`"auth"`, "_auth"}, fits: isBasic,
		expr: `(?:"auth"\s*:\s*"|\b_auth\s*=\s*"?)([A-Za-z0-9+/]{12,}={0,2})`},
	{id: "private-key-cut", words: []string{"private key"},
		expr: `-----BEGIN[ A-Z0-9_-]{0,}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\n|\\r)*([A-Za-z0-9+/=]{32,})`, entropy: 3},
	{id: "putty-key", words: []string{"private-mac", "private-lines"},
		expr: `Private-(?:MAC: ([0-9a-f]{40,64})|Lines: \d+\s+([A-Za-z0-9+/=]{40,}))`, entropy: 3},
	{id: "wireguard-key", words: []string{"privatekey", "presharedkey"},
		expr: `(?i)\b(?:privatekey|presharedkey)\s*[:=]\s*` + opens + `([a-z0-9+/]{42,43}=)`, entropy: 3.5},
	{id: "wallet-key", words: []string{"private key", "private_key", "privatekey", "private-key"},
		expr: `(?i)\bprivate[ _-]?key\b["']?\s*(?:[:=]|is)\s*` + opens + `((?:0x)?[0-9a-f]{64})\b`, entropy: 3},
	{id: "seed-phrase", words: []string{"mnemonic", "seed phrase", "recovery phrase"},
		expr: `(?i)\b(?:mnemonic|seed phrase|recovery phrase)\b["']?\s*(?:[:=]|is)\s*` + opens + `((?:[a-z]{3,8} ){11,23}[a-z]{3,8})\b`},
	{id: "sshpass", words: []string{"sshpass"}, fits: isPassword,
		expr: `\bsshpass\s+(?:-[ev]\s+)*-p\s*["']?` + value},
	{id: "mysql-password", words: []string{"mysql", "mariadb"}, fits: isPassword,
		expr: `\b(?:mysql|mysqldump|mysqladmin|mysqlimport|mysqlsh|mariadb|mariadb-dump)\b[^\n|;]{0,}?\s(?:-p|--password=)["']?` + value},
	{id: "command-password", words: []string{"--password", "--pass", "--passwd", "--secret", "--token", "-passin",
		"-passout", "--http-password", "--api-key"}, fits: isPassword,
		expr: `\s--?(?:(?:[a-z]+-)?pass(?:word|wd|phrase)?|secret|token|api-key|passin|passout)(?:=|\s+)["']?(?:pass:)?` + value},
	{id: "command-credentials",
		words: []string{"curl ", "wget ", "http ", "redis-cli", "mongo", "docker login", "smbclient", "ldapsearch",
			"htpasswd", "ftp "}, fits: isPassword,
		expr: `\b(?:(?:curl|http|https|smbclient)\b[^\n|;]{0,}?\s(?:-u|-a|-U|--user|--auth)[ =]?["']?[^\s:%"']{1,60}[:%]|redis-cli\b[^\n|;]{0,}?\s-a\s+|mongo(?:sh|dump|restore|export|import)?\b[^\n|;]{0,}?\s-p\s+|docker login\b[^\n|;]{0,}?\s-p\s+|ldapsearch\b[^\n|;]{0,}?\s-w\s+|htpasswd\s+-\w*b\w*\s+\S+\s+\S+\s+|ftp\b[^\n|;]{0,}?-u\s+[^\s,]+,)["']?` + value},
	{id: "netrc", words: []string{"machine ", "login "}, fits: isPassword,
		expr: `\blogin\s+\S{1,}\s+password\s+` + value},
	{id: "pgpass", words: []string{":5432:", ":*:", ":5433:"}, fits: isPassword,
		expr: `(?m)(?:^|[\s"'` + "`" + `])[\w.*-]{1,}:(?:543\d|\*):[\w.*-]{1,60}:[\w.*-]{1,60}:` + value},
	{id: "assigned-password",
		words: []string{"password", "passwd", "passphrase", "pgpass", "_pass", "_pwd", "pwd", "passcode"}, fits: isAssigned,
		expr: `(?i)(?:pass(?:word|wd|phrase|code)|pgpass|_pass|pwd)["'*` + "`" + `]{0,3}[ \t]?(?:=|:=|:|=>|->|→)[ \t]{0,4}["'` + "`" + `]?([^\s"'` + "`" + `<>|,;)]{6,})`},
	{id: "xml-password", words: []string{"password>", "passwd>", "passphrase>"}, fits: isAssigned,
		expr: `(?i)<[\w.:-]*pass(?:word|wd|phrase)>\s*([^\s<]{6,})\s*</`},
	{id: "password-in-prose", words: []string{"password", "passwd", "passphrase", "passcode", "pwd"},
		fits: isProsePassword,
		expr: `(?i)\b(?:pass(?:word|wd|phrase|code)|pwd)\b(?:[ \t]+(?:for|of|to|on)(?:[ \t]+[\w.@-]+){1,4})?[ \t]*["'*` + "`" + `]{0,3}[ \t]+(?:is|was|be|to|=|:)[ \t]*:?[ \t]*["'` + "`*" + `]{0,3}([^\s"'` + "`" + `<>|]{6,})`},
	{id: "secret-in-prose", words: []string{"key is", "token is", "secret is", "key was", "token was", "secret was"},
		fits: isToken,
		expr: `(?i)\b(?:api|access|auth|bearer|client|secret|deploy|personal)[ _-]?(?:access[ _-])?(?:key|token|secret)[ \t]+(?:is|was)[ \t]*:?[ \t]*["'` + "`*" + `]{0,3}([a-z0-9._~+/=-]{16,})`},
	{id: "aws-secret-key", words: []string{"aws_secret", "secretaccesskey", "secret_access_key", "secret access key",
		"aws_session_token"},
		expr: `(?i)(?:aws_?secret_?(?:access_?)?key|secret[_ ]?access[_ ]?key|aws_session_token)["'` + "`" + `]?\s*(?:=|:|is)\s*` + opens + `([a-z0-9/+=]{40,})`, entropy: 3.8, fits: isKey},
	{id: "framework-key", words: []string{"secret_key", "secretkey", "app_key"}, fits: isFrameworkKey,
		expr: `(?i)\b\w*(?:secret_?key(?:_base)?["']?\]?\s*[:=]\s*["']([^\s"'` + "`" + `]{32,})["']|app_key["']?\s*[:=]\s*["']?base64:([a-z0-9+/]{42,}={0,2}))`},
	{id: "hex-key", words: []string{"api_key", "api-key", "apikey", "access_key", "secret_key", "openai_key", "auth_key",
		"auth_token", "access_token", "subscription_key", "subscription-key", "encryption_key", "signing_key",
		"master_key", "client_secret"},
		expr: `(?i)(?:api|master|access|secret|openai|auth|subscription|encryption|signing|client)[_-]?(?:key|token|secret)["']?\s*[:=]\s*` + opens + `([0-9a-f]{32,64})\b`, entropy: 3, fits: isKey},
	{id: "npm-auth-token", words: []string{"_authtoken"}, fits: isToken,
		expr: `_authToken\s*=\s*` + opens + `([A-Za-z0-9._~+/=-]{16,})`},
	{id: "wifi-key", words: []string{"psk"}, fits: isPassword,
		expr: `(?i)\bpsk\s*=\s*` + opens + `([^\s"'<>` + "`" + `]{8,64})`},
	{id: "login-in-prose", words: []string{"login", "user", "account", "credentials", "creds"}, fits: isProsePassword,
		expr: `(?i)\b(?:login|user(?:name)?|account|cred(?:ential)?s)["'*` + "`" + `]{0,3}[ \t]*[:=][ \t]*["'` + "`*" + `]{0,3}[\w.@+-]{2,40}["'` + "`*" + `]{0,3}[ \t]*[/|][ \t]*["'` + "`*" + `]{0,3}([^\s"'` + "`" + `<>|]{6,})`},
	{id: "telegram-token", words: []string{":aa"}, expr: `\b([0-9]{8,10}:AA[A-Za-z0-9_-]{32,34})(?:[^A-Za-z0-9_-]|$)`, entropy: 3.5, fits: isKey},
	{id: "discord-webhook", words: []string{"api/webhooks/"}, expr: `discord(?:app)?\.com/api/webhooks/\d{15,20}/([A-Za-z0-9_-]{60,80})`, entropy: 3.5, fits: isKey},
	{id: "google-refresh-token", words: []string{"1//0"}, expr: `(?:^|[^\w/])(1//0[A-Za-z0-9_-]{30,})`, entropy: 3.5, fits: isKey},
}

func ownRule(i int) *rule {
	if i < len(own) {
		return &own[i]
	}
	return &keys[i-len(own)]
}
