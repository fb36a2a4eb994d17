import { isDrawn, number, one, type Random } from './drawing.ts'

type Json = unknown
type Path = readonly (string | number)[]

/** Returns every path in a value, except the path of the value itself. */
const pathsIn = (value: Json, path: Path = []): readonly Path[] => {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path]
  const inner = Array.isArray(value)
    ? value.flatMap((each: Json, index) => pathsIn(each, [...path, index]))
    : Object.entries(value).flatMap(([key, each]) => pathsIn(each, [...path, key]))
  return path.length === 0 ? inner : [path, ...inner]
}

/** Returns a copy of the value in which `next` has replaced the value at the path. If `next` returns `undefined`, the field is removed. */
const changed = (value: Json, [step, ...rest]: Path, next: (before: Json) => Json): Json => {
  if (step === undefined) return next(value)
  if (Array.isArray(value))
    return value.flatMap((each: Json, index) => {
      const after = index === step ? changed(each, rest, next) : each
      return after === undefined ? [] : [after]
    })
  const fields = Object.entries(value as Readonly<Record<string, Json>>).flatMap(([key, each]) => {
    const after = key === step ? changed(each, rest, next) : each
    return after === undefined ? [] : [[key, after] as const]
  })
  return Object.fromEntries(fields)
}

const faulty = (random: Random, spec: Json, junk: readonly Json[]): Json => {
  const paths = pathsIn(spec)
  if (paths.length === 0) return spec
  const path = one(random, paths)
  const kind = number(random, 0, 9)
  if (kind < 2) return changed(spec, path, () => undefined)
  // Repeats the first item of a list.
  if (kind < 4) return changed(spec, path, (before) => (Array.isArray(before) ? [...before, before[0]] : before))
  // Copies the value of another field. The copy may have the wrong type, or violate rules that involve several fields.
  if (kind < 6) {
    const other = one(random, paths)
    const taken = other.reduce<Json>((inner, step) => (inner as Readonly<Record<string | number, Json>>)[step], spec)
    return changed(spec, path, () => taken)
  }
  return changed(spec, path, () => one(random, junk))
}

/**
 * Returns the spec unchanged with a probability of one quarter, otherwise with one to three errors.
 *
 * @param junk values that replace correct values
 */
export const withFaults = (random: Random, valid: Json, junk: readonly Json[]): Json => {
  let spec = valid
  if (isDrawn(random, 0.25)) return spec
  for (let faults = number(random, 1, 3); faults > 0; faults--) spec = faulty(random, spec, junk)
  return spec
}
