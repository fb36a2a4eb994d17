import {
  type KubeObject,
  karpenterKinds,
  type NewObject,
  type NodeClaim,
  type NodePool,
  type ResourceKind,
} from '@kerf/apis'
import type { Controller, KubeClient, Outcome, WriteOptions } from '@kerf/runtime'
import { type NodePoolOptions, nodePool } from '@kerf/testing'
import { staticDeprovisioning } from '../../nodepool/static-capacity/deprovisioning.ts'
import { StaticProvisioning } from '../../nodepool/static-capacity/provisioning.ts'
import { ClaimCreator } from '../../provisioning/claim-creator.ts'
import { ClusterSync } from '../../state/cluster-sync.ts'
import { manualState } from './manual-state.ts'
import { emptyList } from './refusing-client.ts'

/**
 * Runs the two controllers of static capacity pass by pass. The API responds to a create request with the stored object. The informers show
 * the object only after the test has put it there. `answers` replaces calls of the API.
 */
export const staticCapacityPasses = (answers: Partial<KubeClient> = {}) => {
  const created: NodeClaim[] = []
  const create = async <T extends KubeObject>(
    _: ResourceKind<T>,
    object: NewObject<T>,
    __?: WriteOptions,
  ): Promise<T> => {
    const metadata = {
      ...object.metadata,
      uid: `uid-${object.metadata.name}`,
      creationTimestamp: '2026-01-01T00:00:00Z',
    }
    const stored = { ...object, metadata }
    created.push(stored as unknown as NodeClaim)
    return stored as unknown as T
  }
  const deleted: string[] = []
  const client: Partial<KubeClient> = {
    create,
    delete: async (_, { name }) => void deleted.push(name),
    list: emptyList,
    ...answers,
  }
  const { informers, clock, state, deps } = manualState({ client })
  const sync = new ClusterSync(deps, state)
  const creator = new ClaimCreator(deps, state)
  const provisioning = new StaticProvisioning(deps, { state, sync, creator }).controller()
  const deprovisioning = staticDeprovisioning(deps, state)

  const asked = { provisioning: [] as string[], deprovisioning: [] as string[] }
  const follow = ({ sources }: Controller, keys: string[]): void => {
    for (const { informer, keysOf } of sources) informer.onChange((change) => void keys.push(...keysOf(change)))
  }
  follow(provisioning, asked.provisioning)
  follow(deprovisioning, asked.deprovisioning)

  const pass = async (controller: Controller, signal = new AbortController().signal): Promise<Outcome> =>
    await controller.reconcile('still', signal)
  return {
    clock,
    state,
    informers,
    metrics: deps.metrics,
    /** The created claims, and the names of the deleted claims. */
    created,
    deleted,
    provision: (signal?: AbortSignal) => pass(provisioning, signal),
    deprovision: () => pass(deprovisioning),
    /** Returns the pools that have triggered each controller since the last call. */
    asked: () => ({ provisioning: asked.provisioning.splice(0), deprovisioning: asked.deprovisioning.splice(0) }),
    /** Puts a ready static pool with `replicas` replicas into the informers. */
    pool: (replicas: number, options: NodePoolOptions = {}): NodePool => {
      const pool = nodePool('still', { replicas, ...options })
      informers.put(karpenterKinds.NodePool, pool)
      return pool
    },
    claims: (...claims: readonly NodeClaim[]): void => informers.put(karpenterKinds.NodeClaim, ...claims),
  }
}
