import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { editorText } from './editing.ts'
import { changedPaths, differences, mergeInto, pathText, withField } from './merge.ts'

const pool = <S extends object>(spec: S, metadata: object = {}) => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'general', resourceVersion: '7', ...metadata },
  spec,
})
const base = pool({
  weight: 1,
  limits: { cpu: '8' },
  disruption: { consolidateAfter: '0s', budgets: [{ nodes: '10%' }] },
})
const merged = (mine: unknown, theirs: unknown) => mergeInto(editorText(mine), base, mine, theirs)

describe('a text that is edited while another user saves', () => {
  test('gets the other user’s changes and keeps its own', () => {
    const mine = pool({ ...base.spec, weight: 5 })
    const theirs = pool(
      { ...base.spec, limits: { cpu: '16', memory: '1Gi' } },
      { resourceVersion: '8', labels: { a: 'b' } },
    )
    const { text, changes, conflicts } = merged(mine, theirs)
    expect(parse(text)).toEqual({
      ...theirs,
      metadata: { name: 'general', labels: { a: 'b' } },
      spec: { ...theirs.spec, weight: 5 },
    })
    expect(changes.map(({ path }) => pathText(path))).toEqual([
      'metadata.labels',
      'spec.limits.cpu',
      'spec.limits.memory',
    ])
    expect(conflicts).toEqual([])
  })

  test('keeps its comments and its order of fields', () => {
    const text = ['# mine', ...editorText(base).trimEnd().split('\n')]
      .join('\n')
      .replace('weight: 1', 'weight: 5 # why')
    const theirs = pool({ ...base.spec, limits: { cpu: '16' } })
    const after = mergeInto(text, base, parse(text), theirs)
    expect(after.text).toBe(`${text.replace('cpu: "8"', 'cpu: "16"')}\n`)
  })

  test('reports a conflict if both users changed a field or a list, or if one of them removed it', () => {
    const mine = pool({ limits: { cpu: '9' }, disruption: { budgets: [{ nodes: '1' }] } })
    const theirs = pool({
      ...base.spec,
      weight: 3,
      limits: { cpu: '10' },
      disruption: { ...base.spec.disruption, budgets: [{ nodes: '2' }] },
    })
    const { text, conflicts } = merged(mine, theirs)
    expect(parse(text)).toEqual({ ...mine, metadata: { name: 'general' } })
    expect(conflicts).toEqual([
      { path: ['spec', 'weight'], mine: undefined, theirs: 3 },
      { path: ['spec', 'limits', 'cpu'], mine: '9', theirs: '10' },
      { path: ['spec', 'disruption', 'budgets'], mine: [{ nodes: '1' }], theirs: [{ nodes: '2' }] },
    ])
    // Resolve the conflicts with the other user's values.
    const [weight, cpu] = conflicts
    const chosen = [weight, cpu].reduce((edited, each) => withField(edited, each?.path ?? [], each?.theirs), text)
    expect(parse(chosen).spec).toMatchObject({ weight: 3, limits: { cpu: '10' } })
  })

  test('the same change by both users is not a conflict, and an unedited text becomes the new object', () => {
    const theirs = pool({ ...base.spec, weight: 9 })
    expect(merged(theirs, theirs)).toMatchObject({ changes: [], conflicts: [] })
    expect(merged(base, theirs)).toEqual({ text: editorText(theirs), changes: [], conflicts: [] })
    expect(changedPaths(base, theirs)).toEqual(['spec.weight'])
    expect(
      changedPaths(base, { ...base, status: { nodes: 3 }, metadata: { name: 'general', resourceVersion: '9' } }),
    ).toEqual([])
  })

  test('keeps the values in the text if an alias refers to a changed field', () => {
    const text = 'spec:\n  a: &x\n    n: 1\n  b: *x\n'
    const before = { spec: { a: { n: 1 }, b: { n: 1 }, c: 1 } }
    const after = mergeInto(text, before, parse(text), { spec: { a: { n: 1 }, b: { n: 2 }, c: 1 } })
    expect(parse(after.text)).toEqual({ spec: { a: { n: 1 }, b: { n: 2 } } })
  })
})

test('loses no change: each field has the value of the user who changed it, or is a conflict', () => {
  const value = fc.option(
    fc.oneof(
      fc.integer({ min: 0, max: 2 }),
      fc.constantFrom('x', 'y'),
      fc.array(fc.integer({ min: 0, max: 1 }), { maxLength: 2 }),
    ),
    { nil: undefined },
  )
  const flat = fc
    .record({ a: value, b: value, c: value })
    .map((object) => JSON.parse(JSON.stringify(object)) as Record<string, unknown>)
  const nested = fc
    .record({ p: flat, q: flat, r: value })
    .map((object) => JSON.parse(JSON.stringify(object)) as Record<string, unknown>)
  const leaves = (object: unknown, path: string): unknown =>
    path.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], object)
  const paths = ['p.a', 'p.b', 'p.c', 'q.a', 'q.b', 'q.c', 'r']
  const text = (each: unknown): string => JSON.stringify(each) ?? 'absent'
  fc.assert(
    fc.property(nested, nested, nested, (before, mine, theirs) => {
      const { changes, conflicts } = differences(before, mine, theirs)
      const after = parse(changes.reduce((edited, { path, value }) => withField(edited, path, value), stringify(mine)))
      const open = new Set(conflicts.map(({ path }) => path.join('.')))
      for (const path of paths) {
        const [b, m, t, a] = [before, mine, theirs, after].map((each) => text(leaves(each, path)))
        if (open.has(path)) expect([path, b !== m && b !== t && m !== t, a]).toEqual([path, true, m])
        else expect([path, a]).toEqual([path, b === t ? m : t])
      }
    }),
    { seed: 20, numRuns: 300 },
  )
})
