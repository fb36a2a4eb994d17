import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { VirtualClock } from '@kerf/runtime'
import { node, nodePool, pod } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { loadReportCluster } from './report-cluster.ts'
import { reportDocument } from './report-document.ts'

const names = ['a', 'b', 'c']

const running = (name: string) =>
  node(name, {
    pool: 'general',
    providerID: `kwok://${name}`,
    capacity: { cpu: '16', memory: '32Gi', pods: '110' },
    labels: {
      'node.kubernetes.io/instance-type': 's-16x-amd64-linux',
      'karpenter.sh/capacity-type': 'on-demand',
      'topology.kubernetes.io/zone': 'test-zone-a',
      'kubernetes.io/hostname': name,
    },
  })
const [small, large] = ['900m', '9'].map((cpu) =>
  names.map((name) => pod(`on-${name}`, { requests: { cpu }, spec: { nodeName: name } })),
)

const report = async (pods: readonly object[] = [], ceilings?: object) => {
  const folder = await mkdtemp(join(tmpdir(), 'report-ceilings-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'cluster.json')
  const policy = {
    apiVersion: 'kerf.sh/v1alpha1',
    kind: 'ClusterPolicy',
    metadata: { name: 'default' },
    spec: { ceilings },
  }
  const objects = [nodePool('general', {}), ...names.map(running), ...pods, ...(ceilings === undefined ? [] : [policy])]
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
  const { now, planned, kept } = reportDocument(
    await loadReportCluster({ paths: [file] }, {}, new VirtualClock()),
    '2026-12-01',
  )
  return { now, planned, kept }
}

test.each([
  ['nodes', { nodes: 3, surge: 0 }],
  ['CPU', { resources: { cpu: '48' }, surge: 0 }],
  ['the price', { usdPerHour: '1.3', surge: 0 }],
])(
  'a ceiling on %s that the existing nodes have reached does not limit a plan that replaces them',
  async (_, ceilings) => {
    const without = await report(small)
    expect(without.planned?.cost).toBeLessThan(without.now.cost / 2)
    expect(await report(small, ceilings)).toEqual(without)
  },
)

test('a ceiling that is too low for the new nodes limits the plan', async () => {
  const { kept } = await report(large, { nodes: 0, surge: 0 })
  expect(kept?.map(({ why }) => why).join()).toContain('ceiling')
})
