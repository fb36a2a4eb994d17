import {
  apiVersionOf,
  type KubeObject,
  karpenterKinds,
  type NewObject,
  type NodeClaim,
  type NodePool,
  type ResourceKind,
} from '@kerf/apis'
import {
  type Controller,
  type KubeClient,
  type Outcome,
  RecordingEventRecorder,
  SeededRandom,
  type WriteOptions,
} from '@kerf/runtime'
import { type NodePoolOptions, nodePool } from '@kerf/testing'
import type { Deps } from '../deps.ts'
import { ClaimCreator } from '../provisioning/claim-creator.ts'
import { ClusterSync } from '../state/cluster-sync.ts'
import { staticDeprovisioning } from '../static-capacity/deprovisioning.ts'
import { StaticProvisioning } from '../static-capacity/provisioning.ts'
import { stateWorld } from './state-world.ts'

/** The answer of an API server that has no object of a kind. */
export const nothingThere: KubeClient['list'] = async (kind) => ({
  apiVersion: apiVersionOf(kind),
  kind: `${kind.kind}List`,
  metadata: { resourceVersion: '1' },
  items: [],
})

/**
 * The two controllers of static capacity over informers that a test fills by hand, asked pass by pass. The API answers a
 * create with what it stores, and tells the informers only when the test does; `answers` are other answers of it.
 */
export const staticWorld = (answers: Partial<KubeClient> = {}) => {
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
    list: nothingThere,
    ...answers,
  }
  const { informers, clock, state, deps: stateDeps } = stateWorld({ client })
  const deps: Deps = { ...stateDeps, random: new SeededRandom(1), events: new RecordingEventRecorder() }
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
    /** What was written: claims, and names of claims. */
    created,
    deleted,
    provision: (signal?: AbortSignal) => pass(provisioning, signal),
    deprovision: () => pass(deprovisioning),
    /** The pools that each controller was asked for since the last question. */
    asked: () => ({ provisioning: asked.provisioning.splice(0), deprovisioning: asked.deprovisioning.splice(0) }),
    /** A ready static pool, now of so many replicas. */
    pool: (replicas: number, options: NodePoolOptions = {}): NodePool => {
      const pool = nodePool('still', { replicas, ...options })
      informers.put(karpenterKinds.NodePool, pool)
      return pool
    },
    claims: (...claims: readonly NodeClaim[]): void => informers.put(karpenterKinds.NodeClaim, ...claims),
  }
}
