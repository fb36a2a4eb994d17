import { type Random, withFaults } from '@kerf/provider-kit/testing'
import { randomNodeClassSpec } from './random-node-class-spec.ts'

/** Values that replace a correct value. */
const JUNK: readonly unknown[] = [
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

/** Returns a spec that the CRD may accept or reject. A quarter of the specs are valid, and the others have one to three errors. */
export const randomFaultySpec = (random: Random): unknown => withFaults(random, randomNodeClassSpec(random), JUNK)
