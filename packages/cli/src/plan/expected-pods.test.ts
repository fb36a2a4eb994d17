import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { karpenterKinds, kinds, type Pod } from '@kerf/apis'
import { kwokNodeClassResource } from '@kerf/provider-kwok/node-class'
import { SeededRandom, VirtualClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxApi, SandboxServer } from '@kerf/sandbox'
import { nodePool, pod } from '@kerf/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PlanDocument } from './plan-document.ts'
import { runPlan } from './run-plan.ts'

let folder: string
let kubeconfig: string
let server: SandboxServer

/** Returns a pending pod that this owner created. */
const ownedPod = (name: string, kind: string, apiVersion: string, owner: { uid?: string; name: string }): Pod =>
  pod(name, {
    requests: { cpu: '1' },
    metadata: {
      ownerReferences: [{ apiVersion, kind, name: owner.name, uid: owner.uid ?? '', controller: true }],
    },
  })

const template = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'x' }] } }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kerf-plan-expected-'))
  kubeconfig = join(folder, 'config')
  const api = new SandboxApi({ clock: new VirtualClock(), random: new SeededRandom(1) })
  const admin = api.client()
  await installCustomResources(admin, [kwokNodeClassResource])
  await admin.create(karpenterKinds.NodePool, nodePool('general'))
  const set = await admin.create(kinds.ReplicaSet, {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web', namespace: 'default' },
    spec: { replicas: 5, selector: { matchLabels: { app: 'web' } }, template },
  })
  const job = await admin.create(kinds.Job, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'sums', namespace: 'default' },
    spec: {
      parallelism: 3,
      completions: 3,
      template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } },
    },
  })
  for (const each of [
    ownedPod('web-a', 'ReplicaSet', 'apps/v1', set.metadata),
    ownedPod('sums-a', 'Job', 'batch/v1', job.metadata),
  ]) {
    await admin.create(kinds.Pod, each)
    const unschedulable = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }
    const ref = { name: each.metadata.name, namespace: 'default' }
    const body = { status: { phase: 'Pending', conditions: [unschedulable] } }
    await admin.patch(kinds.Pod, ref, { type: 'merge', body }, { subresource: 'status' })
  }
  server = await SandboxServer.start(api)
  await writeFile(kubeconfig, server.kubeconfig())
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const plan = async (planExpectedPods?: 'on' | 'off') => {
  let out = ''
  let err = ''
  const stdout = { write: (text: string) => (out += text) }
  const stderr = { write: (text: string) => (err += text) }
  const code = await runPlan(
    {
      filename: [],
      kubeconfig,
      instanceTypes: 'kwok',
      output: 'json',
      diff: false,
      explainCost: false,
      ...(planExpectedPods === undefined ? {} : { planExpectedPods }),
    },
    { stdout, stderr, env: {} },
  )
  const { nodeClaims } = JSON.parse(out) as PlanDocument
  return { code, err, pods: nodeClaims.flatMap(({ pods }) => pods).sort() }
}

test('with --plan-expected-pods=on, the plan includes the pods that owners in the cluster still have to create', async () => {
  const { pods, err } = await plan('on')
  expect(pods).toEqual([
    ...['default/sums-a', 'default/sums-expected-1', 'default/sums-expected-2'],
    ...['default/web-a', ...[1, 2, 3, 4].map((number) => `default/web-expected-${number}`)],
  ])
  expect(err).toContain('includes 6 pods that 2 owners still have to create')
})

test('by default, a plan of a live cluster includes only pods that exist', async () => {
  expect((await plan()).pods).toEqual(['default/sums-a', 'default/web-a'])
})
