import { annotations, HASH_VERSION, karpenterKinds, type NodeClaim, type NodePool, nodePoolHash } from '@kerf/apis'
import { condition, nodeClaim, nodePool } from '@kerf/testing'
import { expect, test } from 'vitest'
import { manualState } from '../testing/by-hand/manual-state.ts'
import { nodePoolHashing } from './hash.ts'

const stamped = <T extends NodeClaim | NodePool>(object: T, hash: string, version: string): T => ({
  ...object,
  metadata: {
    ...object.metadata,
    annotations: { [annotations.nodePoolHash]: hash, [annotations.nodePoolHashVersion]: version },
  },
})
const claim = (name: string, hash: string, version: string, conditions: Parameters<typeof condition>[0][] = []) =>
  stamped(nodeClaim(name, { pool: 'general', conditions: conditions.map((type) => condition(type)) }), hash, version)

/** Runs one pass over the pool. Returns its patches by the name of the patched object. */
const written = async (pool: NodePool, ...claims: readonly NodeClaim[]): Promise<Readonly<Record<string, unknown>>> => {
  const patches: Record<string, unknown> = {}
  const { informers, deps } = manualState({
    client: {
      patch: async (_kind, { name }, { body }) => {
        patches[name] = Reflect.get(Reflect.get(body as object, 'metadata') as object, 'annotations')
        return {} as never
      },
    },
  })
  const controller = nodePoolHashing(deps)
  informers.put(karpenterKinds.NodePool, pool)
  informers.put(karpenterKinds.NodeClaim, ...claims)
  await controller.reconcile('general', new AbortController().signal)
  return patches
}

const bare = nodePool('general')
const hash = nodePoolHash(bare)
const current = { [annotations.nodePoolHash]: hash, [annotations.nodePoolHashVersion]: HASH_VERSION }

test('a new hash version updates the hashes of claims, except of claims that have drifted', async () => {
  const found = await written(
    stamped(bare, 'old', 'v2'),
    claim('plain', 'old', 'v2'),
    claim('drifted', 'mine', 'v2', ['Drifted']),
    claim('stamped', 'other', HASH_VERSION),
  )
  expect(found).toEqual({
    general: current,
    plain: current,
    drifted: { [annotations.nodePoolHashVersion]: HASH_VERSION },
  })
})

test('with the same hash version no claim is changed', async () => {
  const claims = [claim('plain', 'other', HASH_VERSION), claim('old', 'other', 'v2')]
  expect(await written(stamped(bare, 'before', HASH_VERSION), ...claims)).toEqual({ general: current })
  expect(await written(stamped(bare, hash, HASH_VERSION), ...claims)).toEqual({})
})

test('pools of other providers are not changed', async () => {
  const template = { spec: { requirements: [], nodeClassRef: { group: 'other.sh', kind: 'Other', name: 'x' } } }
  expect(await written(nodePool('general', { template }))).toEqual({})
})
