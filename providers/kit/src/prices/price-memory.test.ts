import { kinds } from '@kerf/apis'
import { type KubeClient, SeededRandom, VirtualClock } from '@kerf/runtime'
import { SandboxCluster } from '@kerf/sandbox'
import { expect, test } from 'vitest'
import { PriceMemory } from './price-memory.ts'
import { type PriceTable, parsePriceTable } from './price-table.ts'

const never = new AbortController().signal
const table = (onDemand: Readonly<Record<string, number>>): PriceTable => parsePriceTable(JSON.stringify({ onDemand }))

const harness = () => {
  const clock = new VirtualClock()
  const { client } = new SandboxCluster({ clock, random: new SeededRandom(1), kubelet: false, scheduler: false })
  const over = (client: KubeClient) => (key: string) =>
    new PriceMemory(client, { namespace: 'kube-system', name: 'acme-prices', key })
  return { client, over, memory: over(client) }
}

test('prices are stored in a ConfigMap, by key, and survive a restart', async () => {
  const { memory } = harness()
  expect(await memory('here').load(never)).toBeUndefined()
  await memory('here').save(table({ a: 1 }), never)
  await memory('there').save(table({ b: 2 }), never)
  await memory('here').save(table({ a: 3 }), never)
  expect(await memory('here').load(never)).toEqual(table({ a: 3 }))
  expect(await memory('there').load(never)).toEqual(table({ b: 2 }))
  expect(await memory('elsewhere').load(never)).toBeUndefined()
})

test('if another replica creates the ConfigMap at the same time, its prices are kept', async () => {
  const { client, memory, over } = harness()
  const late: KubeClient = new Proxy(client, {
    get: (target, key) => {
      if (key !== 'patch') return Reflect.get(target, key).bind?.(target) ?? Reflect.get(target, key)
      return async (...call: Parameters<KubeClient['patch']>) => {
        const answer = await target.patch(...call).catch((error: unknown) => error)
        await memory('here').save(table({ a: 2 }), never)
        if (answer instanceof Error) throw answer
        return answer
      }
    },
  })
  await over(late)('here').save(table({ a: 1 }), never)
  expect(await memory('here').load(never)).toEqual(table({ a: 2 }))
})

test('other errors of the API server are thrown, and unreadable prices are an error', async () => {
  const { client, memory } = harness()
  const namespace = 'kube-system'
  const data = { here: '{"onDemand": 1}' }
  await client.create(kinds.ConfigMap, {
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: 'acme-prices' }, data },
  })
  await expect(memory('here').load(never)).rejects.toThrow('onDemand is not an object')
})
