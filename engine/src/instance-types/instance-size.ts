import type { Amounts } from '../resources/amounts.ts'

const UNIT = 1e9
/** What machines of every kind have; the rest, such as GPUs, only some have. */
const ORDINARY: ReadonlySet<string> = new Set(['cpu', 'memory', 'pods', 'ephemeral-storage', 'nodes'])
/** Memory that is sold for about as much as a CPU. */
const BYTES_PER_CPU = 8 * 2 ** 30

const amountOf = (amounts: Amounts, name: string): number => Number(amounts.get(name) ?? 0n) / UNIT

const specialOf = (amounts: Amounts): number => {
  let sum = 0
  for (const [name, amount] of amounts) if (!ORDINARY.has(name) && !name.startsWith('hugepages-')) sum += Number(amount)
  return sum / UNIT
}

/**
 * The smaller machine first, for machines whose prices nobody knows: first by resources that only some machines have, then by
 * CPUs, 8 GiB of memory counting as much as one.
 */
export const bySize = (a: Amounts, b: Amounts): number =>
  specialOf(a) - specialOf(b) ||
  amountOf(a, 'cpu') - amountOf(b, 'cpu') + (amountOf(a, 'memory') - amountOf(b, 'memory')) / BYTES_PER_CPU
