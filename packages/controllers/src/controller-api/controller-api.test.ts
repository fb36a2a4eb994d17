import { labels } from '@kerf/apis'
import { instanceTypeFromJson, instanceTypeToJson } from '@kerf/engine'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { nodeClassRef } from '@kerf/testing'
import { expect, test } from 'vitest'
import { createDisruptablePool, launchNode } from '../testing/harness/index.ts'
import { harnessPerTest } from '../testing/harness-per-test.ts'
import type { InstanceTypesResponse, VersionResponse } from './controller-api.ts'

const start = harnessPerTest()
const { signal } = new AbortController()

/** Returns the response as a client receives it, after JSON serialization. */
const sent = (answer: unknown): unknown => JSON.parse(JSON.stringify(answer))

test('instance types survive JSON serialization, and pools with the same types share one list', async () => {
  const w = await start()
  await createDisruptablePool(w, 'a', {}, { spec: { nodeClassRef, requirements: [] } })
  await createDisruptablePool(w, 'b', {}, { spec: { nodeClassRef, requirements: [] } })
  const types = await loadInstanceTypes()
  const answer = sent(await w.kerf.respond('/kerf/v1/instance-types', signal)) as InstanceTypesResponse
  expect(answer.pools).toEqual({ a: 0, b: 0 })
  expect(answer.lists).toHaveLength(1)
  expect(answer.lists[0]?.map(instanceTypeFromJson)).toEqual(types)
  // The old name of the route.
  expect(sent(await w.kerf.respond('/kerf/v1/catalogue', signal))).toEqual(answer)
})

test('`/kerf/v1/version` names the program, and every route that it lists responds', async () => {
  const w = await start({ version: '1.2.3' })
  await createDisruptablePool(w)
  const { node } = await launchNode(w)
  const answer = sent(await w.kerf.respond('/kerf/v1/version', signal)) as VersionResponse
  expect(answer).toMatchObject({ name: 'kerf', version: '1.2.3' })
  expect(answer.routes).toContain('/kerf/v1/version')
  for (const route of answer.routes)
    expect([route, await w.kerf.respond(route.replace('NAME', node), signal)]).not.toContain(undefined)
})

test('overrides of an offering survive JSON serialization', () => {
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

test('decisions and nodes have responses, but unknown paths do not', async () => {
  const w = await start()
  await createDisruptablePool(
    w,
    'general',
    { disruption: { consolidateAfter: '1h' } },
    { spec: { nodeClassRef, requirements: [] } },
  )
  const made = await launchNode(w)
  const key = 'default/huge'
  w.kerf.decisions.refused(5, { key, uid: 'u-1' }, [{ code: 'nodepool.none', subject: 'cluster', detail: {} }])
  expect(sent(await w.kerf.respond('/kerf/v1/decisions', signal))).toEqual({
    decisions: [
      { kind: 'refuse', at: 5, pod: 'u-1', reasons: [{ code: 'nodepool.none', subject: 'cluster', detail: {} }] },
    ],
  })
  const node = sent(await w.kerf.respond(`/kerf/v1/nodes/${made.node}`, signal))
  expect(node).toMatchObject({ node: made.node, nodePool: 'general' })
  for (const path of [
    '/kerf/v1/',
    '/kerf/v1/nodes',
    '/kerf/v1/nodes/nobody',
    '/kerf/v1/instance-types/x',
    '/kerf/v1/version/x',
    '/metrics',
    '/',
  ])
    expect(await w.kerf.respond(path, signal)).toBeUndefined()
  expect(await w.kerf.respond('/kerf/v1/nodes/%zz', signal)).toBeUndefined()
})
