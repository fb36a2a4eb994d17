import { type KubeObject, karpenterKinds, kinds, type Node, type NodeClaim, type NodePool } from '@kerf/apis'
import type { CloudProvider, InstanceView } from '@kerf/provider-contract'
import { informerKey, type KubeClient, type Outcome } from '@kerf/runtime'
import type { ControllerSettings } from '../../deps.ts'
import { type LifecycleOptions, NodeClaimLifecycle } from '../../nodeclaim/lifecycle/node-claim-lifecycle.ts'
import { RegistrationOutcomes } from '../../nodepool/registration-health/registration-outcomes.ts'
import { apiError } from '../harness/index.ts'
import { manualState } from './manual-state.ts'

export interface ClaimPassOptions {
  readonly nodes?: readonly Node[]
  readonly pools?: readonly NodePool[]
  readonly provider?: Partial<CloudProvider>
  readonly settings?: Partial<ControllerSettings>
  readonly lifecycle?: Partial<LifecycleOptions>
  /** Returns the error of a call (`patch NodeClaim/status`, `delete NodeClaim`), or undefined if the call succeeds. */
  readonly refuse?: (call: string) => Error | undefined
}

type Tree = { readonly [key: string]: unknown }
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Applies a merge patch (RFC 7386): null removes a field, objects are merged, and everything else is replaced. */
const merged = (target: unknown, patch: unknown): unknown => {
  if (!isTree(patch)) return patch
  const result = new Map(isTree(target) ? Object.entries(target) : [])
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key)
    else result.set(key, merged(result.get(key), value))
  }
  return Object.fromEntries(result)
}

/** Returns the result of a successful launch. */
export const instance = (name: string, more: Partial<InstanceView> = {}): InstanceView => ({
  providerID: `kwok://${name}`,
  labels: {},
  annotations: {},
  capacity: {},
  allocatable: {},
  ...more,
})

/**
 * Runs the controller `nodeclaim.lifecycle` pass by pass. The informers show the initial objects and, later, the state of the objects at
 * the last call of `see`. The API behaves like an API server: a patch must contain the latest resourceVersion, only the status subresource
 * changes the status, and a deleted object with finalizers remains.
 */
export const claimPasses = (claims: NodeClaim | readonly NodeClaim[], options: ClaimPassOptions = {}) => {
  const calls: string[] = []
  const bodies: unknown[] = []
  const stored = new Map<string, KubeObject>()
  let version = 100
  const called = (call: string): void => {
    calls.push(call)
    const refusal = options.refuse?.(call)
    if (refusal !== undefined) throw refusal
  }
  const found = (kind: string, name: string): KubeObject => {
    const object = stored.get(`${kind} ${name}`)
    if (object === undefined) throw apiError(404)
    return object
  }
  const store = (object: KubeObject): void => void stored.set(`${object.kind} ${informerKey(object)}`, object)
  const client = {
    get: async ({ kind }: { kind: string }, { name }: { name: string }) => {
      called(`get ${kind}`)
      return found(kind, name)
    },
    patch: async (
      { kind }: { kind: string },
      { name }: { name: string },
      { body }: { body: { metadata?: { resourceVersion?: string }; status?: unknown } },
      { subresource }: { subresource?: string },
    ) => {
      bodies.push(body)
      called(`patch ${kind}${subresource === undefined ? '' : `/${subresource}`}`)
      const before = found(kind, name)
      const named = body.metadata?.resourceVersion
      if (named !== undefined && named !== before.metadata.resourceVersion) throw apiError(409)
      const { status, ...rest } = body
      const after = merged(before, subresource === 'status' ? { status } : rest) as KubeObject
      store({ ...after, metadata: { ...after.metadata, resourceVersion: String(++version) } })
      return found(kind, name)
    },
    delete: async (
      { kind }: { kind: string },
      { name }: { name: string },
      { preconditions = {} }: { preconditions?: { uid?: string; resourceVersion?: string } },
    ) => {
      called(`delete ${kind}`)
      const { metadata } = found(kind, name)
      const { uid = metadata.uid, resourceVersion = metadata.resourceVersion } = preconditions
      if (uid !== metadata.uid || resourceVersion !== metadata.resourceVersion) throw apiError(409)
      stored.delete(`${kind} ${name}`)
    },
  } as unknown as Partial<KubeClient>
  const { deps, informers, clock, events } = manualState({
    client,
    ...(options.provider === undefined ? {} : { provider: options.provider }),
    ...(options.settings === undefined ? {} : { settings: options.settings }),
  })
  const outcomes = new RegistrationOutcomes()
  const controller = new NodeClaimLifecycle(deps, { outcomes, ...options.lifecycle }).controller()
  const given = <T extends KubeObject>(object: T): T => ({
    ...object,
    metadata: { ...object.metadata, resourceVersion: object.metadata.resourceVersion ?? '7' },
  })
  for (const object of [claims, options.nodes ?? [], options.pools ?? []].flat()) store(given(object))
  /** Updates the informers with the stored objects. */
  const see = (): void => {
    for (const object of stored.values()) {
      if (object.kind === 'NodeClaim') informers.put(karpenterKinds.NodeClaim, object as NodeClaim)
      if (object.kind === 'NodePool') informers.put(karpenterKinds.NodePool, object as NodePool)
      if (object.kind === 'Node') informers.put(kinds.Node, object as Node)
    }
  }
  see()
  const stop = new AbortController()
  return {
    /** The API calls in order, and the bodies of patches. */
    calls,
    bodies,
    informers,
    clock,
    events,
    outcomes,
    controller,
    deps,
    stop,
    see,
    pass: async (name = 'c'): Promise<Outcome> => await controller.reconcile(name, stop.signal),
    claim: (name = 'c') => stored.get(`NodeClaim ${name}`) as NodeClaim | undefined,
    node: (name = 'n') => stored.get(`Node ${name}`) as Node | undefined,
    pool: (name = 'default') => stored.get(`NodePool ${name}`) as NodePool | undefined,
    /** Writes an object as another client would. The informers show it only after the next call of `see`. */
    put: (object: KubeObject): void => store(object),
    remove: (object: KubeObject): void => void stored.delete(`${object.kind} ${informerKey(object)}`),
  }
}
