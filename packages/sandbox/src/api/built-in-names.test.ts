import { kinds } from '@kerf/apis'
import { type KubeClient, SeededRandom, VirtualClock } from '@kerf/runtime'
import { beforeEach, describe, expect, test } from 'vitest'
import { SandboxApi } from './sandbox-api.ts'

/** Keys that every object or function has as built-in properties. All are valid keys in the data of a ConfigMap. */
const KEYS = [
  ...new Set([...Object.getOwnPropertyNames(Object.prototype), ...Object.getOwnPropertyNames(Function.prototype)]),
].sort()
const NAMES = KEYS.filter((key) => /^[a-z]+$/.test(key))

let client: KubeClient
beforeEach(() => {
  client = new SandboxApi({ clock: new VirtualClock(), random: new SeededRandom(1) }).client()
})

const target = { name: 'a', namespace: 'default' }
/** Parses the data as a client sends it: after JSON.parse, `__proto__` is an own property. */
const parseData = (value: string): Readonly<Record<string, string>> =>
  JSON.parse(`{${KEYS.map((key) => `${JSON.stringify(key)}:"${value}"`).join()}}`)
const configMap = (data: Readonly<Record<string, string>>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'a', namespace: 'default' },
  data,
})
/** Returns the stored data entries, in the order of their keys. */
const stored = async (): Promise<readonly (readonly [string, string])[]> => {
  const { data = {} } = await client.get(kinds.ConfigMap, target)
  expect(Object.getPrototypeOf(data)).toBe(Object.prototype)
  return Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1))
}
const all = (value: string) => KEYS.map((key) => [key, value])

describe('keys named after built-in properties', () => {
  test('are kept when objects are created and updated', async () => {
    const created = await client.create(kinds.ConfigMap, configMap(parseData('1')))
    expect(await stored()).toEqual(all('1'))
    await client.update(kinds.ConfigMap, { ...created, data: parseData('2') })
    expect(await stored()).toEqual(all('2'))
    await client.update(kinds.ConfigMap, { ...created, metadata: target, data: {} })
    expect(await stored()).toEqual([])
  })

  test.each(['merge', 'strategic'] as const)('are added, changed and removed by a %s patch', async (type) => {
    await client.create(kinds.ConfigMap, configMap({}))
    for (const value of ['1', '2']) {
      await client.patch(kinds.ConfigMap, target, { type, body: { data: parseData(value) } })
      expect(await stored()).toEqual(all(value))
    }
    const removed = JSON.parse(JSON.stringify(parseData('')).replaceAll('""', 'null')) as object
    await client.patch(kinds.ConfigMap, target, { type, body: { data: removed } })
    expect(await stored()).toEqual([])
  })

  test('can be added, changed and removed by a JSON patch', async () => {
    await client.create(kinds.ConfigMap, configMap({ a: 'b' }))
    const patch = (op: 'add' | 'replace' | 'remove', value?: string) =>
      client.patch(kinds.ConfigMap, target, {
        type: 'json',
        body: KEYS.map((key) => ({ op, path: `/data/${key}`, ...(value === undefined ? {} : { value }) })),
      })
    await patch('add', '1')
    expect(await stored()).toEqual([...all('1'), ['a', 'b']].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)))
    await patch('replace', '2')
    await patch('remove')
    expect(await stored()).toEqual([['a', 'b']])
    for (const [from, to] of [
      ['a', '__proto__'],
      ['__proto__', 'constructor'],
    ]) {
      const body = [{ op: 'move', from: `/data/${from}`, path: `/data/${to}` }]
      await client.patch(kinds.ConfigMap, target, { type: 'json', body })
      expect(await stored()).toEqual([[to, 'b']])
    }
    const absent = { op: 'test', path: '/data/toString', value: null }
    await client.patch(kinds.ConfigMap, target, { type: 'json', body: [absent] })
    await expect(patch('remove')).rejects.toMatchObject({ code: 422 })
  })

  test('are owned by the applying manager, and removed when its next apply omits them', async () => {
    const apply = (data: Readonly<Record<string, string>>) =>
      client.patch(kinds.ConfigMap, target, { type: 'apply', body: configMap(data) }, { fieldManager: 'test' })
    await apply(parseData('1'))
    expect(await stored()).toEqual(all('1'))
    await apply(parseData('2'))
    expect(await stored()).toEqual(all('2'))
    await apply({})
    expect(await stored()).toEqual([])
  })
})

test.each(NAMES)('a namespace and an object named %s', async (name) => {
  await expect(client.get(kinds.Namespace, { name })).rejects.toMatchObject({ code: 404 })
  await client.create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  const own = { name, namespace: name }
  await expect(client.get(kinds.ConfigMap, own)).rejects.toMatchObject({ code: 404 })
  await client.create(kinds.ConfigMap, { ...configMap({}), metadata: { ...own, labels: { [name]: name } } })
  const names = async (labelSelector: string) =>
    (await client.list(kinds.ConfigMap, { namespace: name, labelSelector })).items.map(({ metadata }) => metadata.name)
  expect(await names(name)).toEqual([name])
  expect(await names(`!${name}`)).toEqual([])
  expect(await names(`${name}=${name}`)).toEqual([name])
  await client.delete(kinds.ConfigMap, own)
  await expect(client.get(kinds.ConfigMap, own)).rejects.toMatchObject({ code: 404 })
})
