import { finalizers, karpenterKinds, type NodeClaim } from '@kerf/apis'
import { type KubeClient, PrometheusMetrics, SeededRandom, VirtualClock } from '@kerf/runtime'
import { installCustomResources } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { beforeEach, describe, expect, test } from 'vitest'
import { nodeClaim } from '../testing/objects.ts'
import { sumOfMetric } from '../testing/world-readings.ts'
import { ClaimDeletion } from './claim-deletion.ts'

const { signal } = new AbortController()
const NAME = { name: 'a' }

describe('a claim is counted when it is deleted, and once', () => {
  let client: KubeClient
  let metrics: PrometheusMetrics
  let claim: NodeClaim

  beforeEach(async () => {
    client = new SandboxApi({ clock: new VirtualClock(), random: new SeededRandom(1) }).client()
    await installCustomResources(client)
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

  test('by whoever is first, though both saw it as it was before', async () => {
    const one = new ClaimDeletion({ client, metrics })
    const other = new ClaimDeletion({ client, metrics })
    expect(await one.delete(claim, 'expired', { signal })).toBe(true)
    expect(await one.delete(claim, 'expired', { signal })).toBe(false)
    expect(await other.delete(claim, 'garbage_collected', { signal })).toBe(false)
    expect(await counted()).toBe(1)
  })

  test('although it has changed since it was seen', async () => {
    await touch({ metadata: { annotations: { changed: 'yes' } } })
    expect(await new ClaimDeletion({ client, metrics }).delete(claim, 'empty', { signal })).toBe(true)
    expect((await client.get(karpenterKinds.NodeClaim, NAME)).metadata.deletionTimestamp).toBeDefined()
  })

  test('although it changes whenever it is looked at', async () => {
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

  test('not a later claim of its name, and none that is gone', async () => {
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
