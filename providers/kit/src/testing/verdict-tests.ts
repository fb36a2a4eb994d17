import { sampled } from '@kerf/testing'
import { expect, test } from 'vitest'
import { type KindVerdicts, ownVerdict } from './recorded-verdicts.ts'

/** The number of specs of each kind that a normal run compares. */
const SOME = 100

/** Defines a test for each kind: Kerf's verdicts on the specs equal the recorded ones of a real API server with upstream's CRD. */
export const testVerdicts = (kinds: readonly KindVerdicts[]): void => {
  test.each(kinds.map((each) => ({ ...each, name: each.resource.kind.kind })))(
    'random objects of the kind $name get the same verdicts as with upstream’s CRD on a real API server',
    ({ resource, verdicts }) => {
      const { plural, group } = resource.kind
      const some = sampled(verdicts, SOME, `verdicts of ${plural}.${group}`)
      const own = some.map(({ spec }) => ownVerdict(resource, spec))
      expect(own).toEqual(some.map(({ line }) => line))
      const accepted = own.filter((line) => line.startsWith('accepted')).length
      expect(accepted).toBeGreaterThan(some.length / 5)
      expect(accepted).toBeLessThan((4 * some.length) / 5)
    },
  )
}
