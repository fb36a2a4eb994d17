import { expectTypeOf, test } from 'vitest'
import type { Milliseconds, Seconds, UsdPerHour } from './units.ts'

test('a number with a unit is not assignable to another unit, but a plain number is assignable to each unit', () => {
  expectTypeOf<Seconds>().not.toExtend<Milliseconds>()
  expectTypeOf<UsdPerHour>().not.toExtend<Seconds>()
  expectTypeOf<number>().toExtend<Milliseconds>()
  const timeout: Seconds = 5
  // @ts-expect-error seconds instead of milliseconds
  const wrong: Milliseconds = timeout
  const right: Milliseconds = timeout * 1_000
  expectTypeOf([wrong, right]).toEqualTypeOf<Milliseconds[]>()
})
