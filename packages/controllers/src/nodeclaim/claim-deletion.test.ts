import { finalizers, karpenterKinds, type NodeClaim, type Pod } from '@kerf/apis'
import { type KubeClient, PrometheusMetrics, SeededRandom, VirtualClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { nodeClaim, pod } from '@kerf/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { apiError, sumOfMetric } from '../testing/harness/index.ts'
import { ClaimDeletion } from './claim-deletion.ts'

const { signal } = new AbortController()
const NAME = { name: 'a' }

describe('a claim is counted when it is deleted, and once', () => {
  let client: KubeClient
  let metrics: PrometheusMetrics
  let claim: NodeClaim

  beforeEach(async () => {
    client = new SandboxApi({ clock: new VirtualClock(), random: new SeededRandom(1) }).client()
    await installCustomResources(client, [])
    metrics = new PrometheusMetrics()
    claim = await create()
  })

  const create = async (): Promise<NodeClaim> => {
    const { apiVersion, kind, metadata, spec } = nodeClaim('a')
    const { labels } = metadata
    return await client.create(karpenterKinds.NodeClaim, {
      apiVersion,
      kind,
      metadata: { ...NAME, ...(labels === undefined ? {} : { labels }), finalizers: [finalizers.termination] },
      spec,
    })
  }
  const touch = (body: object): Promise<NodeClaim> =>
    client.patch(karpenterKinds.NodeClaim, NAME, { type: 'merge', body })
  const counted = (): Promise<number> => sumOfMetric(metrics, 'karpenter_nodeclaims_disrupted_total', {})

  test('by the first of two callers, even if neither has seen the deletion', async () => {
    const one = new ClaimDeletion({ client, metrics })
    const other = new ClaimDeletion({ client, metrics })
    expect(await one.delete(claim, 'expired', { signal })).toBe(true)
    expect(await one.delete(claim, 'expired', { signal })).toBe(false)
    expect(await other.delete(claim, 'garbage_collected', { signal })).toBe(false)
    expect(await counted()).toBe(1)
  })

  test('even if it has changed since it was read', async () => {
    await touch({ metadata: { annotations: { changed: 'yes' } } })
    expect(await new ClaimDeletion({ client, metrics }).delete(claim, 'empty', { signal })).toBe(true)
    expect((await client.get(karpenterKinds.NodeClaim, NAME)).metadata.deletionTimestamp).toBeDefined()
  })

  test('even if it changes at every read', async () => {
    let changes = 0
    const restless: Pick<KubeClient, 'get' | 'delete'> = {
      get: async (kind, ref) => {
        const seen = await client.get(kind, ref)
        await touch({ metadata: { annotations: { changes: String(changes++) } } })
        return seen
      },
      delete: (kind, ref, options) => client.delete(kind, ref, options),
    }
    await touch({ metadata: { annotations: { changed: 'yes' } } })
    expect(await new ClaimDeletion({ client: restless, metrics }).delete(claim, 'empty', { signal })).toBe(true)
    expect(await counted()).toBe(1)
  })

  test('but a later claim of the same name is not counted, and neither is a claim that is already deleted', async () => {
    await touch({ metadata: { finalizers: null } })
    await client.delete(karpenterKinds.NodeClaim, NAME)
    const deletion = new ClaimDeletion({ client, metrics })
    expect(await deletion.delete(claim, 'expired', { signal })).toBe(false)
    await create()
    expect(await deletion.delete(claim, 'expired', { signal })).toBe(false)
    expect((await client.get(karpenterKinds.NodeClaim, NAME)).metadata.deletionTimestamp).toBeUndefined()
    expect(await counted()).toBe(0)
  })
})

describe('the metrics of a deletion', () => {
  /** Deletes a claim with these responses of the API server. Returns the metrics. */
  const counting = async (
    claim: NodeClaim,
    options: { readonly pods?: readonly Pod[]; readonly consolidationPolicy?: string } = {},
    client: Partial<Pick<KubeClient, 'get' | 'delete'>> = {},
  ) => {
    const metrics = new PrometheusMetrics()
    const asked: unknown[] = []
    const deletion = new ClaimDeletion({
      client: {
        get: () => Promise.reject(new Error('nobody asks')),
        delete: async (_, __, { preconditions } = {}) => void asked.push(preconditions),
        ...client,
      },
      metrics,
    })
    const answer = await deletion.delete(claim, 'empty', { ...options, signal }).catch(String)
    const sum = (wanted: Readonly<Record<string, string>>) =>
      sumOfMetric(metrics, 'karpenter_nodeclaims_disrupted_total', wanted)
    const pods = await sumOfMetric(metrics, 'karpenter_pods_disruption_initiated_total', { reason: 'empty' })
    return { answer, asked, sum, pods }
  }
  const withPeriod = (period?: string) =>
    nodeClaim('a', period === undefined ? {} : { spec: { terminationGracePeriod: period } })

  // `docs/spec/termination.md#where-terminationgraceperiod-also-matters`
  test.each([
    [undefined, 'graceful'],
    ['0s', 'forceful'],
    ['30s', 'eventual'],
  ])('have the termination mode of the terminationGracePeriod: %s is %s', async (period, mode) => {
    const { sum } = await counting(withPeriod(period))
    expect(await sum({ termination_mode: mode, reason: 'empty', nodepool: 'default', consolidation_policy: '' })).toBe(
      1,
    )
  })

  test('have pool, capacity type and policy, as far as they are known', async () => {
    const claim = nodeClaim('a')
    const spot = { ...claim, metadata: { ...claim.metadata, labels: { 'karpenter.sh/capacity-type': 'spot' } } }
    const known = await counting(spot, { consolidationPolicy: 'balanced' })
    expect(await known.sum({ capacity_type: 'spot', consolidation_policy: 'balanced', nodepool: '' })).toBe(1)
    const { labels: _, ...metadata } = claim.metadata
    const unknown = await counting({ ...claim, metadata })
    expect([unknown.answer, await unknown.sum({ capacity_type: '', nodepool: '' })]).toEqual([true, 1])
  })

  test('include the reschedulable pods, if the pods are given', async () => {
    const daemon = pod('agent', { nodeName: 'n', owner: { apiVersion: 'apps/v1', kind: 'DaemonSet' } })
    const pods = [pod('web', { nodeName: 'n' }), pod('api', { nodeName: 'n' }), daemon]
    expect((await counting(withPeriod(), { pods })).pods).toBe(2)
    expect((await counting(withPeriod())).pods).toBe(0)
  })

  test('are written for a deletion with the claim’s UID and resourceVersion as preconditions, if it has them', async () => {
    const { metadata, ...rest } = nodeClaim('a')
    const seen = await counting({ ...rest, metadata: { ...metadata, resourceVersion: '7' } })
    expect(seen.asked).toEqual([{ uid: 'uid-a', resourceVersion: '7' }])
    expect((await counting(nodeClaim('a'))).asked).toEqual([{ uid: 'uid-a' }])
  })

  test('are not written if the API server refuses, or has no claim or another claim of this name', async () => {
    const conflict = () => Promise.reject(apiError(409))
    const shows = (get: () => Promise<unknown>) =>
      counting(withPeriod(), {}, { delete: conflict, get: get as KubeClient['get'] })
    const later = { ...nodeClaim('a'), metadata: { name: 'a', uid: 'uid-later' } }
    expect((await shows(async () => later)).answer).toBe(false)
    expect((await shows(async () => nodeClaim('a', { deletionTimestamp: '2026-01-01T00:00:00Z' }))).answer).toBe(false)
    expect((await shows(() => Promise.reject(apiError(404)))).answer).toBe(false)
    expect((await shows(() => Promise.reject(apiError(503)))).answer).toContain('simulated 503')
    const refused = await counting(withPeriod(), {}, { delete: () => Promise.reject(apiError(503)) })
    expect([refused.answer, await refused.sum({})]).toEqual([expect.stringContaining('simulated 503'), 0])
  })

  test('are not written if every read is stale: after five reads and an attempt without resourceVersion, the error is thrown', async () => {
    let looks = 0
    const versions: unknown[] = []
    const { answer, sum } = await counting(
      withPeriod(),
      {},
      {
        get: (async () => ({
          ...nodeClaim('a'),
          metadata: { ...nodeClaim('a').metadata, resourceVersion: String(++looks) },
        })) as unknown as KubeClient['get'],
        delete: (_, __, { preconditions } = {}) => {
          versions.push(preconditions?.resourceVersion)
          return Promise.reject(apiError(409))
        },
      },
    )
    expect([answer, versions]).toEqual([
      expect.stringContaining('simulated 409'),
      [undefined, '1', '2', '3', '4', undefined],
    ])
    expect(await sum({})).toBe(0)
  })
})
