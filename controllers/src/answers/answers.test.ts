import { labels } from '@kerf/apis'
import { instanceTypeFromJson, instanceTypeToJson } from '@kerf/engine'
import { loadCatalogue } from '@kerf/provider-kwok'
import { expect, test } from 'vitest'
import { nodeClassRef } from '../testing/objects.ts'
import { worldPerTest } from '../testing/world-per-test.ts'
import type { CatalogueAnswer } from './answers.ts'

const start = worldPerTest()
const { signal } = new AbortController()

/** As it arrives at the other end. */
const sent = (answer: unknown): unknown => JSON.parse(JSON.stringify(answer))

test('the catalogue comes over JSON as it was, once for all pools that are offered the same', async () => {
  const w = await start()
  await w.pool('a', {}, { spec: { nodeClassRef, requirements: [] } })
  await w.pool('b', {}, { spec: { nodeClassRef, requirements: [] } })
  const types = await loadCatalogue()
  const answer = sent(await w.kerf.answer('/kerf/v1/catalogue', signal)) as CatalogueAnswer
  expect(answer.pools).toEqual({ a: 0, b: 0 })
  expect(answer.lists).toHaveLength(1)
  expect(answer.lists[0]?.map(instanceTypeFromJson)).toEqual(types)
})

test('overrides of an offering survive the way, too', () => {
  const [type] = [
    {
      name: 'x',
      requirements: [{ key: labels.zone, operator: 'In' as const, values: ['a'] }],
      capacity: {},
      overhead: {},
      offerings: [
        {
          requirements: [],
          price: 1,
          available: true,
          capacityOverride: instanceTypeFromJson({
            name: '',
            requirements: [],
            offerings: [],
            overhead: {},
            capacity: { memory: '1536Mi', cpu: '1500m' },
          }).capacity,
        },
      ],
    },
  ]
  const json = instanceTypeToJson(type as never)
  expect(json.offerings[0]?.capacityOverride).toEqual({ memory: '1536Mi', cpu: '1500m' })
  expect(instanceTypeFromJson(sent(json) as never)).toEqual(type)
})

test('decisions and nodes are told, anything else is nothing', async () => {
  const w = await start()
  await w.pool('general', { disruption: { consolidateAfter: '1h' } }, { spec: { nodeClassRef, requirements: [] } })
  const made = await w.node()
  const key = 'default/huge'
  w.kerf.decisions.refused(5, { key, uid: 'u-1' }, [{ code: 'nodepool.none', subject: 'cluster', detail: {} }])
  expect(sent(await w.kerf.answer('/kerf/v1/decisions', signal))).toEqual({
    decisions: [
      { kind: 'refuse', at: 5, pod: 'u-1', reasons: [{ code: 'nodepool.none', subject: 'cluster', detail: {} }] },
    ],
  })
  const node = sent(await w.kerf.answer(`/kerf/v1/nodes/${made.node}`, signal))
  expect(node).toMatchObject({ node: made.node, nodePool: 'general' })
  for (const path of ['/kerf/v1/', '/kerf/v1/nodes', '/kerf/v1/nodes/nobody', '/kerf/v1/catalogue/x', '/metrics', '/'])
    expect(await w.kerf.answer(path, signal)).toBeUndefined()
  expect(await w.kerf.answer('/kerf/v1/nodes/%zz', signal)).toBeUndefined()
})
