import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ClaimIndex } from './claim-index.ts'

describe('the counts of claims', () => {
  test('change as each claim moves from one state to the next', () => {
    const index = new ClaimIndex()
    index.put('p', 'a', false)
    index.put('p', 'b', false)
    index.put('p', 'b', false)
    expect(index.counts('p')).toEqual({ active: 2, deleting: 0, pendingDisruption: 0 })
    index.markPendingDisruption('a')
    index.put('p', 'a', false)
    expect(index.counts('p')).toEqual({ active: 1, deleting: 0, pendingDisruption: 1 })
    index.unmarkPendingDisruption('a')
    index.markPendingDisruption('b')
    index.put('p', 'b', true)
    expect(index.counts('p')).toEqual({ active: 1, deleting: 1, pendingDisruption: 0 })
    index.remove('b')
    index.remove('b')
    index.put('q', 'a', false)
    expect(index.counts('p')).toEqual({ active: 0, deleting: 0, pendingDisruption: 0 })
    expect(index.counts('q')).toEqual({ active: 1, deleting: 0, pendingDisruption: 0 })
  })
})

describe('the reservations of a pool', () => {
  test('are granted completely, partly, or not', () => {
    const index = new ClaimIndex()
    expect(index.reserve('p', Number.POSITIVE_INFINITY, 3)).toBe(3)
    index.release('p', 3)
    index.put('p', 'a', false)
    index.put('p', 'b', true)
    expect(index.reserve('p', 5, 10)).toBe(3)
    expect(index.reserve('p', 5, 1)).toBe(0)
    index.release('p', 100)
    expect(index.reserve('p', 1, 1)).toBe(0)
    expect(index.reserve('p', 5, -4)).toBe(0)
  })

  test('never let claims and reservations exceed the limit', () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant('reserve' as const), wanted: fc.integer({ min: 0, max: 6 }) }),
      fc.record({ kind: fc.constant('create' as const) }),
      fc.record({ kind: fc.constant('fail' as const) }),
      fc.record({ kind: fc.constant('remove' as const), index: fc.nat(20) }),
    )
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), fc.array(step, { maxLength: 60 }), (limit, steps) => {
        const index = new ClaimIndex()
        const claims: string[] = []
        let reserved = 0
        let created = 0
        for (const one of steps) {
          switch (one.kind) {
            case 'reserve':
              reserved += index.reserve('p', limit, one.wanted)
              break
            case 'create':
              if (reserved === 0) break
              claims.push(`claim-${created++}`)
              index.put('p', claims.at(-1) ?? '', false)
              index.release('p', 1)
              reserved--
              break
            case 'fail':
              if (reserved === 0) break
              index.release('p', 1)
              reserved--
              break
            case 'remove': {
              const [gone] = claims.splice(one.index % Math.max(1, claims.length), 1)
              if (gone !== undefined) index.remove(gone)
              break
            }
          }
          expect(index.counts('p').active).toBe(claims.length)
          expect(claims.length + reserved).toBeLessThanOrEqual(limit)
        }
      }),
    )
  })
})
