import { groupVersion, type KubeObject, karpenterKinds, kinds, type ResourceKind } from '@kerf/apis'
import { isNotFound } from '@kerf/runtime'
import type { ApiCall } from '@kerf/sandbox'
import { describe, expect, test } from 'vitest'
import { createDeployment, createDisruptablePool, type Harness } from './testing/harness/index.ts'
import { harnessPerTest } from './testing/harness-per-test.ts'

const start = harnessPerTest()
const SECOND = 1_000

/** What happens to an object between Kerf's read and Kerf's patch: it is deleted, or it is deleted and created again. */
type Removal = 'is deleted' | 'is deleted and created again'

/** How many consecutive patches hit a deleted object. Later patches succeed. */
const STRIKES = 12
/**
 * How many consecutive patches of Nodes hit a deleted Node. Only one, because a NodeClaim whose Node is deleted before registration is only
 * deleted after 15 minutes.
 */
const NODE_STRIKES = 1

const named = <T extends KubeObject & { readonly spec: object }>(
  kind: ResourceKind<T>,
  object: Omit<T, 'apiVersion' | 'kind'>,
) => ({ apiVersion: groupVersion(kind), kind: kind.kind, ...object }) as T

/** Recreates the objects of users that are missing. */
const restore = async (w: Harness): Promise<void> => {
  const ifMissing = async (make: () => Promise<unknown>, kind: ResourceKind, name: string): Promise<void> => {
    const ref = kind.namespaced ? { name, namespace: 'default' } : { name }
    await w.admin.get(kind, ref).catch(async (error: unknown) => {
      if (!isNotFound(error)) throw error
      await make()
    })
  }
  await ifMissing(
    () => createDisruptablePool(w, 'general', { disruption: { consolidateAfter: 'Never' } }),
    karpenterKinds.NodePool,
    'general',
  )
  const { CapacityBuffer, NodeOverlay } = karpenterKinds
  await ifMissing(
    () =>
      w.admin.create(
        CapacityBuffer,
        named(CapacityBuffer, {
          metadata: { name: 'spare', namespace: 'default' },
          spec: { scalableRef: { kind: 'Deployment', name: 'web' }, replicas: 1 },
        }),
      ),
    CapacityBuffer,
    'spare',
  )
  await ifMissing(
    () =>
      w.admin.create(
        NodeOverlay,
        named(NodeOverlay, { metadata: { name: 'dearer' }, spec: { requirements: [], priceAdjustment: '+1%' } }),
      ),
    NodeOverlay,
    'dearer',
  )
}

describe.each<Removal>(['is deleted', 'is deleted and created again'])(
  'an object that %s between the read and the patch causes no error',
  (removal) => {
    test.each([
      [karpenterKinds.NodePool],
      [karpenterKinds.NodeClaim],
      [karpenterKinds.CapacityBuffer],
      [karpenterKinds.NodeOverlay],
      [kinds.Node],
      [kinds.Pod],
    ] as readonly (readonly [ResourceKind])[])('$plural', async (kind) => {
      let harness: Harness | undefined
      const struck: string[] = []
      const strike = async ({ verb, kind: of, ref, subresource }: ApiCall): Promise<undefined> => {
        if (harness === undefined || verb !== 'patch' || of?.kind !== kind.kind || ref === undefined) return
        if (struck.length === (kind === kinds.Node ? NODE_STRIKES : STRIKES)) return
        struck.push(`${ref.name} ${subresource ?? ''}`)
        const { admin } = harness
        const seen = await admin.get(kind, ref).catch(() => undefined)
        if (seen === undefined) return
        await admin.patch(kind, ref, { type: 'merge', body: { metadata: { finalizers: null } } }).catch(() => undefined)
        await admin.delete(kind, ref, { gracePeriodSeconds: 0 }).catch(() => undefined)
        if (removal === 'is deleted') return
        const { resourceVersion: _, uid: __, creationTimestamp: ___, generation: ____, ...metadata } = seen.metadata
        await admin.create(kind, { ...seen, metadata }).catch(() => undefined)
      }
      harness = await start({
        gates: { CapacityBuffer: true, NodeOverlay: true, StaticCapacity: true, NodeRepair: true },
        fault: (call, when) => (when === 'before' ? strike(call) : undefined),
      })
      await createDeployment(harness, 'web', 2, '1')
      for (let look = 0; look < 60; look++) {
        await restore(harness)
        await harness.pass(5 * SECOND)
      }
      await harness.pass(1_200 * SECOND)
      expect(struck).not.toEqual([])
      expect(harness.log.lines.filter(({ message }) => message === 'Reconciler error')).toEqual([])
      const pods = (await harness.admin.list(kinds.Pod)).items
      expect(pods.map(({ status }) => status?.phase)).toEqual(['Running', 'Running'])
    })
  },
)
