/**
 * Returns a function that calls `read` once for each object and caches the result while the object is alive. The objects must
 * not change. If `read` throws, the error is passed on and nothing is cached.
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
