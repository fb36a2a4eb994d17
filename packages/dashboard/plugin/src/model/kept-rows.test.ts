import { expect, test } from 'vitest'
import { objectRows, reportedRows } from './kept-rows.ts'

const guard = (pod: string) => ({ code: 'pod.do-not-disrupt', pod } as const)
const method = (name: string, ...blockers: readonly object[]) => ({ method: name, blockers })
const off = { code: 'pool.only-when-empty', pool: 'p' } as const
const budget = {
  code: 'budget.exhausted',
  pool: 'p',
  reason: 'Drifted',
  allowed: 1,
  disrupting: 1,
  budgets: [],
} as const

test('if a method has only the blockers that every method has, nothing else keeps the node', () => {
  const blockers = [guard('a'), guard('b')]
  const methods = [
    method('sleep', ...blockers, { code: 'pool.awake', pool: 'p' }),
    method('drift', ...blockers),
    method('single-node', ...blockers, off),
  ]
  expect(reportedRows({ blockers, methods })).toEqual([
    { method: '', blocker: guard('a') },
    { method: '', blocker: guard('b') },
  ])
})

test('shows the other blockers of each method, except those of methods that never apply to the node', () => {
  const blockers = [guard('a')]
  const methods = [
    method('static-drift', ...blockers, { code: 'pool.dynamic', pool: 'p' }),
    method('drift', ...blockers, budget),
    method('single-node', ...blockers, off, { code: 'of.tomorrow' }),
  ]
  expect(reportedRows({ blockers, methods })).toEqual([
    { method: '', blocker: guard('a') },
    { method: 'drift', blocker: budget },
    { method: 'single-node', blocker: off },
    { method: 'single-node', blocker: { code: 'of.tomorrow' } },
  ])
})

test('a blocker that one method ignores is not a blocker of every method', () => {
  const methods = [method('drift', budget), method('single-node', guard('a'), off)]
  expect(reportedRows({ blockers: [guard('a')], methods })).toEqual([
    { method: 'drift', blocker: budget },
    { method: 'single-node', blocker: guard('a') },
    { method: 'single-node', blocker: off },
  ])
  const acting = [{ ...method('drift'), move: { text: 'replace: [n]' } }, method('single-node', guard('a'))]
  expect(reportedRows({ blockers: [guard('a')], methods: acting })).toEqual([
    { method: 'drift', move: 'replace: [n]' },
    { method: 'single-node', blocker: guard('a') },
  ])
})

test('with a terminationGracePeriod, the pods that objects show block consolidation only', () => {
  const blockers = [{ code: 'node.do-not-disrupt' } as const, guard('shop/web'), budget]
  const methodsFor = (claim: object) => objectRows(blockers, claim).map((row) => row.method)
  expect(methodsFor({ spec: {} })).toEqual(['', '', 'Drifted'])
  expect(methodsFor({ spec: { terminationGracePeriod: '1h' } })).toEqual(['', 'Underutilized', 'Drifted'])
})
