import { offeringCoordinates } from '@kerf/provider-contract'
import { UnavailableOfferings } from '@kerf/provider-kit'
import { VirtualClock } from '@kerf/runtime'
import { expect, test } from 'vitest'
import type { FailureKind } from '../failures/failure-kind.ts'
import { communityClass, sampleTypes } from '../testing/type-samples.ts'
import { markRefused } from './refused-offerings.ts'

const types = sampleTypes(['VM.Standard.E4.Flex', 'VM.Standard.E5.Flex'], communityClass())
const [first] = types
const sizes = [...new Set(types.map(({ size }) => size.ocpus))].toSorted((a, b) => a - b)
const refused = types.find(({ size }) => size.facts.name === first?.size.facts.name && size.ocpus === sizes[1])

/** Returns the shapes and OCPUs that a refused launch of the second-smallest size makes unavailable, where and how it was asked for. */
const markedBy = (kind: FailureKind): ReadonlySet<string> => {
  const [offering] = refused?.type.offerings ?? []
  if (refused === undefined || offering === undefined) throw new Error('the sample has no second size')
  const unavailable = new UnavailableOfferings(new VirtualClock(), { ttl: 1_000 })
  markRefused(unavailable, kind, { type: refused.type, offering }, types)
  const { zone, capacityType } = offeringCoordinates(refused.type, offering)
  const isMarked = (instanceType: string): boolean =>
    unavailable.reasonFor({ instanceType, zone, capacityType }) !== undefined
  return new Set(types.filter(({ type }) => isMarked(type.name)).map(({ size }) => `${size.facts.name} ${size.ocpus}`))
}

test('a size without capacity makes the larger sizes of its shape unavailable, and no smaller or other one', () => {
  const larger = types.filter(({ size }) => size.facts.name === refused?.size.facts.name && size.ocpus !== sizes[0])
  const expected = new Set(larger.map(({ size }) => `${size.facts.name} ${size.ocpus}`))
  expect(expected.size).toBeGreaterThan(1)
  expect(markedBy('capacity')).toEqual(expected)
})

test('an unknown failure makes only the requested size unavailable', () => {
  expect(markedBy('server')).toEqual(new Set([`${refused?.size.facts.name} ${refused?.size.ocpus}`]))
})
