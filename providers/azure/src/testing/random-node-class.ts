import { isDrawn, number, one, type Random } from './drawing.ts'
import { randomNodeClassSpec } from './random-node-class-spec.ts'

type Json = unknown
type Path = readonly (string | number)[]

/** Values that replace a correct value. */
const JUNK: readonly Json[] = [
  0,
  -1,
  1,
  5,
  29,
  3.5,
  1_000_000_000,
  2_147_483_647,
  '',
  'x',
  'Ubuntu',
  'Never',
  '1d',
  '5s',
  true,
  false,
  null,
  [],
  {},
  ['a'],
]

/** Returns every path in a value except the root. */
const placesIn = (value: Json, path: Path = []): readonly Path[] => {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path]
  const inner = Array.isArray(value)
    ? value.flatMap((each: Json, index) => placesIn(each, [...path, index]))
    : Object.entries(value).flatMap(([key, each]) => placesIn(each, [...path, key]))
  return path.length === 0 ? inner : [path, ...inner]
}

/** Returns the value with a replacement at a path. `undefined` removes the field. */
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

const faulty = (random: Random, spec: Json): Json => {
  const places = placesIn(spec)
  if (places.length === 0) return spec
  const place = one(random, places)
  const kind = number(random, 0, 9)
  if (kind < 2) return changed(spec, place, () => undefined)
  // A list with its first item repeated.
  if (kind < 4) return changed(spec, place, (before) => (Array.isArray(before) ? [...before, before[0]] : before))
  // A value of another field, which may violate cross-field rules or types.
  if (kind < 6) {
    const other = one(random, places)
    const taken = other.reduce<Json>((inner, step) => (inner as Readonly<Record<string | number, Json>>)[step], spec)
    return changed(spec, place, () => taken)
  }
  return changed(spec, place, () => one(random, JUNK))
}

/** Returns a spec that the CRD may accept or reject: one of four is valid, the others have one to three errors. */
export const randomFaultySpec = (random: Random): Json => {
  let spec: Json = randomNodeClassSpec(random)
  if (isDrawn(random, 0.25)) return spec
  for (let faults = number(random, 1, 3); faults > 0; faults--) spec = faulty(random, spec)
  return spec
}
