/**
 * Labelled strings: what must go and what must stay. Secrets are made up here piece by piece from a fixed seed, so
 * that no scanner of somebody else's takes this file for a leak.
 */

let state = 20261130;
function next(): number {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return state / 2 ** 32;
}
const DIGITS = "0123456789";
const HEX = "0123456789abcdef";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const WORD = UPPER + LOWER + DIGITS;
function random(length: number, alphabet: string = WORD): string {
  return Array.from({ length }, () => alphabet[Math.floor(next() * alphabet.length)]).join("");
}
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

export interface Labelled {
  name: string;
  text: string;
  /** The part that must be gone; the part that must stay where nothing is secret. */
  secret: string;
}

function secret(
  name: string,
  value: string,
  around: (value: string) => string = (it) => `use ${it} for now`,
): Labelled {
  return { name, secret: value, text: around(value) };
}

const pem = (kind: string) =>
  `-----BEGIN ${kind}-----\n${random(64)}\n${random(64)}\n${random(32)}==\n-----END ${kind}-----`;
const jwt = () =>
  `${base64url({ alg: "HS256", typ: "JWT" })}.${base64url({ sub: random(8), iat: 1_700_000_000 })}.${random(43)}`;

export const SECRETS: readonly Labelled[] = [
  secret("aws access key", `AK${"IA"}${random(16, BASE32)}`),
  secret("aws session key", `AS${"IA"}${random(16, BASE32)}`),
  secret("aws secret key", random(40, `${WORD}/+`), (it) => `aws_secret_access_key = ${it}`),
  secret("aws secret in env", random(40, `${WORD}/+`), (it) => `export AWS_SECRET_ACCESS_KEY="${it}"`),
  secret("github classic", `gh${"p_"}${random(36)}`),
  secret("github oauth", `gh${"o_"}${random(36)}`),
  secret("github server", `gh${"s_"}${random(36)}`),
  secret("github refresh", `gh${"r_"}${random(40)}`),
  secret("github fine-grained", `github${"_pat_"}${random(22)}_${random(59)}`),
  secret(
    "github in a header",
    `gh${"p_"}${random(36)}`,
    (it) => `curl -H "Authorization: token ${it}" https://api.github.com`,
  ),
  secret("gitlab pat", `gl${"pat-"}${random(20)}`),
  secret("gitlab runner", `gl${"rt-"}${random(20)}`),
  secret("gitlab deploy", `gl${"dt-"}${random(20)}`),
  secret("slack bot", `xox${"b-"}${random(12, DIGITS)}-${random(12, DIGITS)}-${random(24)}`),
  secret("slack user", `xox${"p-"}${random(12, DIGITS)}-${random(12, DIGITS)}-${random(32)}`),
  secret("slack app", `xapp${"-1-"}A${random(10)}-${random(13, DIGITS)}-${random(40, HEX)}`),
  secret(
    "slack webhook",
    `https://hooks.slack.com/services/${"T"}${random(10, UPPER + DIGITS)}/B${random(10, UPPER + DIGITS)}/${random(24)}`,
  ),
  secret("stripe live", `sk${"_live_"}${random(24)}`),
  secret("stripe restricted", `rk${"_live_"}${random(24)}`),
  secret("stripe test", `sk${"_test_"}${random(24)}`),
  secret("stripe webhook", `whsec${"_"}${random(32)}`),
  secret("openai project", `sk${"-proj-"}${random(48)}`),
  secret("openai legacy", `sk${"-"}${random(48)}`),
  secret("openai service", `sk${"-svcacct-"}${random(48)}`),
  secret("anthropic", `sk${"-ant-"}api03-${random(93)}AA`),
  secret("google api", `AI${"za"}${random(35)}`),
  secret("google client", `GOC${"SPX-"}${random(28)}`),
  secret("google access", `ya${"29."}${random(60)}`),
  secret("npm", `npm${"_"}${random(36)}`),
  secret("npm in npmrc", `npm${"_"}${random(36)}`, (it) => `//registry.npmjs.org/:_authToken=${it}`),
  secret("pypi", `pypi${"-"}AgEIcHlwaS5vcmc${random(60)}`),
  secret("rubygems", `rubygems${"_"}${random(48, HEX)}`),
  secret("huggingface", `hf${"_"}${random(34)}`),
  secret("digitalocean", `dop${"_v1_"}${random(64, HEX)}`),
  secret("sendgrid", `SG${"."}${random(22)}.${random(43)}`),
  secret("twilio", `S${"K"}${random(32, HEX)}`),
  secret("mailgun", `key${"-"}${random(32, HEX)}`),
  secret("mailchimp", `${random(32, HEX)}${"-us"}14`),
  secret("shopify", `shp${"at_"}${random(32, HEX)}`),
  secret("square", `sq0${"csp-"}${random(43)}`),
  secret("linear", `lin${"_api_"}${random(40)}`),
  secret("notion", `ntn${"_"}${random(46)}`),
  secret("databricks", `da${"pi"}${random(32, HEX)}`),
  secret("vault", `hv${"s."}${random(28)}`),
  secret("terraform cloud", `${random(14)}.atlas${"v1."}${random(67)}`),
  secret("pulumi", `pul${"-"}${random(40, HEX)}`),
  secret("doppler", `dp${".pt."}${random(43)}`),
  secret("sentry", `sntr${"yu_"}${random(64, HEX)}`),
  secret("figma", `fig${"d_"}${random(43)}`),
  secret("docker", `dckr${"_pat_"}${random(27)}`),
  secret("tailscale", `tskey${"-auth-"}${random(17)}-${random(30)}`),
  secret("netlify", `nf${"p_"}${random(40)}`),
  secret("supabase", `sb${"p_"}${random(40, HEX)}`),
  secret("planetscale", `pscale${"_tkn_"}${random(43)}`),
  secret("grafana", `gl${"sa_"}${random(32)}_${random(8, HEX)}`),
  secret("postman", `PM${"AK-"}${random(24, HEX)}-${random(34, HEX)}`),
  secret("airtable", `pa${"t"}${random(14)}.${random(64, HEX)}`),
  secret("new relic", `NR${"AK-"}${random(27, UPPER + DIGITS)}`),
  secret("telegram bot", `${random(9, "123456789")}:${"AA"}${random(33)}`),
  secret("age key", `AGE-SECRET${"-KEY-1"}${random(58, "ACDEFGHJKLMNPQRSTUVWXYZ234567")}`),
  secret("rsa private key", pem(`RSA ${"PRIVATE"} KEY`)),
  secret("openssh private key", pem(`OPENSSH ${"PRIVATE"} KEY`)),
  secret("ec private key", pem(`EC ${"PRIVATE"} KEY`)),
  secret("pkcs8 private key", pem(`${"PRIVATE"} KEY`)),
  secret("encrypted private key", pem(`ENCRYPTED ${"PRIVATE"} KEY`)),
  secret("jwt", jwt()),
  secret("jwt in a header", jwt(), (it) => `Authorization: Bearer ${it}`),
  secret("opaque bearer", random(40), (it) => `-H 'Authorization: Bearer ${it}'`),
  secret(
    "basic auth header",
    Buffer.from(`deploy:${random(12)}`).toString("base64"),
    (it) => `Authorization: Basic ${it}`,
  ),
  secret("postgres url", random(14), (it) => `postgres://app:${it}@db.internal:5432/app`),
  secret("mysql url", random(14), (it) => `mysql://root:${it}@10.0.0.5/shop`),
  secret("mongodb url", random(14), (it) => `mongodb+srv://app:${it}@cluster0.mongodb.net/prod`),
  secret("redis url", random(20), (it) => `redis://:${it}@cache:6379/0`),
  secret("amqp url", random(12), (it) => `amqps://worker:${it}@mq.internal/vhost`),
  secret("https url", random(16), (it) => `git clone https://ci:${it}@git.internal/team/app.git`),
  secret(
    "sql server string",
    `Zq${random(9)}!7`,
    (it) => `Server=db;Database=app;User Id=sa;Password=${it};`,
  ),
  secret(
    "azure storage",
    `${random(86, `${WORD}+/`)}==`,
    (it) =>
      `DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=${it};EndpointSuffix=core.windows.net`,
  ),
  secret("password=", `k7${random(8)}`, (it) => `password=${it}`),
  secret("password in yaml", `Tr0ub4dor${random(4)}`, (it) => `db:\n  password: "${it}"`),
  secret("DB_PASSWORD", `p4${random(10)}`, (it) => `DB_PASSWORD=${it} npm start`),
  secret("api_key", random(32, HEX), (it) => `api_key: ${it}`),
  secret("X-Api-Key", random(24), (it) => `X-Api-Key: ${it}`),
  secret("client_secret", random(32), (it) => `"client_secret": "${it}"`),
  secret("token =", random(30), (it) => `token = '${it}'`),
  secret("SECRET_KEY", `django-insecure-${random(40)}`, (it) => `SECRET_KEY = '${it}'`),
  secret("passphrase", `gr8-${random(12)}`, (it) => `passphrase: ${it}`),
];

/** Typed by hand along the alphabet and the digits, as people do who make one up, and in a provider's full form. */
export const TYPED: readonly Labelled[] = [
  secret("github", `gh${"p_"}${LOWER}${DIGITS}`),
  secret(
    "github fine-grained",
    `github${"_pat_"}11${"ABCDEFG0"}abcdefghijkl_${LOWER}${DIGITS}ABCDEFGHIJKLMNOPQRSTUVW`,
  ),
  secret("github, one letter", `gh${"p_"}${"a".repeat(36)}`),
  secret("npm", `npm${"_"}${LOWER}${DIGITS}`),
  secret("gitlab", `gl${"pat-"}abcdefghij1234567890`),
  secret("slack", `xox${"b-"}123456789012-1234567890123-abcdefghijklmnopqrstuvwx`),
  secret("bearer", `abcdef${"1234567890"}abcdef`, (it) => `Authorization: Bearer ${it}`),
  secret("url", `hun${"ter2"}`, (it) => `https://user:${it}@git.acme.dev/repo.git`),
];

function harmless(name: string, text: string, kept: string = text): Labelled {
  return { name, text, secret: kept };
}

export const HARMLESS: readonly Labelled[] = [
  harmless("sha1", `main @ ${random(40, HEX)}`),
  harmless("sha256", `sha256:${random(64, HEX)}`),
  harmless("short sha", `fixed in ${random(7, HEX)}`),
  harmless("two shas", `${random(40, HEX)}..${random(40, HEX)}`),
  harmless("uuid", "session 6f1c3a52-9a3e-4b61-8e57-0d2f6c1b7a90"),
  harmless("uuid as a token name", "token: 6f1c3a52-9a3e-4b61-8e57-0d2f6c1b7a90"),
  harmless("integrity", `"integrity": "sha512-${random(86, `${WORD}+/`)}=="`),
  harmless("md5", random(32, HEX)),
  harmless("docker digest", `node@sha256:${random(64, HEX)}`),
  harmless("go.sum", `h1:${random(43, `${WORD}+/`)}=`),
  harmless("png as base64", `data:image/png;base64,iVBORw0KGgo${random(160, `${WORD}+/`)}`),
  harmless("gif as base64", `data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7`),
  harmless("aws example key", `AKIAIOSFODNN7${"EXAMPLE"}`),
  harmless("aws example secret", `aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY${"EXAMPLE"}KEY`),
  harmless("stripe placeholder", `sk${"_test_"}xxxxxxxxxxxxxxxxxxxxxxxx`),
  harmless("github placeholder", `gh${"p_"}xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`),
  harmless("angle placeholder", "password=<your password>"),
  harmless("env placeholder", `DB_PASSWORD=$DB_PASSWORD`),
  harmless("braced placeholder", `token: $${"{{"} secrets.GITHUB_TOKEN }}`),
  harmless("mustache", "api_key: {{ api_key }}"),
  harmless("process.env", "const token = process.env.API_TOKEN;"),
  harmless("os.environ", "password = os.environ['DB_PASSWORD']"),
  harmless("changeme", "password=changeme"),
  harmless("password: required", "password: required"),
  harmless("prose on passwords", "The password: users must be able to reset it"),
  harmless("prose on tokens", "Token: the lexer emits one per word"),
  harmless("tokens as numbers", "token: 8192"),
  harmless("max tokens", "max_tokens=4096"),
  harmless("token count", "tokens: 12,345 in, 678 out"),
  harmless("token type", 'token_type: "bearer"'),
  harmless("type annotation", "function login(password: string, token: Token | null)"),
  harmless("call", "token = getToken(user, 3600)"),
  harmless("call with new", "const secret = createSecretKey(buffer)"),
  harmless("property", "secret: config.auth.secretName"),
  harmless("constant", "secret = AUTH_SECRET_NAME"),
  harmless("path as a key", "private_key: ./keys/id_ed25519.pub"),
  harmless("absolute path as a key", "private_key = /etc/ssl/private/site.pem"),
  harmless("url as a key", "token: https://auth.internal/oauth/token"),
  harmless("null", "password: null"),
  harmless("boolean", "secret: false"),
  harmless("file name", "passwords.txt was removed"),
  harmless("rule name", "rule no-hardcoded-password: 3 findings"),
  harmless("url without a password", "https://github.com/example/repo/pull/421#discussion_r123456"),
  harmless("url with a port", "http://localhost:8080/api?page=2"),
  harmless("url with a user", "ssh://git@host.internal/team/app.git"),
  harmless("scp address", "git@github.com:team/app.git"),
  harmless("url placeholder", "postgres://user:password@localhost/db"),
  harmless("url with variables", `postgres://$${"{USER}"}:$${"{PASS}"}@db/app`),
  harmless("url with an at sign", "https://medium.com/@ada/notes"),
  harmless("npm scope", "@secretlint/core@11.7.1"),
  harmless("package at version", "react@18.2.0"),
  harmless("decorator", "@Injectable() class TokenService"),
  harmless("noreply", "12345+ada@users.noreply.github.com"),
  harmless("co-author trailer", "Co-authored-by: Claude <noreply@anthropic.com>"),
  harmless("identity of this history", "ask grace@navy.mil"),
  harmless("image name", "logo@2x.png"),
  harmless("timestamp", "20261130T155441Z"),
  harmless("compact timestamp", "run 20261130155441 took 3 s"),
  harmless("epoch in ms", "1764518081000"),
  harmless("epoch in ns", "1764518081000000000"),
  harmless("iso time", "2026-11-30T15:54:41+01:00"),
  harmless("build number", "build 4929384756"),
  harmless("order of 16 digits", "id 1234567890123456"),
  harmless("card that fails the check digit", "4539 1488 0343 6468"),
  harmless("version", "v1.22.333-rc.4+build.5"),
  harmless("diff stat", "+1234 -567"),
  harmless("diff hunk", "@@ -120,7 +120,9 @@"),
  harmless("ip", "192.168.100.200"),
  harmless("ipv6", "2001:0db8:85a3:0000:0000:8a2e:0370:7334"),
  harmless("mac", "00:1B:44:11:3A:B7"),
  harmless("isbn", "ISBN 978-3-16-148410-0"),
  harmless("phone without a country", "call 555-0123"),
  harmless("sum", "12 + 345 678 901"),
  harmless("public key", `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI${random(43)}`),
  harmless("pem certificate", `-----BEGIN CERTIFICATE-----\n${random(64)}\n-----END CERTIFICATE-----`),
  harmless("pem public key", `-----BEGIN PUBLIC KEY-----\n${random(64)}\n-----END PUBLIC KEY-----`),
  harmless("mention of a private key", "the BEGIN PRIVATE KEY line is checked in parse.ts"),
  harmless("camel case", "handleAuthTokenRefreshWhenExpiredOrMissing"),
  harmless("kebab slug", "sk-learn-pipeline and task-list-item"),
  harmless("predicate", `grep -qF 'function render(Context $ctx): string' src/Renderer.php`),
  harmless("react predicate", `grep -q '"react": "18\\.' package.json`),
  harmless("handoff id", "20261130T155441Z-teach-hook-show-two-handoffs-once-4aa28c1"),
  harmless("ref", "refs/handoff/fix-parser/ada-2f7e00"),
  harmless("shared folder", "/Users/Shared/fonts"),
];

export const PERSONAL: readonly Labelled[] = [
  secret("email", "maria.rossi@acme-corp.it", (it) => `ask ${it} first`),
  secret("email in angles", "j.doe@contoso.co.uk", (it) => `John <${it}>`),
  secret("phone", "+49 30 901820", (it) => `call ${it}`),
  secret("phone with brackets", "+1 (415) 867-5309", (it) => `tel: ${it}`),
  secret("phone in one", "+4915112345678", (it) => `phone ${it}.`),
  secret("visa", "4539 1488 0343 6467", (it) => `card ${it} was charged`),
  secret("mastercard", "5425233430109903", (it) => `card ${it} was charged`),
  secret("amex", "374245455400126", (it) => `amex ${it}`),
  // Nobody can tell a published test number, or a domain kept for examples, from one that is meant.
  secret("test card", "4242 4242 4242 4242", (it) => `card ${it}`),
  secret("other test card", "4111111111111111", (it) => `card ${it}`),
  secret("email at an example domain", "mallory@example.com", (it) => `mail ${it}`),
  secret("linux home", "/home/maria/", (it) => `see ${it}notes.md`),
  secret("mac home", "/Users/maria/", (it) => `see ${it}notes.md`),
  secret("windows home", "C:\\Users\\maria\\", (it) => `see ${it}notes.md`),
];
