import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { condition, node, nodePool } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { runExplainPool } from './run-explain-pool.ts'

const onDemand = { key: 'karpenter.sh/capacity-type', operator: 'In' as const, values: ['on-demand'] }

const explain = async (objects: readonly object[], name = 'general', output: 'text' | 'json' = 'text') => {
  const folder = await mkdtemp(join(tmpdir(), 'explain-pool-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'cluster.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
  let text = ''
  const stdout = { write: (part: string) => (text += part) }
  const streams = { stdout, stderr: { write: () => {} }, env: {} }
  const code = await runExplainPool(name, { filename: [file], output }, streams)
  return { code, text }
}

const running = (name: string, cpu: string) =>
  node(name, {
    labels: {
      'karpenter.sh/nodepool': 'general',
      'karpenter.sh/capacity-type': 'on-demand',
      'topology.kubernetes.io/zone': 'test-zone-a',
      'node.kubernetes.io/instance-type': 'c-4x-amd64-linux',
    },
    providerID: `kwok://${name}`,
    status: { capacity: { cpu, memory: '8Gi', pods: '64' }, allocatable: { cpu, memory: '8Gi', pods: '64' } },
  })

test('shows the nodes of the pool, its remaining limits, and how many offerings each requirement leaves', async () => {
  const { code, text } = await explain([
    nodePool('general', { requirements: [onDemand], limits: { cpu: '10', memory: '1Ti' } }),
    running('node-a', '4'),
  ])
  expect(code).toBe(0)
  expect(text).toMatchInlineSnapshot(`
    "general launches nodes for pods  (1 node, $0.1086/h)

    LIMIT    OF  USED    LEFT
    cpu      10     4       6
    memory  1Ti   8Gi  1016Gi

    REQUIREMENT                                OFFERINGS LEFT
    (all offerings)                                      1152
    karpenter.sh/capacity-type In [on-demand]             576
    "
  `)
})

test.each([
  ['a limit that is reached', { limits: { cpu: '4' } }, 'its limit of 4 cpu is reached: its nodes have 4'],
  ['the limit on nodes', { limits: { nodes: '1' } }, 'its limit of 1 nodes is reached: its nodes have 1'],
  [
    'a requirement that no type meets',
    { requirements: [onDemand, { key: 'topology.kubernetes.io/zone', operator: 'In' as const, values: ['mars'] }] },
    'no instance type is left after topology.kubernetes.io/zone In [mars]',
  ],
])('says why a pool cannot launch nodes: %s', async (_name, change, obstacle) => {
  const { code, text } = await explain([nodePool('general', change), running('node-a', '4')], 'general', 'json')
  expect(code).toBe(3)
  expect(JSON.parse(text)).toMatchObject({ launches: false, obstacles: [obstacle], nodes: 1 })
})

test('a pool launches nothing while it sleeps or a ceiling is reached, and covered nodes cost nothing', async () => {
  const farDay = new Intl.DateTimeFormat('en-US', { weekday: 'short' }).format(Date.now() + 3 * 86_400_000)
  const apiVersion = 'kerf.sh/v1alpha1'
  const hours = {
    ...{ apiVersion, kind: 'NodePoolPolicy', metadata: { name: 'hours' } },
    spec: {
      targetRefs: [{ group: 'karpenter.sh', kind: 'NodePool', name: 'general' }],
      sleep: { timeZone: 'UTC', awake: [{ days: [farDay], start: '07:00', end: '19:00' }] },
    },
  }
  const prepaid = { instanceType: 'c-4x-amd64-linux', count: 1 }
  const policy = {
    ...{ apiVersion, kind: 'ClusterPolicy', metadata: { name: 'default' } },
    spec: { ceilings: { nodes: 1 }, commitments: [{ name: 'a', prepaid }] },
  }
  const { text } = await explain([nodePool('general'), running('node-a', '4'), hours, policy], 'general', 'json')
  expect(JSON.parse(text)).toMatchObject({
    launches: false,
    obstacles: [`it sleeps until ${farDay} 07:00 UTC`, 'the ceiling of the ClusterPolicy on nodes is reached'],
    hourlyCost: 0,
  })
})

test('for a pool that is not ready, shows the messages of its conditions', async () => {
  const conditions = [
    condition('Ready', 'False', 'UnhealthyDependents'),
    { ...condition('NodeClassReady', 'False', 'NodeClassNotFound'), message: 'KWOKNodeClass not found' },
  ]
  const pool = { ...nodePool('general', {}), status: { conditions } }
  const { code, text } = await explain([pool])
  expect(code).toBe(3)
  expect(text).toContain('general launches nothing for pods')
  expect(text).toContain('  NodeClassReady is False (NodeClassNotFound): KWOKNodeClass not found\n')
})

test('for an unknown pool, prints one line with the existing pools', async () => {
  await expect(explain([nodePool('general', {})], 'genral')).rejects.toThrow(
    'no NodePool is named genral; existing NodePools: general',
  )
})
