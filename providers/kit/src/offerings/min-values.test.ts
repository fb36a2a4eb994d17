import { parseResources } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { expect, test } from 'vitest'
import { checkMinValues, MinValuesError, truncateTypes } from './min-values.ts'

const offering = (capacityType: string, price: number, available = true) => ({
  requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: [capacityType] }],
  price,
  available,
})
const type = (name: string, offerings: InstanceType['offerings'], family: string): InstanceType => ({
  name,
  requirements: [{ key: 'family', operator: 'In', values: [family] }],
  offerings,
  capacity: parseResources({ cpu: '4' }),
  overhead: {},
})
const spotty = type('spotty', [offering('spot', 1), offering('on-demand', 3)], 'x')
const plain = type('plain', [offering('on-demand', 2)], 'y')
const sold = type('sold', [offering('on-demand', 0.1, false)], 'z')

test('returns how many types are needed for minValues, and the keys whose minValues all types together do not satisfy', () => {
  const wanted = [{ key: 'family', operator: 'Exists' as const, minValues: 2 }]
  expect(checkMinValues([spotty, plain, sold], wanted)).toEqual({ needed: 2, unmet: new Map() })
  expect(checkMinValues([spotty], wanted)).toEqual({ needed: 1, unmet: new Map([['family', 1]]) })
  expect(checkMinValues([spotty], [])).toEqual({ needed: 0, unmet: new Map() })
})

test('truncation keeps the cheapest types, and fails if it would violate minValues under the Strict policy', () => {
  const wanted = [{ key: 'family', operator: 'Exists' as const, minValues: 2 }]
  expect(truncateTypes([plain, spotty], [], 1, 'Strict').map(({ name }) => name)).toEqual(['spotty'])
  expect(() => truncateTypes([plain, spotty], wanted, 1, 'Strict')).toThrow(MinValuesError)
  expect(truncateTypes([plain, spotty], wanted, 1, 'BestEffort')).toHaveLength(1)
})

test('a type without values for the key does not count', () => {
  const wanted = [{ key: 'family', operator: 'Exists' as const, minValues: 1 }]
  const silent: InstanceType = { ...plain, requirements: [] }
  const vague: InstanceType = { ...plain, requirements: [{ key: 'family', operator: 'NotIn', values: ['x'] }] }
  expect(checkMinValues([silent, vague], wanted)).toEqual({ needed: 2, unmet: new Map([['family', 0]]) })
  expect(checkMinValues([silent, plain], wanted)).toEqual({ needed: 2, unmet: new Map() })
})

test('a value that the requirement excludes does not count', () => {
  const wanted = [{ key: 'family', operator: 'In' as const, values: ['y', 'z'], minValues: 1 }]
  expect(checkMinValues([spotty, plain], wanted)).toEqual({ needed: 2, unmet: new Map() })
})

test('a requirement without minValues needs no types, even next to a requirement with minValues', () => {
  const wanted = [
    { key: 'family', operator: 'Exists' as const, minValues: 1 },
    { key: 'size', operator: 'Exists' as const },
  ]
  expect(checkMinValues([spotty, plain], wanted)).toEqual({ needed: 1, unmet: new Map() })
})

test('the error contains the unsatisfied keys and the number of their values', () => {
  const wanted = [{ key: 'family', operator: 'Exists' as const, minValues: 3 }]
  const told = expect.objectContaining({ name: 'MinValuesError', unmet: new Map([['family', 1]]) })
  expect(() => truncateTypes([plain, spotty], wanted, 1, 'Strict')).toThrow(told)
  expect(() => truncateTypes([plain, spotty], wanted, 1, 'Strict')).toThrow(
    'the 1 cheapest instance types do not reach minValues of family (1)',
  )
})
