import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { loadSnapshot } from '../plan/load-snapshot.ts'
import { type PlanDocument, podName } from '../plan/plan-document.ts'
import { runPlan } from '../plan/run-plan.ts'
import { runExplainPod } from './run-explain-pod.ts'

const scenario = (name: string) => {
  const folder = fileURLToPath(new URL(`../../../../tests/scenarios/${name}/`, import.meta.url))
  return { filename: [`${folder}cluster.yaml`], instanceTypes: `${folder}instance-types.json` }
}

const explain = async (
  name: string,
  pod: string,
  output: 'text' | 'json' = 'text',
  ...more: readonly string[]
): Promise<{ readonly code: number; readonly text: string; readonly err: string }> => {
  let text = ''
  let err = ''
  const stdout = { write: (part: string) => (text += part) }
  const stderr = { write: (part: string) => (err += part) }
  const { filename, instanceTypes } = scenario(name)
  const options = { filename: [...filename, ...more], instanceTypes, output }
  const code = await runExplainPod(pod, options, { stdout, stderr, env: {} })
  return { code, text, err }
}

test('for a pod with too large requests, shows the closest instance type and how far to reduce the requests', async () => {
  const { code, text } = await explain('035-impossible', 'default/toobig-zd748wknm-mf97k')
  expect(code).toBe(3)
  expect(text).toMatchInlineSnapshot(`
    "default/toobig-zd748wknm-mf97k is unschedulable

    NODEPOOL  VERDICT                                    OFFERINGS LEFT AFTER EACH CONSTRAINT
    default   cpu is short by 392.1 on c-8x-amd64-linux  offerings 96 → resources 0

    Any one of these would make it schedulable
      lower the request of cpu to 7900m
    "
  `)
})

test('for a pod that every pool refuses, shows how each constraint reduces the offerings, and every single change that helps', async () => {
  const { code, text } = await explain('006-taints-tolerations', 'wrongtol-g2dbqz6c2-4rp6n')
  expect(code).toBe(3)
  expect(text).toMatchInlineSnapshot(`
    "default/wrongtol-g2dbqz6c2-4rp6n is unschedulable

    NODEPOOL  VERDICT                                            OFFERINGS LEFT AFTER EACH CONSTRAINT
    infra     taint dedicated=infra:NoSchedule is not tolerated  offerings 384 → taint dedicated=infra:NoSchedule 0
    noexec    taint maintenance=yes:NoExecute is not tolerated   offerings 384 → taint maintenance=yes:NoExecute 0
    default   label role has no known values                     offerings 192 → role In [infra] 0

    Any one of these would make it schedulable
      tolerate the taint dedicated=infra:NoSchedule
      drop the nodeSelector role=infra
    "
  `)
})

test('if a pod fits nowhere, names the pools that never launch nodes for pods', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-explain-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'pools.yaml')
  const pool = (name: string, metadata: string, spec: string) =>
    `{apiVersion: karpenter.sh/v1, kind: NodePool, metadata: {name: ${name}${metadata}}, spec: {${spec}template: {spec: {requirements: [], nodeClassRef: {group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}}}}}`
  const going = pool('going', ', deletionTimestamp: "2026-01-01T00:00:00Z"', '')
  await writeFile(file, `${pool('fixed', '', 'replicas: 0, ')}\n---\n${going}\n`)
  expect((await explain('035-impossible', 'default/toobig-zd748wknm-mf97k', 'text', file)).err).toBe(
    'launches nothing for pods: NodePool fixed (static: it launches nodes only for spec.replicas), going (it is being deleted)\n',
  )
  expect((await explain('001-web-simple', 'nginx-mrhnz2zkd-sjccd', 'text', file)).err).toBe('')
})

test.each(['003-gpu', '010-preferred-pod', '026-existing-room'])(
  '%s: the explanation of every pod agrees with kerf plan',
  async (name) => {
    let printed = ''
    const streams = { stdout: { write: (part: string) => (printed += part) }, stderr: { write: () => {} }, env: {} }
    await runPlan({ ...scenario(name), output: 'json', diff: false, explainCost: false }, streams)
    const plan: PlanDocument = JSON.parse(printed)
    const told: Record<string, unknown> = {}
    const expected: Record<string, unknown> = {}
    for (const [index, { pods, nodePool, cheapest }] of plan.nodeClaims.entries()) {
      const { price: _, ...offering } = cheapest
      for (const pod of pods) expected[pod] = { place: { kind: 'claim', nodePool, ...offering }, number: index + 1 }
    }
    for (const { name: node, pods } of plan.existingNodes) {
      for (const pod of pods) expected[pod] = { place: { kind: 'node', node } }
    }
    for (const pod of Object.keys(expected)) {
      const { place, newNode } = JSON.parse((await explain(name, pod, 'json')).text)
      told[pod] = { place, ...(newNode === undefined ? {} : { number: newNode.number }) }
    }
    expect(Object.keys(expected).length).toBeGreaterThan(10)
    expect(told).toEqual(expected)
  },
)

test('with --plan-budget 0, explains the same first plan that kerf plan prints', async () => {
  const { filename, instanceTypes } = scenario('003-gpu')
  const newNodes = async (planBudget: number) => {
    let text = ''
    const stdout = { write: (part: string) => (text += part) }
    const options = { filename, instanceTypes, output: 'json', planBudget } as const
    await runExplainPod(await anyPendingPod('003-gpu'), options, { stdout, stderr: { write: () => {} }, env: {} })
    return JSON.parse(text).newNode.of
  }
  expect([await newNodes(0), await newNodes(200)]).toEqual([3, 5])
})

test('accepts the namespace before the name, or in --namespace', async () => {
  const { filename, instanceTypes } = scenario('001-web-simple')
  const code = (pod: string, namespace?: string) =>
    runExplainPod(
      pod,
      { filename, instanceTypes, output: 'text', ...(namespace === undefined ? {} : { namespace }) },
      { stdout: { write: () => {} }, stderr: { write: () => {} }, env: {} },
    )
  expect(await code('nginx-mrhnz2zkd-sjccd', 'default')).toBe(0)
  expect(await code('default/nginx-mrhnz2zkd-sjccd', 'default')).toBe(0)
  await expect(code('nginx-mrhnz2zkd-sjccd', 'shop')).rejects.toThrow(
    'no pending or running pod is named shop/nginx-mrhnz2zkd-sjccd',
  )
  await expect(code('default/nginx-mrhnz2zkd-sjccd', 'shop')).rejects.toThrow(
    'is not in the namespace of --namespace shop',
  )
})

test('for a pod that gets a node, shows which node and why', async () => {
  const { code, text } = await explain('001-web-simple', 'nginx-mrhnz2zkd-sjccd')
  expect(code).toBe(0)
  expect(text).toMatchInlineSnapshot(`
    "default/nginx-mrhnz2zkd-sjccd would run on a new node of NodePool default: t3.xlarge (on-demand) in us-test-1a
      new node 1 of 1 in kerf plan, with default/nginx-mrhnz2zkd-2rj8c, default/nginx-mrhnz2zkd-2zmlw, default/nginx-mrhnz2zkd-82wxt and 6 more
      t3.xlarge (on-demand) is the cheapest of 18 instance types that fit 10 pods

    NODEPOOL  VERDICT                     OFFERINGS LEFT AFTER EACH CONSTRAINT
    default   could launch a node for it  offerings 66 → resources 66
    "
  `)
})

test('for a pod planned for a launching node, shows the node, what the node waits for, and for which owner it was launched', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kerf-explain-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, 'claim.yaml')
  const ref = '{group: karpenter.kwok.sh, kind: KWOKNodeClass, name: default}'
  const resources = '{cpu: "64", memory: 256Gi, pods: "250"}'
  const conditions =
    '[{type: Launched, status: Unknown, reason: LaunchPending, message: "waiting for Machine md-0-abcde to have a provider ID", lastTransitionTime: "2026-01-01T00:00:00Z"}]'
  await writeFile(
    file,
    `{apiVersion: karpenter.sh/v1, kind: NodeClaim, metadata: {name: default-x7k2p, labels: {karpenter.sh/nodepool: default}, annotations: {kerf.sh/launched-for: ReplicaSet/default/nginx}}, spec: {requirements: [], nodeClassRef: ${ref}}, status: {capacity: ${resources}, allocatable: ${resources}, conditions: ${conditions}}}`,
  )
  const { code, text } = await explain('001-web-simple', 'nginx-mrhnz2zkd-sjccd', 'text', file)
  expect(code).toBe(0)
  expect(text.split('\n').slice(0, 3)).toEqual([
    'default/nginx-mrhnz2zkd-sjccd would run on the node default-x7k2p',
    '  NodeClaim default-x7k2p is not Launched yet (LaunchPending: waiting for Machine md-0-abcde to have a provider ID)',
    '  Launched for expected pods of ReplicaSet default/nginx',
  ])
  const { awaits, launchedFor } = JSON.parse(
    (await explain('001-web-simple', 'nginx-mrhnz2zkd-sjccd', 'json', file)).text,
  )
  expect(awaits).toContain('LaunchPending')
  expect(launchedFor).toEqual(['ReplicaSet/default/nginx'])
})

test('for a running pod, shows its node and the node it would get today', async () => {
  const { code, text } = await explain('026-existing-room', await runningPod('026-existing-room'))
  expect(code).toBe(0)
  expect(text).toMatch(/runs on \S+/)
})

test('prints the same as JSON', async () => {
  const { text } = await explain('035-impossible', 'default/toobig-zd748wknm-mf97k', 'json')
  expect(JSON.parse(text)).toMatchObject({
    pod: 'default/toobig-zd748wknm-mf97k',
    place: { kind: 'none' },
    reasons: [{ code: 'resources.exceeded', subject: 'nodepool/default' }],
    remedies: [{ kind: 'lower-request' }],
  })
})

test('for an unknown pod, prints one line that says how to find the correct name', async () => {
  await expect(explain('001-web-simple', 'nobody')).rejects.toThrow(
    'no pending or running pod is named default/nobody; see: kubectl get pods --all-namespaces',
  )
})

const anyPendingPod = async (name: string): Promise<string> => {
  const { filename, instanceTypes } = scenario(name)
  const { pending } = await loadSnapshot(filename, instanceTypes)
  const [pod] = pending
  if (pod === undefined) throw new Error(`${name} has no pending pod`)
  return podName(pod)
}

const runningPod = async (name: string): Promise<string> => {
  const { readManifests } = await import('../manifests/read-manifests.ts')
  const manifests = await readManifests(scenario(name).filename, { repeated: 'keep' })
  const found = manifests.find(
    ({ object }) =>
      object.kind === 'Pod' &&
      'spec' in object &&
      typeof object.spec === 'object' &&
      object.spec !== null &&
      'nodeName' in object.spec,
  )
  return `${found?.object.metadata.namespace}/${found?.object.metadata.name}`
}
