/** Remote URLs as they may be shown and stored. */

/**
 * A URL without what could be a secret: user and password of `http`, the password elsewhere (`ssh://git@host`
 * keeps its user), the query of `http`. An scp-like address or a path stays as it is.
 */
export function withoutCredentials(url: string): string {
  const match = /^((?:[a-z][a-z0-9+.-]*::)*)([a-z][a-z0-9+.-]*):\/\/(?:([^/?#]*)@)?(.*)$/is.exec(url);
  if (!match) return url;
  const [, helper = "", scheme = "", user = "", rest = ""] = match;
  const web = /^(https?|ftps?)$/i.test(scheme);
  const name = web ? "" : user.replace(/:.*$/s, "");
  return `${helper}${scheme}://${name ? `${name}@` : ""}${web ? rest.replace(/[?#].*$/s, "") : rest}`;
}
