import { coreVocabulary, type NodeSelectorOperator } from '@kerf/apis'
import { LabelRules, type RequirementSpec } from '@kerf/engine'
import { describe, expect, test } from 'vitest'
import { accepts, isNegative, makeMeets, witnesses } from './naive-sets.ts'

const rules = new LabelRules(coreVocabulary)
const KEY = 'key'

const spec = (operator: NodeSelectorOperator, ...values: readonly string[]): RequirementSpec => ({
  key: KEY,
  operator,
  ...(values.length > 0 ? { values } : {}),
})

const universe: readonly (readonly [string, RequirementSpec])[] = [
  ['Exists', spec('Exists')],
  ['DoesNotExist', spec('DoesNotExist')],
  ['In A', spec('In', 'A')],
  ['In B', spec('In', 'B')],
  ['In A B', spec('In', 'A', 'B')],
  ['NotIn A', spec('NotIn', 'A')],
  ['In 1', spec('In', '1')],
  ['In 9', spec('In', '9')],
  ['In 1 9', spec('In', '1', '9')],
  ['NotIn 1 2', spec('NotIn', '1', '2')],
  ['Gt 1', spec('Gt', '1')],
  ['Gt 9', spec('Gt', '9')],
  ['Lt 1', spec('Lt', '1')],
  ['Lt 9', spec('Lt', '9')],
]

const read = (of: RequirementSpec) => {
  const requirement = rules.requirement(of)
  if (typeof requirement === 'string') throw new Error(requirement)
  return requirement
}
const textOf = (of: RequirementSpec): string =>
  read(of)
    .toString()
    .slice(KEY.length + 1)
const meet = (a: RequirementSpec, b: RequirementSpec) => read(a).intersection(read(b))
const MAX = 2n ** 63n - 1n

const pairs = universe.flatMap(([left, a]) => universe.map(([right, b]) => [left, right, a, b] as const))

describe('Requirement: the intersection of two requirements accepts exactly the values that both accept', () => {
  test.each(pairs)('%s and %s', (_, __, a, b) => {
    const both = meet(a, b)
    for (const value of witnesses)
      expect([value, both.has(value)]).toEqual([value, accepts(a, value) && accepts(b, value)])
    const isEmpty = !witnesses.some((value) => makeMeets(a, b)(value))
    expect(both.operator === 'DoesNotExist').toBe(isEmpty)
    expect(read(a).hasIntersection(read(b))).toBe(!isEmpty)
    expect(both.identity).toBe(meet(b, a).identity)
  })
})

test('Requirement: special intersections', () => {
  const text = (a: RequirementSpec, b: RequirementSpec) =>
    meet(a, b)
      .toString()
      .slice(KEY.length + 1)
  expect(text(spec('In', 'A'), spec('NotIn', 'A'))).toBe('DoesNotExist')
  expect(text(spec('NotIn', 'A'), spec('NotIn', '1', '2'))).toBe('NotIn [1 2 A]')
  expect(text(spec('NotIn', '1', '2'), spec('Gt', '1'))).toBe('NotIn [2] >=2')
  expect(text(spec('NotIn', 'A'), spec('Gt', '1'))).toBe('Exists >=2')
  expect(text(spec('Gt', '1'), spec('Lt', '9'))).toBe('Exists >=2 <=8')
  expect(text(spec('Gt', '9'), spec('Lt', '1'))).toBe('DoesNotExist')
  expect(text(spec('Lt', '9'), spec('In', '1', '9'))).toBe('In [1]')
})

test('Requirement: minValues of either side is kept, the larger of two, even for an empty result', () => {
  for (const [, , a, b] of pairs) {
    expect(meet({ ...a, minValues: 2 }, b).minValues).toBe(2)
    expect(meet({ ...a, minValues: 2 }, { ...b, minValues: 3 }).minValues).toBe(3)
    expect(meet({ ...a, minValues: 3 }, { ...b, minValues: 2 }).minValues).toBe(3)
    expect(meet({ ...a, minValues: 2 }, b).withMinValues(undefined).identity).toBe(meet(a, b).identity)
  }
  const empty = meet({ ...spec('In', 'A'), minValues: 2 }, spec('In', 'B'))
  expect([empty.operator, empty.minValues]).toEqual(['DoesNotExist', 2])
})

describe('Requirement: which values each operator accepts', () => {
  const values = ['A', 'B', '1', '2', '9']
  test.each(universe)('%s', (_, of) => {
    expect(values.filter((value) => read(of).has(value))).toEqual(values.filter((value) => accepts(of, value)))
  })
  test('bounds accept only numbers', () => {
    expect(values.filter((value) => read(spec('Lt', '9')).has(value))).toEqual(['1', '2'])
    expect(values.filter((value) => read(spec('Gt', '1')).has(value))).toEqual(['2', '9'])
  })
})

test('Requirement: the operator and number of values of each requirement', () => {
  const shown = Object.fromEntries(universe.map(([name, of]) => [name, [read(of).operator, read(of).length]]))
  expect(shown).toEqual({
    Exists: ['Exists', MAX],
    DoesNotExist: ['DoesNotExist', 0n],
    'In A': ['In', 1n],
    'In B': ['In', 1n],
    'In A B': ['In', 2n],
    'NotIn A': ['NotIn', MAX - 1n],
    'In 1': ['In', 1n],
    'In 9': ['In', 1n],
    'In 1 9': ['In', 2n],
    'NotIn 1 2': ['NotIn', MAX - 2n],
    'Gt 1': ['Exists', MAX],
    'Gt 9': ['Exists', MAX],
    'Lt 1': ['Exists', MAX],
    'Lt 9': ['Exists', MAX],
  })
})

test('Requirement: the example value of a requirement satisfies it', () => {
  for (const [name, of] of universe) {
    const value = read(of).any()
    if (name === 'DoesNotExist') expect(value).toBe('')
    else expect([name, read(of).has(value)]).toEqual([name, true])
  }
  expect(read(spec('Lt', '1')).any()).toBe('0')
})

test('Requirement: each requirement as text', () => {
  expect(Object.fromEntries(universe.map(([name, of]) => [name, textOf(of)]))).toEqual({
    Exists: 'Exists',
    DoesNotExist: 'DoesNotExist',
    'In A': 'In [A]',
    'In B': 'In [B]',
    'In A B': 'In [A B]',
    'NotIn A': 'NotIn [A]',
    'In 1': 'In [1]',
    'In 9': 'In [9]',
    'In 1 9': 'In [1 9]',
    'NotIn 1 2': 'NotIn [1 2]',
    'Gt 1': 'Exists >=2',
    'Gt 9': 'Exists >=10',
    'Lt 1': 'Exists <=0',
    'Lt 9': 'Exists <=8',
  })
  expect(meet(spec('In', 'A'), spec('In', 'B')).toString()).toBe('key DoesNotExist')
  expect(textOf(spec('In', ...'gfedcba'))).toBe('In [a b c d e and 2 others]')
})

test('Requirement: when written out, bounds become Gte and Lte, and minValues is kept', () => {
  for (const minValues of [undefined, 2]) {
    const extra = minValues === undefined ? {} : { minValues }
    for (const [name, of] of universe) {
      const [operator, bound] = name.split(' ')
      const expected =
        operator === 'Gt'
          ? spec('Gte', String(Number(bound) + 1))
          : operator === 'Lt'
            ? spec('Lte', String(Number(bound) - 1))
            : of
      expect(read({ ...of, ...extra }).toSpecs()).toEqual([{ ...expected, ...extra }])
    }
  }
})

describe('Requirement: Gte and Lte', () => {
  test('include their bounds', () => {
    expect(['4', '5', '6'].filter((value) => read(spec('Gte', '5')).has(value))).toEqual(['5', '6'])
    expect(['4', '5', '6'].filter((value) => read(spec('Lte', '5')).has(value))).toEqual(['4', '5'])
    expect(read(spec('Gte', '0')).has('0') && read(spec('Lte', '0')).has('0')).toBe(true)
  })
  test('Gte N is Gt N − 1, Lte N is Lt N + 1', () => {
    expect(read(spec('Gte', '6')).identity).toBe(read(spec('Gt', '5')).identity)
    expect(read(spec('Lte', '5')).identity).toBe(read(spec('Lt', '6')).identity)
  })
  test('the tighter of several bounds applies', () => {
    expect(meet(spec('Gte', '3'), spec('Gt', '7')).toString()).toBe('key Exists >=8')
    expect(meet(spec('Lte', '3'), spec('Lt', '9')).toString()).toBe('key Exists <=3')
    expect(meet(spec('Gte', '3'), spec('Lte', '3')).any()).toBe('3')
  })
  test('any value respects them', () => {
    expect(meet(spec('Gte', '5'), spec('Lte', '6')).any()).toBe('5')
    expect(
      meet(spec('Gte', '5'), spec('Lte', '6'))
        .intersection(read(spec('NotIn', '5')))
        .any(),
    ).toBe('6')
  })
  test('Gt the largest integer accepts nothing', () => {
    expect(read(spec('Gt', String(MAX))).operator).toBe('DoesNotExist')
  })
})

test('Requirement: deprecated label names are replaced by the current ones everywhere', () => {
  const old = {
    'failure-domain.beta.kubernetes.io/zone': 'topology.kubernetes.io/zone',
    'failure-domain.beta.kubernetes.io/region': 'topology.kubernetes.io/region',
    'beta.kubernetes.io/arch': 'kubernetes.io/arch',
    'beta.kubernetes.io/os': 'kubernetes.io/os',
    'beta.kubernetes.io/instance-type': 'node.kubernetes.io/instance-type',
  }
  for (const [alias, canonical] of Object.entries(old)) {
    expect([...rules.ofLabels({ [alias]: 'v' }).byKey.keys()]).toEqual([canonical])
    expect([...rules.requirements([{ key: alias, operator: 'In', values: ['v'] }]).byKey.keys()]).toEqual([canonical])
  }
  const both = rules.requirements([
    { key: 'beta.kubernetes.io/arch', operator: 'In', values: ['amd64', 'arm64'] },
    { key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] },
  ])
  expect(both.toString()).toBe('kubernetes.io/arch In [arm64]')
})

const sides: readonly (readonly [string, RequirementSpec | undefined])[] = [['nothing', undefined], ...universe]
const matrix = sides.flatMap(([left, a]) => sides.map(([right, b]) => [left, right, a, b] as const))
const setOf = (of: RequirementSpec | undefined) => rules.requirements(of === undefined ? [] : [of])

describe('Sets of requirements: whether a node with the left requirements accepts the right ones', () => {
  test.each(matrix)('%s, %s', (_, __, node, incoming) => {
    const agree =
      node === undefined ||
      incoming === undefined ||
      witnesses.some(makeMeets(node, incoming)) ||
      (isNegative(node) && isNegative(incoming))
    // The label gets a value on every node even without a requirement, like a well-known label.
    expect(setOf(node).accepts(setOf(incoming), () => true)).toBe(agree)
    // The label exists on a node only if a requirement sets it.
    const isKnown = incoming === undefined || node !== undefined || isNegative(incoming)
    expect(setOf(node).accepts(setOf(incoming))).toBe(isKnown && agree)
  })
})

test('Sets of requirements: a deprecated label name on one side matches the current name on the other', () => {
  const zone = (key: string, value: string) => rules.requirements([{ key, operator: 'In', values: [value] }])
  const [old, now] = ['failure-domain.beta.kubernetes.io/zone', 'topology.kubernetes.io/zone']
  expect(zone(old, 'a').accepts(zone(now, 'a'))).toBe(true)
  expect(zone(now, 'a').accepts(zone(old, 'a'))).toBe(true)
  expect(zone(old, 'a').accepts(zone(now, 'b'))).toBe(false)
  expect(zone(now, 'a').accepts(zone(old, 'b'))).toBe(false)
})

describe('Sets of requirements: an unknown label leads to a suitable hint', () => {
  test.each([
    ['zone', 'topology.kubernetes.io/zone'],
    ['region', 'topology.kubernetes.io/region'],
    ['nodepool', 'karpenter.sh/nodepool'],
    ['instance-type', 'node.kubernetes.io/instance-type'],
    ['arch', 'kubernetes.io/arch'],
    ['capacity-type', 'karpenter.sh/capacity-type'],
    ['topologykubernetes.io/zone', 'topology.kubernetes.io/zone'],
    ['node.io/zone', 'topology.kubernetes.io/zone'],
    ['topology.kubernetes.io/regio', 'topology.kubernetes.io/region'],
    ['karpenterash/nodepool', 'karpenter.sh/nodepool'],
    ['karpenter.sh/capacity-typ', 'karpenter.sh/capacity-type'],
  ])('%s', (typo, meant) => expect(rules.typoHint(typo, [])).toBe(` (typo of "${meant}"?)`))
  test('a label of another domain leads to no hint', () => expect(rules.typoHint('deployment', [])).toBe(''))
  test('the hint may suggest a known label of the pool', () =>
    expect(rules.typoHint('team', ['example.com/team'])).toBe(' (typo of "example.com/team"?)'))
})

test('Sets of requirements: in the form of NodeClaims, a set is sorted, keeps minValues, and has bounds as two entries', () => {
  const set = rules.requirements([
    { key: 'z', operator: 'NotIn', values: ['2', '1'], minValues: 2 },
    { key: 'a', operator: 'Gt', values: ['1'], minValues: 3 },
    { key: 'a', operator: 'Lt', values: ['9'] },
    { key: 'm', operator: 'Exists' },
  ])
  expect(set.toSpecs()).toEqual([
    { key: 'a', operator: 'Gte', values: ['2'], minValues: 3 },
    { key: 'a', operator: 'Lte', values: ['8'], minValues: 3 },
    { key: 'm', operator: 'Exists' },
    { key: 'z', operator: 'NotIn', values: ['1', '2'], minValues: 2 },
  ])
  expect(set.toString()).toBe('a Exists >=2 <=8 minValues 3, m Exists, z NotIn [1 2] minValues 2')
})
