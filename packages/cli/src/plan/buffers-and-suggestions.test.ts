import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { kwokNodeClass } from '@kerf/provider-kwok/testing/node-class'
import { node, nodePool, pod } from '@kerf/testing'
import { expect, onTestFinished, test } from 'vitest'
import { type PlanOptions, runPlan } from './run-plan.ts'

const runPlanOn = async (objects: readonly object[], output: PlanOptions['output'] = 'json') => {
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

test('plans the capacity that CapacityBuffers reserve, and reports buffers that cannot be computed', async () => {
  const { document, err } = await runPlanOn([
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
  expect(err).toContain('with the capacity of CapacityBuffer default/b, default/c;')
  expect(err).toContain('not counted: CapacityBuffer default/d: PodTemplate default/gone does not exist')
})

test('the reasons name static NodePools, and say whether their missing nodes would have capacity', async () => {
  const pending = (cpu: string) => pod(`p-${cpu}`, { requests: { cpu } })
  const fixed = nodePool('fixed', { replicas: 1 })
  const { document, code } = await runPlanOn([kwokNodeClass('default'), fixed, pending('1'), pending('900')])
  expect(code).toBe(3)
  const [small, large] = document.unschedulable.map(({ reason }: { reason: string }) => reason)
  expect(small).toContain(
    'NodePool fixed is static: it launches nodes only for spec.replicas; the missing node would have room for the pod',
  )
  expect(large).toMatch(/NodePool fixed is static: it launches nodes only for spec.replicas$/)
  // The plan prints no remark about a static NodePool that already has all its nodes or is being deleted.
  const there = node('n', { labels: { 'karpenter.sh/nodepool': 'fixed' }, providerID: 'kwok://n' })
  const leaving = nodePool('leaving', { replicas: 1 })
  const deleted = { ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } }
  const { document: full } = await runPlanOn([kwokNodeClass('default'), fixed, there, deleted, pending('1')])
  expect(full.unschedulable[0].reason).toMatch(/; NodePool fixed is static: it launches nodes only for spec.replicas$/)
})

test('the pods of a CapacityBuffer may have volumes', async () => {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, storageClassName: 'fast' }
  const volumes = [{ name: 'data', ephemeral: { volumeClaimTemplate: { spec } } }]
  const withVolume = {
    ...template,
    template: { ...template.template, spec: { ...template.template.spec, volumes } },
  }
  const fast = {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast' },
    provisioner: 'a.io',
  }
  const { document } = await runPlanOn([...cluster, fast, withVolume, buffer('b', 't', 1)])
  expect(document.unschedulable).toEqual([])
  expect(document.nodeClaims).toHaveLength(1)
})

test('files that contain only pods do not describe a cluster, so no NodePool is suggested', async () => {
  expect((await runPlanOn([pod('p')])).document.suggestedNodePools).toBeUndefined()
})
