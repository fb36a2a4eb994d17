import { isMap, isScalar, isSeq, type Node } from 'yaml'

/** Splits a path such as `spec.limits["cpu"]` or `spec.disruption.budgets[0].nodes` into its keys and indexes. */
export const fieldSegments = (field: string): readonly string[] =>
  Array.from(field.matchAll(/\["?([^\]"]+)"?\]|([^.[\]]+)/g), ([, inside, plain]) => inside ?? plain ?? '')

/**
 * Returns the YAML node to mark for a field: its value if the value is on one line, otherwise its key. If the field is
 * missing, returns its parent.
 */
const nodeAt = (root: Node | null, field: string): Node | null => {
  let place: Node | null = root
  let current: Node | null = root
  for (const part of fieldSegments(field)) {
    if (isMap(current)) {
      const pair = current.items.find(({ key }) => isScalar(key) && String(key.value) === part)
      if (pair === undefined) return place
      current = (pair.value as Node | null) ?? null
      place = isScalar(current) ? current : (pair.key as Node | null) ?? place
    } else if (isSeq(current)) {
      const item = current.items[Number(part)] as Node | undefined
      if (item === undefined) return place
      current = item
      place = item
    } else return place
  }
  return place
}

/** Returns the offset of a field in a text. */
export const fieldOffset = (root: Node | null, field: string): number => nodeAt(root, field)?.range?.[0] ?? 0
