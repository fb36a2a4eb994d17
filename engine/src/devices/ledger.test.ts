import { expect, test } from 'vitest'
import { Ledger } from './ledger.ts'

test('counts the largest of a target’s types for others, and gives back what a type held', () => {
  const ledger = new Ledger(new Map([['memory', 1n]]))
  const take = (target: number, type: string, amount: bigint) =>
    ledger.take(target, type, [{ resource: 'memory', amount, total: 100n }])
  take(1, 'small', 2n)
  take(1, 'large', 5n)
  take(1, 'large', 1n)
  take(2, 'small', 10n)
  expect(ledger.used('memory', 3, 'any')).toBe(1n + 6n + 10n)
  expect(ledger.used('memory', 1, 'small')).toBe(1n + 2n + 10n)
  expect(ledger.used('memory', 1, 'large')).toBe(1n + 6n + 10n)
  expect(ledger.used('memory', 1, 'none yet')).toBe(1n + 10n)
  // A smaller type is out: nothing changes for others. The larger one is: they get the difference.
  ledger.release(1, 'small')
  expect(ledger.used('memory', 3, 'any')).toBe(17n)
  take(1, 'small', 2n)
  ledger.release(1, 'large')
  expect(ledger.used('memory', 3, 'any')).toBe(13n)
  ledger.release(1, 'small')
  ledger.release(1, 'unheard of')
  expect(ledger.used('memory', 3, 'any')).toBe(11n)
  expect(ledger.used('nothing', 3, 'any')).toBe(0n)
})
