/** Returns the earlier list if its items are identical, so that values that were computed from it stay valid. */
export const keptList = <Item>(before: readonly Item[], now: readonly Item[]): readonly Item[] =>
  before.length === now.length && before.every((item, place) => item === now[place]) ? before : now
