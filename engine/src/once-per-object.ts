/**
 * Reads something off objects that are never changed once they were handed out, each object once: for as long as it is
 * held by somebody, `read` is not called for it again. What `read` throws is thrown, and not kept.
 */
export const oncePerObject = <Key extends object, Value>(read: (object: Key) => Value): ((object: Key) => Value) => {
  const known = new WeakMap<Key, { readonly value: Value }>()
  return (object) => {
    let entry = known.get(object)
    if (entry === undefined) {
      entry = { value: read(object) }
      known.set(object, entry)
    }
    return entry.value
  }
}
