import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'
import { expect, test } from 'vitest'
import { PriceMemory } from './price-memory.ts'
import { type PriceTable, parsePriceTable } from './price-table.ts'

const never = new AbortController().signal
const table = (onDemand: Readonly<Record<string, number>>): PriceTable => parsePriceTable(JSON.stringify({ onDemand }))

const world = () => {
  const clock = new VirtualClock()
  const { client } = new SandboxCluster({ clock, random: new SeededRandom(1), kubelet: false, scheduler: false })
  return (key: string) => new PriceMemory(client, { namespace: 'kube-system', name: 'acme-prices', key })
}

test('prices outlive a restart in a ConfigMap, by key', async () => {
  const memory = world()
  expect(await memory('here').load(never)).toBeUndefined()
  await memory('here').save(table({ a: 1 }), never)
  await memory('there').save(table({ b: 2 }), never)
  await memory('here').save(table({ a: 3 }), never)
  expect(await memory('here').load(never)).toEqual(table({ a: 3 }))
  expect(await memory('there').load(never)).toEqual(table({ b: 2 }))
  expect(await memory('elsewhere').load(never)).toBeUndefined()
})
