/** A third set: forms that were chosen to be hard, after the rules had been mended by the second. */
import { type HeldSecret, some } from "./redact-held-out.js";

const HEX = "0123456789abcdef";
const LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789";
const line = (what: string, frame: string, token: string): HeldSecret => [
  what,
  frame.replace("{}", () => token),
  token,
];

export const oddSecrets: readonly HeldSecret[] = [
  line("an admin key", "ALGOLIA_ADMIN_KEY={}", some(32, HEX)),
  line("a license key", "LICENSE_KEY={}", some(30, LETTERS)),
  line("X-Auth-Token", "X-Auth-Token: {}", some(32, LETTERS)),
  line("an old Vault token", "X-Vault-Token: {}", `s.9${some(20, LETTERS)}7x8`),
  line("prose with is:", "password is: {}", "Str0ng#Pass9"),
  line("credentials with a slash", "credentials: root / {}", "Str0ng#Pass9"),
  line("user/pass", "user/pass: root/{}", "Str0ng#Pass9"),
  line("mysql -p", "mysql -uroot -p{} db", "S3cretPw19"),
  line("redis-cli -a", "redis-cli -h cache -a {} ping", "S3cretPw19x"),
  line("Zapier webhook", "https://hooks.zapier.com/hooks/catch/1234567/{}/", `b${some(6, HEX)}z`),
  line(
    "PuTTY key",
    "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\nPrivate-Lines: 1\n{}\nPrivate-MAC: x",
    some(48, LETTERS),
  ),
  line("Oracle address", "jdbc:oracle:thin:scott/{}@//db:1521/x", "T1gerPass9"),
  line(
    "kubeconfig key",
    "    client-key-data: {}",
    Buffer.from(`-----BEGIN RSA ${"PRIVATE"} KEY-----\n${some(200, LETTERS)}`).toString("base64"),
  ),
  line(".pgpass", "db.acme.dev:5432:app:svc:{}", "P4ssw0rd9x"),
  line("Ansible", "ansible_password: {}", "P4ssw0rd9x"),
  line("openssl -passin", "openssl pkcs12 -passin pass:{} -in x", "P4ssw0rd9x"),
  line("WordPress key", "define('AUTH_KEY', '{}');", `${some(40, LETTERS)}!${some(20, LETTERS)}`),
  line("Authorization: ApiKey", "Authorization: ApiKey {}", some(40, LETTERS)),
  line("Authorization alone", "Authorization: {}", some(40, LETTERS)),
  line("apikey in prose", "apikey {}", some(32, LETTERS)),
  line("a key in prose", "the key is {}", `AK-${some(30, LETTERS)}`),
  line("a PIN", "passcode 4-digit PIN {}", "482193"),
  line("Private-Token header", 'curl https://api.dev -H "Private-Token: {}"', some(20, LETTERS)),
  line("old Notion token", 'const client = new Client({ auth: "{}" })', `secret_${some(43, LETTERS)}`),
  line("GH_TOKEN of 40 hex", "export GH_TOKEN={}", some(40, HEX)),
  line("Snowflake", "SNOWFLAKE_PASSWORD={}", "aB3$xyzzy"),
  line("a weak one", "password={}", "letmein99"),
  line("a season", "Password: {}", "Sommer2026!"),
  line("pw in prose", "pw {} for staging", "Sommer2026!"),
  line("login with", "login with ada / {}", "Sommer2026!"),
  line("cookie secret", "COOKIE_SECRET={}", some(32, LETTERS)),
  line("value=", "vault kv put secret/x value={}", some(30, LETTERS)),
  line("Azure client secret", "AZURE_CLIENT_SECRET={}", `${some(3, LETTERS)}8Q~${some(34, LETTERS)}`),
  line("half a JWT", "bearer {}", `eyJ${some(40, LETTERS)}`),
  line("apikey header", "--header 'apikey: {}'", some(40, LETTERS)),
  line("NextAuth", 'NEXTAUTH_SECRET="{}"', `${some(43, LETTERS)}=`),
  line("reset link", "https://x.dev/reset?token={}", some(40, LETTERS)),
  line("a short one in an address", "ftp://u:{}@h/x", "p4ss"),
  line("AWS session token", "[default]\naws_session_token = {}", some(200, LETTERS)),
];

/** What still gets through, and says too little of itself to be told from other words. */
export const STILL_MISSED = ["a PIN", "value="];
