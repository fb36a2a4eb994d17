import { expect, test } from 'vitest'
import { fullText, outlineDecision, partText, shortText } from './command-text.ts'

const command = (nodes: readonly string[], replacements = 0) => ({
  nodes,
  replacements,
  pools: ['a', 'b'],
  savings: 0.123,
})

// `docs/spec/disruption.md#command-text`
test('decisions', () => {
  expect(outlineDecision(command([], 1))).toBe('no-op')
  expect(outlineDecision(command(['n1']))).toBe('delete')
  expect(outlineDecision(command(['n1'], 1))).toBe('replace')
})

test('texts', () => {
  expect(shortText(command(['n1', 'n2']))).toBe('delete: [n1, n2]')
  expect(shortText(command(['n1'], 2))).toBe('replace: [n1] -> [2 replacements]')
  expect(shortText(command([]))).toBe('no-op: []')
  expect(fullText(command(['n1', 'n2'], 1), 'Underutilized', 'id')).toBe(
    'Underutilized/id: replace: nodepools=[a,b]: [n1, n2] -> [1 replacement] (savings: $0.12)',
  )
  expect(fullText(command(['n1']), 'Empty', 'id')).toBe('Empty/id: delete: nodepools=[a,b]: [n1] (savings: $0.12)')
  expect(partText(command(['n1', 'n2', 'n3']), 'n2')).toBe('delete: [n2] (part of 3-node consolidation)')
  expect(partText(command(['n1'], 1), 'n1')).toBe('replace: [n1] -> [1 replacement]')
})
