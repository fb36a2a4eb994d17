import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kwokNodeClass, node, nodePool, pod } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { type PlanOptions, runPlan } from './run-plan.ts'

const planOf = async (objects: readonly object[], output: PlanOptions['output'] = 'json') => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-plan-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'cluster.json')
  await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
  const [out, err]: [string[], string[]] = [[], []]
  const stdout = { write: (part: string) => out.push(part) }
  const code = await runPlan(
    { diff: false, explainCost: false, filename: [file], output },
    { stdout, stderr: { write: (part: string) => err.push(part) }, env: {} },
  )
  const text = out.join('')
  return { code, text, err: err.join(''), document: output === 'json' ? JSON.parse(text) : undefined }
}

const pieces = { labels: { app: 'w' } }
const template = {
  apiVersion: 'v1',
  kind: 'PodTemplate',
  metadata: { name: 't' },
  template: {
    metadata: pieces,
    spec: {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: pieces.labels } },
          ],
        },
      },
      containers: [{ name: 'main', image: 'x', resources: { requests: { cpu: '500m', memory: '256Mi' } } }],
    },
  },
}
const buffer = (name: string, podTemplateRef: string, replicas = 3) => ({
  apiVersion: 'autoscaling.x-k8s.io/v1beta1',
  kind: 'CapacityBuffer',
  metadata: { name },
  spec: { podTemplateRef: { name: podTemplateRef }, replicas },
})
const cluster = [kwokNodeClass('default'), nodePool('general')]

test('the room that CapacityBuffers keep is planned, and what cannot be worked out is said', async () => {
  const { document, err } = await planOf([
    ...cluster,
    template,
    buffer('b', 't'),
    buffer('c', 't', 1),
    buffer('d', 'gone'),
  ])
  expect(document.nodeClaims).toHaveLength(4)
  expect(document.nodeClaims.flatMap(({ pods }: { pods: readonly string[] }) => pods).toSorted()).toEqual([
    'default/capacity-buffer-b-1',
    'default/capacity-buffer-b-2',
    'default/capacity-buffer-b-3',
    'default/capacity-buffer-c-1',
  ])
  expect(err).toContain('CapacityBuffer default/b, default/c keeps')
  expect(err).toContain('not counted: CapacityBuffer default/d: PodTemplate default/gone does not exist')
})

test('static NodePools are named among the reasons, with whether the nodes that they lack would do', async () => {
  const pending = (cpu: string) => pod(`p-${cpu}`, { requests: { cpu } })
  const fixed = nodePool('fixed', { replicas: 1 })
  const { document, code } = await planOf([kwokNodeClass('default'), fixed, pending('1'), pending('900')])
  expect(code).toBe(3)
  const [small, large] = document.unschedulable.map(({ reason }: { reason: string }) => reason)
  expect(small).toContain(
    'NodePool fixed is static: it launches by spec.replicas alone; the node that it lacks would have room for the pod',
  )
  expect(large).toMatch(/NodePool fixed is static: it launches by spec.replicas alone$/)
})

test('a cluster without NodePools is planned with one that is suggested, of the provider of its nodes', async () => {
  const labels = {
    'eks.amazonaws.com/capacityType': 'SPOT',
    'topology.kubernetes.io/zone': 'eu-central-1a',
    'kubernetes.io/arch': 'arm64',
    'kubernetes.io/os': 'linux',
  }
  const there = node('n', { labels, providerID: 'aws:///eu-central-1a/i-1' })
  const objects = [there, pod('p', { requests: { cpu: '1' } })]
  const { document, code, err } = await planOf(objects)
  expect(code).toBe(0)
  expect(err).toContain('instance types of aws, as the nodes say')
  expect(document.nodeClaims).toHaveLength(1)
  expect(document.suggestedNodePools[0].spec.template.spec).toMatchObject({
    nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
    requirements: [
      { key: 'kubernetes.io/arch', values: ['arm64'] },
      { key: 'kubernetes.io/os', values: ['linux'] },
      { key: 'topology.kubernetes.io/zone', values: ['eu-central-1a'] },
      { key: 'karpenter.sh/capacity-type', values: ['spot'] },
    ],
  })
  const { text } = await planOf(objects, 'table')
  expect(parse(/^# The cluster has no NodePool.*?\n\n/ms.exec(text)?.[0] ?? '')).toEqual(document.suggestedNodePools[0])
  // Pods alone are no cluster.
  expect((await planOf([pod('p')])).document.suggestedNodePools).toBeUndefined()
})
