import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ClaimLedger } from './claim-ledger.ts'

describe('counts', () => {
  test('follow each claim from one state to the next', () => {
    const ledger = new ClaimLedger()
    ledger.put('p', 'a', false)
    ledger.put('p', 'b', false)
    ledger.put('p', 'b', false)
    expect(ledger.counts('p')).toEqual({ active: 2, deleting: 0, pendingDisruption: 0 })
    ledger.markPendingDisruption('a')
    ledger.put('p', 'a', false)
    expect(ledger.counts('p')).toEqual({ active: 1, deleting: 0, pendingDisruption: 1 })
    ledger.unmarkPendingDisruption('a')
    ledger.markPendingDisruption('b')
    ledger.put('p', 'b', true)
    expect(ledger.counts('p')).toEqual({ active: 1, deleting: 1, pendingDisruption: 0 })
    ledger.remove('b')
    ledger.remove('b')
    ledger.put('q', 'a', false)
    expect(ledger.counts('p')).toEqual({ active: 0, deleting: 0, pendingDisruption: 0 })
    expect(ledger.counts('q')).toEqual({ active: 1, deleting: 0, pendingDisruption: 0 })
  })
})

describe('reservations', () => {
  test('are granted in full, in part, or not', () => {
    const ledger = new ClaimLedger()
    expect(ledger.reserve('p', Number.POSITIVE_INFINITY, 3)).toBe(3)
    ledger.release('p', 3)
    ledger.put('p', 'a', false)
    ledger.put('p', 'b', true)
    expect(ledger.reserve('p', 5, 10)).toBe(3)
    expect(ledger.reserve('p', 5, 1)).toBe(0)
    ledger.release('p', 100)
    expect(ledger.reserve('p', 1, 1)).toBe(0)
    expect(ledger.reserve('p', 5, -4)).toBe(0)
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
        const ledger = new ClaimLedger()
        const claims: string[] = []
        let reserved = 0
        let created = 0
        for (const one of steps) {
          switch (one.kind) {
            case 'reserve':
              reserved += ledger.reserve('p', limit, one.wanted)
              break
            case 'create':
              if (reserved === 0) break
              claims.push(`claim-${created++}`)
              ledger.put('p', claims.at(-1) ?? '', false)
              ledger.release('p', 1)
              reserved--
              break
            case 'fail':
              if (reserved === 0) break
              ledger.release('p', 1)
              reserved--
              break
            case 'remove': {
              const [gone] = claims.splice(one.index % Math.max(1, claims.length), 1)
              if (gone !== undefined) ledger.remove(gone)
              break
            }
          }
          expect(ledger.counts('p').active).toBe(claims.length)
          expect(claims.length + reserved).toBeLessThanOrEqual(limit)
        }
      }),
    )
  })
})
