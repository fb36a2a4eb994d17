import type { Amounts } from '../resources/amounts.ts'

const UNIT = 1e9
/** Resources that all instance types have. All other resources, such as GPUs, are special. */
const ORDINARY: ReadonlySet<string> = new Set(['cpu', 'memory', 'pods', 'ephemeral-storage', 'nodes'])
/** The amount of memory that is equivalent to one CPU. */
const BYTES_PER_CPU = 8 * 2 ** 30

const amountAsNumber = (amounts: Amounts, name: string): number => Number(amounts.get(name) ?? 0n) / UNIT

const specialAmount = (amounts: Amounts): number => {
  let sum = 0
  for (const [name, amount] of amounts) if (!ORDINARY.has(name) && !name.startsWith('hugepages-')) sum += Number(amount)
  return sum / UNIT
}

/**
 * Compares instance types without known prices by size, smaller ones first. Special resources decide first, then CPUs, with 8 GiB of memory
 * counted as one CPU.
 */
export const bySize = (a: Amounts, b: Amounts): number =>
  specialAmount(a) - specialAmount(b) ||
  amountAsNumber(a, 'cpu') -
    amountAsNumber(b, 'cpu') +
    (amountAsNumber(a, 'memory') - amountAsNumber(b, 'memory')) / BYTES_PER_CPU
