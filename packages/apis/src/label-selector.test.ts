import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatFieldSelector, matchesFields, parseFieldSelector } from './field-selector.ts'
import {
  formatLabelSelector,
  matchesLabelSelector,
  matchesRequirements,
  parseLabelSelector,
  SelectorError,
  selectorRequirements,
} from './label-selector.ts'

type Set = Readonly<Record<string, string>>

/** Reads test vectors. Each has a selector, and a digit for each set of labels or fields: 1 if the selector matches the set. */
const fileVectors = (file: string): { sets: readonly Set[]; vectors: readonly { text: string; matches: string }[] } => {
  const lines = readFileSync(new URL(file, import.meta.url), 'utf8').split('\n')
  const sets = lines.find((line) => line.startsWith('# sets\t'))?.slice(7) ?? '[]'
  const vectors = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [text = '', matches = ''] = line.split('\t')
      return { text: JSON.parse(text), matches }
    })
  return { sets: JSON.parse(sets), vectors }
}

const outcome = (test: () => readonly boolean[]): string => {
  try {
    return test()
      .map((matches) => (matches ? '1' : '0'))
      .join('')
  } catch (error) {
    if (error instanceof SelectorError) return 'refused'
    throw error
  }
}

describe('parsing as in Go', () => {
  const labels = fileVectors('./label-selector.vectors.tsv')
  test.each(labels.vectors)('labels: $text', ({ text, matches }) => {
    expect(outcome(() => labels.sets.map((set) => matchesRequirements(parseLabelSelector(text), set)))).toBe(matches)
  })

  const fields = fileVectors('./field-selector.vectors.tsv')
  test.each(fields.vectors)('fields: $text', ({ text, matches }) => {
    expect(
      outcome(() => fields.sets.map((set) => matchesFields(parseFieldSelector(text), (field) => set[field] ?? ''))),
    ).toBe(matches)
  })
})

const keys = fc.constantFrom('a', 'b', 'example.com/c')
const values = fc.constantFrom('', 'x', 'y', '5')
const requirement = fc.oneof(
  fc.record({
    key: keys,
    operator: fc.constantFrom('In' as const, 'NotIn' as const),
    values: fc.uniqueArray(values, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    key: keys,
    operator: fc.constantFrom('Exists' as const, 'DoesNotExist' as const),
    values: fc.constant([] as string[]),
  }),
)
const labelSets = fc.dictionary(keys, values, { maxKeys: 3, noNullPrototype: true })

describe('properties', () => {
  test('a selector matches the same objects after it is formatted and parsed again', () => {
    fc.assert(
      fc.property(fc.array(requirement, { maxLength: 4 }), labelSets, (requirements, labels) => {
        const again = parseLabelSelector(formatLabelSelector(requirements))
        expect(matchesRequirements(again, labels)).toBe(matchesRequirements(requirements, labels))
      }),
    )
  })

  test('In and NotIn, Exists and DoesNotExist are opposites', () => {
    const opposite = { In: 'NotIn', NotIn: 'In', Exists: 'DoesNotExist', DoesNotExist: 'Exists' } as const
    fc.assert(
      fc.property(requirement, labelSets, (each, labels) => {
        const other = { ...each, operator: opposite[each.operator] }
        expect(matchesRequirements([each], labels)).toBe(!matchesRequirements([other], labels))
      }),
    )
  })

  test('a selector field matches like its requirements', () => {
    fc.assert(
      fc.property(
        labelSets,
        fc.array(requirement, { maxLength: 3 }),
        labelSets,
        (matchLabels, matchExpressions, labels) => {
          const selector = { matchLabels, matchExpressions }
          expect(matchesLabelSelector(selector, labels)).toBe(
            matchesRequirements(selectorRequirements(selector), labels),
          )
        },
      ),
    )
  })

  test('field values may contain any character', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const text = formatFieldSelector([{ field: 'a', operator: '=', value }])
        expect(parseFieldSelector(text)).toEqual([{ field: 'a', operator: '=', value }])
      }),
    )
  })
})

test('a missing selector matches nothing, and an empty one matches everything', () => {
  expect(matchesLabelSelector(undefined, { a: 'b' })).toBe(false)
  expect(matchesLabelSelector({}, undefined)).toBe(true)
  expect(matchesLabelSelector({ matchLabels: { constructor: 'x' } }, {})).toBe(false)
})
