import { kinds, type Pod } from '@kerf/apis'
import { pod } from '@kerf/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { bindPod, createPendingPod, createPoolOfType, Harness, makeNodesReady } from '../../testing/harness/index.ts'
import { RefusedPods } from './refused-pods.ts'

const MINUTE = 60_000
const OWNER = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'owner', controller: true }
const WORDS = "0/1 nodes are available: 1 node(s) didn't match the rules of a plugin that Kerf does not know."

describe('in a complete cluster', () => {
  let harness: Harness
  const seen = new Set<string>()
  afterEach(() => {
    seen.clear()
    harness.stop()
  })

  /**
   * Advances the time. Simulates a kube-scheduler that refuses the pod `refused` on every node, clears its nomination at each attempt, and
   * binds all other pods.
   */
  const passRefusing = async (duration: number, refused = 'tenant'): Promise<void> => {
    for (let passed = 0; passed < duration; passed += 5_000) {
      await harness.pass(5_000)
      await makeNodesReady(harness)
      for (const claim of await harness.claims()) seen.add(claim.metadata.name)
      for (const each of (await harness.admin.list(kinds.Pod)).items) {
        const node = each.status?.nominatedNodeName
        if (node === undefined || each.spec.nodeName !== undefined) continue
        if (each.metadata.name !== refused) {
          await bindPod(harness, each, node)
          continue
        }
        const body = { status: { nominatedNodeName: null, conditions: [{ ...REFUSED, message: WORDS }] } }
        await harness.admin.patch(
          kinds.Pod,
          { name: refused, namespace: 'default' },
          { type: 'merge', body },
          { subresource: 'status' },
        )
      }
    }
  }
  const REFUSED = { type: 'PodScheduled', status: 'False' as const, reason: 'Unschedulable' }

  test('a pod that kube-scheduler never binds gets one node per pause, and its node is removed', async () => {
    harness = await Harness.create()
    await createPoolOfType(harness, 's-8x-amd64-linux')
    await createPendingPod(harness, 'tenant')
    await passRefusing(5 * MINUTE)
    expect(seen.size).toBe(1)
    expect(await harness.claims()).toEqual([])
    expect(harness.messages('FailedScheduling').at(-1)).toMatch(
      /kube-scheduler rejected the pod \d+ times on a ready node .* on node ".+": "0\/1 nodes are available.* until 20.*Z; compare the pod/,
    )
    expect(await harness.metric('kerf_pods_refused_by_scheduler')).toBe(1)
    // In the meantime, Kerf plans another pod as usual.
    await createPendingPod(harness, 'plain')
    await passRefusing(30_000)
    expect((await harness.admin.get(kinds.Pod, { name: 'plain', namespace: 'default' })).spec.nodeName).toBeDefined()
  })
})

describe('recorded refusals', () => {
  let now = 0
  const make = (): RefusedPods => {
    now = 1_000
    return new RefusedPods({ now: () => now })
  }
  const waiting = (name: string, metadata: Partial<Pod['metadata']> = {}): Pod =>
    pod(name, { metadata: { uid: name, ...metadata } })
  const refuse = (refused: RefusedPods, each: Pod, times: number, every = 40_000): void => {
    for (let time = 0; time < times; time++) {
      if (time > 0) now += every
      refused.refuse(each, 'node', WORDS)
    }
  }
  const pausedFor = (refused: RefusedPods, each: Pod): number => (refused.pausedOf(each)?.pausedUntil ?? now) - now

  test('three refusals within a minute do not pause a pod, but another refusal after a minute does', () => {
    const refused = make()
    const each = waiting('a')
    refuse(refused, each, 5, 10_000)
    expect(refused.pausedOf(each)).toBeUndefined()
    refuse(refused, each, 2, 25_000)
    expect(pausedFor(refused, each)).toBe(10 * MINUTE)
    expect(refused.pausedCount).toBe(1)
  })

  test('the pause doubles up to six hours', () => {
    const refused = make()
    const each = waiting('a')
    refuse(refused, each, 3)
    const pauses = Array.from({ length: 8 }, () => {
      const pause = pausedFor(refused, each)
      now += pause
      expect(refused.pausedOf(each)).toBeUndefined()
      refused.refuse(each, 'node', WORDS)
      return pause / MINUTE
    })
    expect(pauses).toEqual([10, 20, 40, 80, 160, 320, 360, 360])
  })

  test('the refusals of a pod are dropped when its spec changes or the pod is bound', () => {
    const refused = make()
    const each = waiting('a')
    refuse(refused, each, 3)
    expect(refused.pausedOf({ ...each, spec: { ...each.spec, nodeSelector: { disk: 'ssd' } } })).toBeUndefined()
    refused.bound(each)
    expect(refused.pausedOf(each)).toBeUndefined()
  })

  test('a pod that replaces a refused pod inherits the pause, but a pod of another revision does not', () => {
    const refused = make()
    const owned = (name: string, revision?: string): Pod =>
      waiting(name, {
        ownerReferences: [OWNER],
        ...(revision === undefined ? {} : { labels: { 'controller-revision-hash': revision } }),
      })
    refuse(refused, owned('a'), 3)
    refused.gone(owned('a'))
    for (const other of [waiting('alone'), owned('b', '2')]) {
      refused.came(other)
      expect(refused.pausedOf(other)).toBeUndefined()
    }
    // The spec of the replacement pod differs, because it contains generated names.
    const next: Pod = { ...owned('c'), spec: { ...owned('c').spec, serviceAccountName: 'c' } }
    refused.came(next)
    expect(pausedFor(refused, next)).toBe(10 * MINUTE)
    // Only one pod inherits the pause.
    refused.came(owned('d'))
    expect(refused.pausedOf(owned('d'))).toBeUndefined()
    refused.gone(next)
    now += 12 * MINUTE
    refused.came(owned('e'))
    expect(refused.pausedOf(owned('e'))).toBeUndefined()
  })
})
