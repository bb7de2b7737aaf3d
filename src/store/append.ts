/** Adds to the list that a map has under a key. In place: a new list for each addition takes for ever with thousands. */
export function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
