import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { node as buildNode, pod as buildPod, condition, nodeClaim, nodePool } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { type RemoveOptions, runRemove } from './run-remove.ts'

const labels = {
  'karpenter.sh/nodepool': 'general',
  'karpenter.sh/registered': 'true',
  'karpenter.sh/initialized': 'true',
  'karpenter.sh/capacity-type': 'on-demand',
  'topology.kubernetes.io/zone': 'test-zone-a',
  'node.kubernetes.io/instance-type': 'c-4x-amd64-linux',
}
const pool = nodePool('general', {
  requirements: [
    { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['c-4x-amd64-linux'] },
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
  ],
})
const running = (name: string): readonly object[] => [
  nodeClaim(`claim-${name}`, {
    labels,
    providerID: `kwok://${name}`,
    nodeName: name,
    conditions: ['Launched', 'Registered', 'Initialized'].map((type) => condition(type)),
  }),
  buildNode(name, {
    labels: { ...labels, 'kubernetes.io/hostname': name },
    providerID: `kwok://${name}`,
    status: {
      capacity: { cpu: '4', memory: '8Gi', pods: '64' },
      allocatable: { cpu: '3900m', memory: '8Gi', pods: '64' },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  }),
]
const on = (name: string, node: string, cpu: string, more: object = {}) =>
  buildPod(name, { namespace: 'shop', nodeName: node, requests: { cpu }, ...more })

const remove = async (
  names: readonly string[],
  objects: readonly object[],
  output: RemoveOptions['output'] = 'text',
) => {
  const folder = await mkdtemp(join(tmpdir(), 'removal-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'cluster.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
  let text = ''
  const stdout = { write: (part: string) => (text += part) }
  const code = await runRemove(names, { filename: [file], output }, { stdout, stderr: { write: () => {} }, env: {} })
  return { code, text }
}
const two = [pool, ...running('node-a'), ...running('node-b')]

test('pods go to the gaps of other nodes first, the others to a new node', async () => {
  const pods = [on('web', 'node-a', '2'), on('api', 'node-a', '1'), on('stays', 'node-b', '2')]
  const { code, text } = await remove(['node-a'], [...two, ...pods])
  expect(code).toBe(0)
  expect(text).toMatchInlineSnapshot(`
    "Without node-a
      $0.2172/h → $0.2172/h, 2 → 2 nodes

    POD       FROM    TO
    shop/web  node-a  new node 1: c-4x-amd64-linux (on-demand) of NodePool general
    shop/api  node-a  node-b
    "
  `)
})

test('several nodes go together, by the names of their claims too', async () => {
  const pods = [on('web', 'node-a', '1'), on('api', 'node-b', '1')]
  const { text } = await remove(['node-a', 'claim-node-b'], [...two, ...pods], 'json')
  const forecast = JSON.parse(text)
  expect(forecast.removed).toEqual(['node-a', 'node-b'])
  expect(forecast.moves.map(({ pod, to }: { pod: string; to: unknown }) => [pod, to])).toEqual([
    ['shop/api', 1],
    ['shop/web', 1],
  ])
  expect([forecast.cost.before.nodes, forecast.cost.after.nodes]).toEqual([2, 1])
})

test('a pod that nothing can take, and one that may not be evicted', async () => {
  const pods = [
    on('lost', 'node-a', '1', { spec: { nodeSelector: { 'topology.kubernetes.io/zone': 'mars' } } }),
    on('job', 'node-a', '1', { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } }),
  ]
  const { code, text } = await remove(['node-a'], [...two, ...pods], 'json')
  expect(code).toBe(3)
  expect(JSON.parse(text)).toMatchObject({
    moves: [],
    withoutPlace: [{ pod: 'shop/lost', node: 'node-a', why: expect.stringContaining('topology.kubernetes.io/zone') }],
    held: [{ pod: 'shop/job', why: expect.stringContaining('do-not-disrupt') }],
  })
})

test('a name that nothing has', async () => {
  await expect(remove(['nobody'], two)).rejects.toThrow('there is no node nobody, and no NodeClaim of that name')
})
