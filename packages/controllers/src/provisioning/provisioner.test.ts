import { annotations, HASH_VERSION, karpenterKinds, kinds, labels, nodePoolHash } from '@kerf/apis'
import { ApiError } from '@kerf/runtime'
import { nodeClassRef } from '@kerf/testing'
import { afterEach, describe, expect, test } from 'vitest'
import {
  bindPod,
  createPendingPod,
  createPendingPods,
  createPool,
  createPoolOfType,
  Harness,
  type HarnessOptions,
} from '../testing/harness/index.ts'

let harness: Harness | undefined
const start = async (options: HarnessOptions = {}): Promise<Harness> => {
  harness = await Harness.create(options)
  return harness
}
afterEach(() => {
  harness?.stop()
  harness = undefined
})

describe('a pass', () => {
  test('launches one node for ten pending pods, and reports it by claim, Event, metric and decision', async () => {
    const w = await start()
    const pool = await createPoolOfType(w, 's-8x-amd64-linux')
    const pods = await createPendingPods(w, 10, { requests: { cpu: '500m', memory: '512Mi' } })
    await w.pass(1_500)
    const [claim, ...others] = await w.claims()
    expect(others).toEqual([])
    expect(claim?.metadata.name).toMatch(/^general-[a-z0-9]{5}$/)
    expect(claim?.metadata.generateName).toBe('general-')
    expect(claim?.metadata.labels).toMatchObject({
      [labels.nodePool]: 'general',
      'karpenter.kwok.sh/kwoknodeclass': 'default',
    })
    expect(claim?.metadata.annotations).toMatchObject({
      [annotations.nodePoolHash]: nodePoolHash(await w.readPool()),
      [annotations.nodePoolHashVersion]: HASH_VERSION,
      [annotations.minValuesRelaxed]: 'false',
    })
    expect(claim?.metadata.ownerReferences).toEqual([
      {
        apiVersion: 'karpenter.sh/v1',
        kind: 'NodePool',
        name: 'general',
        uid: pool.metadata.uid,
        blockOwnerDeletion: true,
      },
    ])
    expect(claim?.spec.resources?.requests).toMatchObject({ cpu: '5', memory: '5Gi', pods: '10' })
    expect(w.messages('Nominated')).toHaveLength(10)
    expect(w.messages('Nominated')[0]).toBe(`Pod should schedule on: nodeclaim/${claim?.metadata.name}`)
    expect(await w.metrics.text()).toContain(
      'karpenter_nodeclaims_created_total{reason="provisioned",nodepool="general",min_values_relaxed="false"} 1',
    )
    const launch = w.kerf.decisions.launchOf(claim?.metadata.name ?? '')
    expect(launch).toMatchObject({ kind: 'launch', nodePool: 'general' })
    expect(launch?.kind === 'launch' && launch.pods).toHaveLength(pods.length)
  })

  test('does not start while a claim of the previous pass has no instance', async () => {
    const w = await start()
    await createPoolOfType(w, 'm-64x-amd64-linux')
    for (let failure = 0; failure < 6; failure++) w.outages.failNext('launch', new Error('the cloud is down'))
    await createPendingPods(w, 3)
    await w.pass(1_500)
    expect(await w.claims()).toHaveLength(1)
    expect(w.kerf.state.unlaunched.size).toBe(1)
    await createPendingPods(w, 2, { requests: { cpu: '50' } }, 'late')
    await w.pass(12_000)
    expect(await w.claims()).toHaveLength(1)
    await w.pass(60_000)
    expect(w.kerf.state.unlaunched.size).toBe(0)
    expect((await w.claims()).length).toBeGreaterThan(1)
  })

  test('places later pods on nodes that are still starting, and launches no more nodes', async () => {
    const w = await start()
    await createPoolOfType(w, 's-4x-amd64-linux')
    await createPendingPods(w, 1, { requests: { cpu: '1' } })
    await w.pass(1_500)
    expect(await w.claims()).toHaveLength(1)
    await createPendingPods(w, 2, { requests: { cpu: '1' } }, 'late')
    await w.pass(15_000)
    const claims = await w.claims()
    expect(claims).toHaveLength(1)
    const placed = w.messages('Nominated').filter((message) => message.includes('node/'))
    expect(placed.length).toBeGreaterThan(0)
    const id = claims[0]?.status?.providerID ?? ''
    expect(w.kerf.state.expectsPods(id)).toBe(true)
  })

  test('plans pods of a terminating node and pending pods on the same new node', async () => {
    const w = await start()
    await createPoolOfType(w, 's-4x-amd64-linux')
    const [first] = await createPendingPods(w, 1, { requests: { cpu: '1' } })
    await w.pass(10_000)
    const [claim] = await w.claims()
    if (first === undefined || claim?.status?.nodeName === undefined) throw new Error('the first node is missing')
    await bindPod(w, first, claim.status.nodeName)
    await w.admin.patch(
      kinds.Pod,
      { name: 'pod-0', namespace: 'default' },
      { type: 'merge', body: { status: { phase: 'Running', conditions: [] } } },
      { subresource: 'status' },
    )
    w.kerf.state.markForDeletion(claim.status.providerID ?? '')
    await createPendingPods(w, 1, { requests: { cpu: '1' } }, 'other')
    await w.pass(3_000)
    const claims = await w.claims()
    expect(claims).toHaveLength(2)
    expect(
      claims.find(({ metadata }) => metadata.name !== claim.metadata.name)?.spec.resources?.requests,
    ).toMatchObject({
      cpu: '2',
      pods: '2',
    })
  })
})

describe('refused pods', () => {
  test('a pod that fits nowhere gets one Event with the reason', async () => {
    const w = await start()
    await createPool(w)
    await createPendingPod(w, 'huge', { requests: { cpu: '4000' } })
    await w.pass(60_000)
    expect(await w.claims()).toEqual([])
    expect(new Set(w.messages('FailedScheduling')).size).toBe(1)
    expect(w.messages('FailedScheduling')[0]).toMatch(/^Failed to schedule pod, .+/)
    expect(w.kerf.decisions.all.filter(({ kind }) => kind === 'refuse')).toHaveLength(1)
    expect(await w.metrics.text()).toContain('karpenter_scheduler_unschedulable_pods_count{controller="provisioner"} 1')
  })

  test('the gauges of the last simulation are visible for a minute', async () => {
    const w = await start()
    await createPool(w)
    await createPendingPods(w, 3, { requests: { cpu: '4000' } })
    await w.pass(2_000)
    const series =
      /karpenter_scheduler_(queue_depth|unfinished_work_seconds)\{controller="provisioner",scheduling_id="[^"]+"\} (\S+)/g
    const shown = async () => [...(await w.metrics.text()).matchAll(series)].map(([, name, value]) => [name, value])
    expect(await shown()).toEqual([
      ['queue_depth', '3'],
      ['unfinished_work_seconds', '0'],
    ])
    // A second scrape returns the same values. A minute after a simulation, its series are removed.
    expect(await shown()).toHaveLength(2)
    await w.pass(30_000)
    expect(await shown()).toHaveLength(2)
    for (const { metadata } of (await w.admin.list(kinds.Pod)).items)
      await w.admin.delete(kinds.Pod, { name: metadata.name, namespace: metadata.namespace ?? 'default' })
    await w.pass(90_000)
    expect(await shown()).toEqual([])
  })

  test('an invalid pod does not block others; a pod that avoids Kerf’s nodes is not reported', async () => {
    const w = await start()
    await createPool(w)
    await createPendingPod(w, 'restricted', { spec: { nodeSelector: { 'karpenter.sh/registered': 'true' } } })
    await createPendingPod(w, 'volume', {
      spec: {
        containers: [{ name: 'main', image: 'nginx' }],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'missing' } }],
      },
    })
    await createPendingPod(w, 'avoids', {
      spec: {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: labels.nodePool, operator: 'DoesNotExist' }] }],
            },
          },
        },
      },
    })
    await createPendingPod(w, 'fine')
    await w.pass(1_500)
    expect(await w.claims()).toHaveLength(1)
    const messages = w.messages('FailedScheduling')
    expect(messages).toHaveLength(2)
    expect(messages[0]).toContain('ignoring pod, label karpenter.sh/registered is restricted')
    expect(messages[1]).toContain('ignoring pod, persistentvolumeclaim missing: it does not exist')
    expect(await w.metrics.text()).toContain('karpenter_scheduler_ignored_pods_count 3')
  })

  test('if no pool can launch nodes, the Event on the pod says why for each pool', async () => {
    const w = await start()
    await createPendingPod(w, 'lonely')
    await w.pass(1_500)
    expect(w.messages('FailedScheduling')).toEqual(['Failed to schedule pod, no dynamic nodepools found'])
    await createPool(w, 'broken', {
      template: {
        spec: {
          requirements: [],
          nodeClassRef: { group: 'karpenter.kwok.sh', kind: 'KWOKNodeClass', name: 'missing' },
        },
      },
    })
    await w.pass(15_000)
    expect(w.messages('FailedScheduling').at(-1)).toContain('nodepool broken is not ready: NodeClassReady=False')
    expect(await w.claims()).toEqual([])
  })

  test('a pool whose requirements leave no instance types gets an Event', async () => {
    const w = await start()
    await createPoolOfType(w, 'no-such-type', 'typo')
    await createPendingPod(w, 'one')
    await w.pass(3_000)
    expect(w.messages('NoCompatibleInstanceTypes')).toEqual([
      'NodePool requirements filtered out all compatible available instance types',
    ])
    expect(w.messages('FailedScheduling')[0]).toContain('nodepool/typo')
  })

  test('limits apply across several passes, and include nodes that are still starting', async () => {
    const w = await start()
    await createPool(w, 'general', { limits: { cpu: '8' } })
    for (let wave = 0; wave < 4; wave++) {
      await createPendingPods(w, 2, { requests: { cpu: '3' } }, `wave-${wave}`)
      await w.pass(12_000)
    }
    const used = w.kerf.state.poolUsage('general')['cpu'] ?? 0n
    expect(used).toBeLessThanOrEqual(8_000_000_000n)
    expect(w.messages('FailedScheduling').length).toBeGreaterThan(0)
    expect((await w.claims()).length).toBeGreaterThan(0)
  })
})

describe('writing claims', () => {
  const failing = async (answer: 'before' | 'after', times: number): Promise<Harness> => {
    const w = await start()
    let left = times
    w.fault = (call, when) => {
      if (when !== answer || call.verb !== 'create' || call.kind?.kind !== 'NodeClaim' || left <= 0) return undefined
      left--
      return new ApiError({ code: 504, reason: 'Timeout', message: 'the server did not answer in time' })
    }
    return w
  }

  test('a create request that took effect but returned an error is not repeated', async () => {
    const w = await failing('after', 1)
    await createPoolOfType(w, 's-8x-amd64-linux')
    await createPendingPods(w, 5)
    await w.pass(20_000)
    expect(await w.claims()).toHaveLength(1)
    expect(w.kerf.state.unlaunched.size).toBe(0)
  })

  test('a create request that did not take effect is repeated', async () => {
    const w = await failing('before', 3)
    await createPoolOfType(w, 's-8x-amd64-linux')
    await createPendingPods(w, 5)
    await w.pass(20_000)
    expect(await w.claims()).toHaveLength(1)
  })

  test('if the outcome is unknown, the claim counts until the API server reports that it does not exist', async () => {
    const w = await failing('before', 10)
    await createPoolOfType(w, 's-8x-amd64-linux')
    await createPendingPods(w, 5)
    await w.pass(8_000)
    expect(await w.claims()).toHaveLength(0)
    expect(w.kerf.state.unlaunched.size).toBe(1)
    await w.pass(30_000)
    expect(await w.claims()).toHaveLength(1)
  })

  test('after a restart in the middle of a pass, Kerf finds the claims it created and launches no more', async () => {
    const w = await start()
    await createPool(w)
    await createPendingPods(w, 20, { requests: { cpu: '2' } })
    await w.pass(1_005)
    const before = (await w.claims()).length
    w.restart()
    await w.pass(60_000)
    const after = await w.claims()
    expect(before).toBeGreaterThan(0)
    expect(after).toHaveLength(before)
  })
})

describe('settings', () => {
  test('the batching window comes from the settings', async () => {
    const w = await start({ settings: { batchIdleDuration: 5_000 } })
    await createPool(w)
    await createPendingPod(w, 'one')
    await w.pass(4_500)
    expect(await w.claims()).toHaveLength(0)
    await w.pass(1_000)
    expect(await w.claims()).toHaveLength(1)
  })

  test('no claims of static pools are created for pending pods', async () => {
    const w = await start()
    await createPool(w, 'still', { replicas: 0 })
    await createPendingPod(w, 'one')
    await w.pass(5_000)
    expect(await w.claims()).toEqual([])
    expect(await w.admin.list(karpenterKinds.NodeClaim)).toMatchObject({ items: [] })
  })
})

describe('the Event on a pod that fits nowhere', () => {
  const isIn = (key: string, ...values: readonly string[]) => ({ key, operator: 'In' as const, values: [...values] })

  test('names the closest pool first, what is missing there, and each single change that would help', async () => {
    const w = await start()
    const requirements = [isIn(labels.instanceType, 's-4x-amd64-linux', 's-8x-amd64-linux')]
    await createPool(w, 'general', { template: { spec: { nodeClassRef, expireAfter: 'Never', requirements } } })
    await createPool(w, 'gpu', {
      template: {
        spec: { nodeClassRef, expireAfter: 'Never', requirements, taints: [{ key: 'gpu', effect: 'NoSchedule' }] },
      },
    })
    await createPendingPod(w, 'huge', {
      requests: { cpu: '40' },
      spec: { nodeSelector: { [labels.zone]: 'test-zone-a' } },
    })
    await createPendingPod(w, 'lost', { spec: { nodeSelector: { [labels.zone]: 'mars' } } })
    await w.pass(2_000)
    expect([...new Set(w.messages('FailedScheduling'))].sort()).toMatchInlineSnapshot(`
      [
        "Failed to schedule pod, nodepool/general: cpu is short by 32.1 on s-8x-amd64-linux (4 of 16 offerings were left); nodepool/gpu: taint gpu:NoSchedule is not tolerated; any one of these would place it: lower the request of cpu to 7900m",
        "Failed to schedule pod, nodepool/gpu: taint gpu:NoSchedule is not tolerated; nodepool/general: topology.kubernetes.io/zone does not match: wanted topology.kubernetes.io/zone In [mars], there is no offering of it; any one of these would place it: drop the nodeSelector topology.kubernetes.io/zone=mars",
      ]
    `)
  })

  test('is published once in five minutes, even if the pod is planned more often', async () => {
    const w = await start()
    await createPool(w)
    await createPendingPods(w, 3, { requests: { cpu: '4000' } }, 'huge')
    await w.pass(60_000)
    const events = w.events.events.filter(({ reason }) => reason === 'FailedScheduling')
    expect(events.length).toBeGreaterThan(3)
    // For five minutes, the Event recorder drops Events about the same pod, even if the text differs.
    expect(new Set(events.map(({ dedupeValues, dedupeFor }) => `${dedupeValues} ${dedupeFor}`)).size).toBe(3)
    expect(events.every(({ dedupeFor }) => dedupeFor === 300_000)).toBe(true)
  })
})
