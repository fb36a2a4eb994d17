import { type EventDefinition, groupVersion, type KubeObject, karpenterKinds, type ResourceKind } from '@kerf/apis'
import { declareEvents, type ProviderContext } from '@kerf/provider-contract'
import { type Outcome, retryAfter } from '@kerf/runtime'
import { usesNodeClassKind } from './node-class-ref.ts'

const LOOK_AGAIN = 600_000
const NAMED = 5

const WAITING = 'WaitingOnNodeClaimTermination'

/** Returns the Events that a provider publishes if its node classes have a finalizer, keyed by reason. */
export const nodeClassEvents = <Kind extends string>(kind: Kind) =>
  ({
    [WAITING]: {
      type: 'Normal',
      about: [kind],
      when: `The deleted ${kind} waits until no NodeClaim uses it.`,
    },
  }) as const satisfies Readonly<Record<string, EventDefinition>>

const shortenedNames = (names: readonly string[]): string =>
  names.length <= NAMED ? names.join(', ') : `${names.slice(0, NAMED).join(', ')} and ${names.length - NAMED} more`

export interface NodeClassFinalizer<T extends KubeObject> {
  /** The name in `metadata.finalizers`. */
  readonly name: string
  /** Deletes everything that was created in the cloud for the node class. May be called repeatedly. If it throws, the finalizer remains. */
  readonly release: (nodeClass: T, signal: AbortSignal) => Promise<void>
}

/** Adds the finalizer to a node class. Returns the node class as stored by the API server. */
export const withFinalizer = async <T extends KubeObject>(
  { client }: Pick<ProviderContext, 'client'>,
  kind: ResourceKind<T>,
  nodeClass: T,
  finalizer: string,
  signal: AbortSignal,
): Promise<T> => {
  const { name, resourceVersion, finalizers = [] } = nodeClass.metadata
  if (finalizers.includes(finalizer)) return nodeClass
  const body = { metadata: { resourceVersion, finalizers: [...finalizers, finalizer] } }
  return client.patch(kind, { name }, { type: 'merge', body }, { signal })
}

/**
 * Continues the deletion of a node class: waits until its NodeClaims are gone, deletes what was created in the cloud for it, and removes
 * the finalizer. Returns undefined after the finalizer has been removed.
 */
export const finalizeNodeClass = async <T extends KubeObject>(
  { client, informers, events }: Pick<ProviderContext, 'client' | 'informers' | 'events'>,
  kind: ResourceKind<T>,
  nodeClass: T,
  finalizer: NodeClassFinalizer<T>,
  signal: AbortSignal,
): Promise<Outcome | undefined> => {
  const { name = '', finalizers = [], resourceVersion, uid = '' } = nodeClass.metadata
  if (!finalizers.includes(finalizer.name)) return undefined
  const users = [...informers.of(karpenterKinds.NodeClaim).values()]
    .filter((claim) => usesNodeClassKind(kind, claim) && claim.spec.nodeClassRef.name === name)
    .map(({ metadata }) => metadata.name)
    .sort()
  if (users.length > 0) {
    events.publish({
      object: { ...nodeClass, apiVersion: groupVersion(kind), kind: kind.kind },
      type: 'Normal',
      reason: declareEvents(nodeClassEvents(kind.kind)).reason(WAITING),
      message: `waiting for the termination of ${users.length} nodeclaims: ${shortenedNames(users)}`,
      dedupeValues: [uid, ...users],
    })
    return retryAfter(LOOK_AGAIN)
  }
  await finalizer.release(nodeClass, signal)
  const body = { metadata: { resourceVersion, finalizers: finalizers.filter((each) => each !== finalizer.name) } }
  await client.patch(kind, { name }, { type: 'merge', body }, { signal })
  return undefined
}
