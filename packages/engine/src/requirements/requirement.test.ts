import { LARGEST_INTEGER } from '@kerf/apis'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseRequirement, Requirement } from './requirement.ts'
import { Requirements } from './requirements.ts'

type Operator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt' | 'Gte' | 'Lte'

const make = (operator: Operator, values: readonly string[] = [], minValues?: number): Requirement => {
  const requirement = parseRequirement({
    key: 'key',
    operator,
    values,
    ...(minValues === undefined ? {} : { minValues }),
  })
  if (typeof requirement === 'string') throw new Error(requirement)
  return requirement
}

const universe: readonly Requirement[] = [
  make('Exists'),
  make('DoesNotExist'),
  make('In', ['A']),
  make('In', ['B']),
  make('In', ['A', 'B']),
  make('NotIn', ['A']),
  make('In', ['1']),
  make('In', ['9']),
  make('In', ['1', '9']),
  make('NotIn', ['1', '2']),
  make('Gt', ['1']),
  make('Gt', ['9']),
  make('Lt', ['1']),
  make('Lt', ['9']),
]

/** The values in the requirements of `universe`, and further values that some of these requirements allow and others do not. */
const probes = ['A', 'B', 'C', '', '1.0', '1e3', '-1', '0', '1', '2', '3', '8', '9', '10', '007', '9007199254740993']

describe('operators', () => {
  test.each([
    ['Exists', 'Exists'],
    ['DoesNotExist', 'DoesNotExist'],
    ['In', 'In', ['A']],
    ['NotIn', 'NotIn', ['A']],
    ['Gt', 'Exists', ['1']],
    ['Lt', 'Exists', ['1']],
  ] as const)('%s reads as %s', (operator, read, values: readonly string[] = []) => {
    expect(make(operator, values).operator).toBe(read)
  })

  test('length is the number of allowed values', () => {
    expect(make('In', ['A', 'B']).length).toBe(2n)
    expect(make('DoesNotExist').length).toBe(0n)
    expect(make('Gt', ['1']).length).toBe(LARGEST_INTEGER)
    expect(make('NotIn', ['1', '2']).length).toBe(LARGEST_INTEGER - 2n)
  })

  test('bounds allow only integers', () => {
    expect(['A', 'B', '1', '2', '9'].map((value) => make('Gt', ['1']).has(value))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ])
    expect(['A', 'B', '1', '2', '9'].map((value) => make('Lt', ['9']).has(value))).toEqual([
      false,
      false,
      true,
      true,
      false,
    ])
  })

  test('Gte and Lte include their bounds, and Gte N equals Gt N-1', () => {
    expect(make('Gte', ['0']).has('0')).toBe(true)
    expect(make('Lte', ['0']).has('0')).toBe(true)
    expect(make('Gte', ['5']).identity).toBe(make('Gt', ['4']).identity)
    expect(make('Gte', ['5']).intersection(make('Gt', ['6'])).identity).toBe(make('Gte', ['7']).identity)
  })

  test('Gt of the largest integer allows nothing, and minValues is dropped', () => {
    const requirement = make('Gt', [`${LARGEST_INTEGER}`], 3)
    expect(requirement.operator).toBe('DoesNotExist')
    expect(requirement.minValues).toBeUndefined()
  })

  test('integers beyond 2^53 are compared exactly', () => {
    expect(make('Gt', ['9007199254740992']).has('9007199254740993')).toBe(true)
    expect(make('Gte', ['9007199254740993']).has('9007199254740992')).toBe(false)
  })
})

describe('any', () => {
  test('is the first value of a list, empty if there is none, and otherwise an allowed integer', () => {
    expect(make('In', ['B', 'A']).any()).toBe('A')
    expect(make('DoesNotExist').any()).toBe('')
    expect(make('Exists').any()).not.toBe('')
    expect(make('NotIn', ['0']).any()).toBe('1')
    expect(make('Lt', ['1']).any()).toBe('0')
    expect(make('Gt', ['9']).any()).toBe('10')
  })

  test('does not fail on an empty range', () => {
    expect(make('Lt', ['0']).any()).toBe('')
  })
})

describe('printing', () => {
  test.each([
    [make('Gt', ['1']), 'key Exists >=2'],
    [make('Lt', ['1']), 'key Exists <=0'],
    [make('In', ['B', 'A']), 'key In [A B]'],
    [make('In', ['1', '2', '3', '4', '5', '6', '7']), 'key In [1 2 3 4 5 and 2 others]'],
    [make('In', ['A']).intersection(make('NotIn', ['A'])), 'key DoesNotExist'],
    [make('Exists', [], 2), 'key Exists minValues 2'],
  ])('%s', (requirement, text) => {
    expect(`${requirement}`).toBe(text)
  })
})

describe('intersection', () => {
  const cases = universe.flatMap((a) => universe.map((b) => [a, b] as const))

  test.each(cases)('%s ∩ %s allows what both allow', (a, b) => {
    const both = a.intersection(b)
    for (const probe of probes) expect([probe, both.has(probe)]).toEqual([probe, a.has(probe) && b.has(probe)])
    expect(both.identity).toBe(b.intersection(a).identity)
    // A requirement without values is DoesNotExist, never an empty range.
    if (!a.hasIntersection(b)) expect(both.operator).toBe('DoesNotExist')
    if (!both.complement) expect(a.hasIntersection(b)).toBe(both.values.size > 0)
  })

  test.each(cases)('%s ∩ %s keeps the larger minValues', (a, b) => {
    expect(a.withMinValues(2).intersection(b).minValues).toBe(2)
    expect(a.withMinValues(2).intersection(b.withMinValues(3)).minValues).toBe(3)
  })

  test.each([
    [make('NotIn', ['A']), make('NotIn', ['1', '2']), new Requirement('key', true, new Set(['1', '2', 'A']))],
    [make('NotIn', ['1', '2']), make('Gt', ['1']), new Requirement('key', true, new Set(['2']), 2n)],
    [make('NotIn', ['A']), make('Gt', ['1']), make('Gt', ['1'])],
    [make('Gt', ['1']), make('Lt', ['9']), new Requirement('key', true, new Set(), 2n, 8n)],
    [make('Gt', ['9']), make('Lt', ['1']), make('DoesNotExist')],
    [make('Lt', ['9']), make('In', ['1', '9']), make('In', ['1'])],
    [make('NotIn', ['5']), make('Gte', ['6']), make('Gte', ['6'])],
    [make('In', ['a', '7']), make('Gt', ['5']), make('In', ['7'])],
  ])('%s ∩ %s = %s', (a, b, expected) => {
    expect(a.intersection(b).identity).toBe(expected.identity)
  })
})

describe('written form', () => {
  test('two bounds are written as two entries', () => {
    expect(
      make('Gte', ['8'], 2)
        .intersection(make('Lte', ['8']))
        .toSpecs(),
    ).toEqual([
      { key: 'key', operator: 'Gte', values: ['8'], minValues: 2 },
      { key: 'key', operator: 'Lte', values: ['8'], minValues: 2 },
    ])
  })

  test('a bound drops exclusions', () => {
    expect(
      make('NotIn', ['7'])
        .intersection(make('Gte', ['6']))
        .toSpecs(),
    ).toEqual([{ key: 'key', operator: 'Gte', values: ['6'] }])
  })

  test('Gt and Lt become Gte and Lte, and other operators stay', () => {
    expect(make('Gt', ['4']).toSpecs()).toEqual([{ key: 'key', operator: 'Gte', values: ['5'] }])
    expect(make('Lt', ['4']).toSpecs()).toEqual([{ key: 'key', operator: 'Lte', values: ['3'] }])
    expect(make('NotIn', ['b', 'a']).toSpecs()).toEqual([{ key: 'key', operator: 'NotIn', values: ['a', 'b'] }])
    expect(make('Exists').toSpecs()).toEqual([{ key: 'key', operator: 'Exists' }])
    expect(make('DoesNotExist').toSpecs()).toEqual([{ key: 'key', operator: 'DoesNotExist' }])
  })
})

test('an invalid spec leads to a sentence instead of an exception', () => {
  expect(parseRequirement({ key: 'key', operator: 'Gt', values: ['x'] })).toBe(
    'key: operator Gt needs exactly one integer',
  )
  expect(parseRequirement({ key: 'key', operator: 'Lt', values: [] })).toContain('exactly one integer')
  const operator: string = 'Like'
  expect(parseRequirement(JSON.parse(JSON.stringify({ key: 'key', operator })))).toBe('key: unknown operator "Like"')
})

describe('sets of requirements', () => {
  const values = fc.uniqueArray(fc.constantFrom('A', 'B', '1', '2', '9'), { minLength: 1, maxLength: 3 })
  const requirement = fc.oneof(
    fc.record({ operator: fc.constantFrom<Operator>('In', 'NotIn'), values }),
    fc.record({ operator: fc.constantFrom<Operator>('Exists', 'DoesNotExist'), values: fc.constant<string[]>([]) }),
    fc.record({
      operator: fc.constantFrom<Operator>('Gt', 'Lt', 'Gte', 'Lte'),
      values: fc.integer({ min: 0, max: 10 }).map((bound) => [`${bound}`]),
    }),
  )
  const set = fc.array(fc.tuple(fc.constantFrom('x', 'y', 'z'), requirement), { maxLength: 4 }).map((entries) =>
    Requirements.of(
      entries.map(([key, { operator, values: given }]) => {
        const made = make(operator, given)
        return new Requirement(key, made.complement, made.values, made.gte, made.lte)
      }),
    ),
  )
  const labelSet = fc.dictionary(fc.constantFrom('x', 'y', 'z'), fc.constantFrom(...probes), { maxKeys: 3 })

  /** Returns whether a node with these labels satisfies all requirements, computed directly. */
  const holds = (requirements: Requirements, nodeLabels: Readonly<Record<string, string>>): boolean =>
    [...requirements.byKey].every(([key, each]) => {
      const value = nodeLabels[key]
      return value === undefined ? each.admitsAbsence : each.has(value)
    })

  test('a node accepts what its labels satisfy', () => {
    fc.assert(
      fc.property(set, labelSet, (wanted, nodeLabels) => {
        expect(Requirements.ofLabels(nodeLabels).accepts(wanted)).toBe(holds(wanted, nodeLabels))
      }),
    )
  })

  test('a node that satisfies both sets satisfies the merged set, and the reverse if it has all labels', () => {
    fc.assert(
      fc.property(set, set, labelSet, (a, b, nodeLabels) => {
        const merged = a.merge(b)
        if (holds(a, nodeLabels) && holds(b, nodeLabels)) expect(holds(merged, nodeLabels)).toBe(true)
        const isWhole = ['x', 'y', 'z'].every((key) => key in nodeLabels)
        if (isWhole) expect(holds(merged, nodeLabels)).toBe(holds(a, nodeLabels) && holds(b, nodeLabels))
      }),
    )
  })

  test('the order and repetition of merges do not matter', () => {
    fc.assert(
      fc.property(set, set, set, (a, b, c) => {
        expect(a.merge(b).identity).toBe(b.merge(a).identity)
        expect(a.merge(b).merge(c).identity).toBe(a.merge(b.merge(c)).identity)
        expect(a.merge(a).identity).toBe(a.identity)
      }),
    )
  })

  test('sets that share a node do not conflict', () => {
    fc.assert(
      fc.property(set, set, labelSet, (a, b, nodeLabels) => {
        if (holds(a, nodeLabels) && holds(b, nodeLabels)) expect(a.intersects(b)).toBe(true)
        expect(a.intersects(b)).toBe(b.intersects(a))
      }),
    )
  })

  test('unknown labels: well-known ones are allowed, others only if absence satisfies the requirement', () => {
    const zone = Requirements.of([Requirement.in('zone', ['a'])])
    const absent = Requirements.of([new Requirement('zone', true, new Set(['a']))])
    expect(Requirements.none.accepts(zone)).toBe(false)
    expect(Requirements.none.accepts(zone, (key) => key === 'zone')).toBe(true)
    expect(Requirements.none.accepts(absent)).toBe(true)
    expect(Requirements.none.refusal(zone)?.kind).toBe('unknown-label')
  })

  test('requirements with contradictory bounds agree if absence satisfies both', () => {
    const low = new Requirement('x', true, new Set(['9']), undefined, 3n)
    const high = new Requirement('x', true, new Set(['1']), 7n)
    expect(low.hasIntersection(high)).toBe(false)
    expect(Requirements.of([low]).intersects(Requirements.of([high]))).toBe(true)
  })

  test('an empty range counts as a defined label', () => {
    const never = Requirements.of([
      new Requirement('x', true, new Set(), 6n),
      new Requirement('x', true, new Set(), undefined, 5n),
    ])
    expect(never.get('x').operator).toBe('DoesNotExist')
    expect(never.accepts(Requirements.of([Requirement.in('x', ['7'])]))).toBe(false)
    expect(never.accepts(Requirements.of([new Requirement('x', true, new Set(['7']))]))).toBe(true)
  })
})
