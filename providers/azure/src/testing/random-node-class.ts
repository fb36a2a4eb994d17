import { isDrawn, number, one, type Random } from './drawing.ts'
import { randomNodeClassSpec } from './random-node-class-spec.ts'

type Json = unknown
type Path = readonly (string | number)[]

/** What is put where something else should stand. */
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

/** Every place in a value, the value itself left out. */
const placesIn = (value: Json, path: Path = []): readonly Path[] => {
  if (typeof value !== 'object' || value === null) return path.length === 0 ? [] : [path]
  const inner = Array.isArray(value)
    ? value.flatMap((each: Json, index) => placesIn(each, [...path, index]))
    : Object.entries(value).flatMap(([key, each]) => placesIn(each, [...path, key]))
  return path.length === 0 ? inner : [path, ...inner]
}

/** The value with something else at a place; `undefined` takes the place away. */
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
  // A list with its first item twice.
  if (kind < 4) return changed(spec, place, (before) => (Array.isArray(before) ? [...before, before[0]] : before))
  // A value of another field: cross rules and types.
  if (kind < 6) {
    const other = one(random, places)
    const taken = other.reduce<Json>((inner, step) => (inner as Readonly<Record<string | number, Json>>)[step], spec)
    return changed(spec, place, () => taken)
  }
  return changed(spec, place, () => one(random, JUNK))
}

/** A spec that the CRD may admit or refuse: one of four is as it should be, the others have one to three things wrong. */
export const randomFaultySpec = (random: Random): Json => {
  let spec: Json = randomNodeClassSpec(random)
  if (isDrawn(random, 0.25)) return spec
  for (let faults = number(random, 1, 3); faults > 0; faults--) spec = faulty(random, spec)
  return spec
}
