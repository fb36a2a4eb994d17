import {
  type Event,
  findCondition,
  type KubeObject,
  labels,
  type Milliseconds,
  type Node,
  type NodeClaim,
  type Pod,
  parseTime,
} from '@kerf/apis'
import { DECISIONS_CONFIG_MAP, type ObservedDecision } from '@kerf/controllers'
import { OBSERVER } from '../run/workspace.ts'

/** Facts about a node, including those that determine its price. */
export interface NodeFact {
  /** The name of the NodeClaim, or of the node if there is no NodeClaim. */
  readonly name: string
  readonly nodePool: string
  readonly instanceType: string
  readonly zone: string
  readonly capacityType: string
  readonly created: Milliseconds
  /** When the removal of the node began. */
  readonly removed: Milliseconds | undefined
}

/** Facts about the history of a pod. */
export interface PodFact {
  readonly uid: string
  readonly name: string
  readonly created: Milliseconds | undefined
  /** The time at which the active autoscaler nominated a node for the pod. */
  readonly nominated: Milliseconds | undefined
  /** The name of the nominated NodeClaim or node. */
  readonly target: string | undefined
  readonly bound: Milliseconds | undefined
  readonly node: string | undefined
}

const NOMINATED = /\b(?:nodeclaim|node)\/([a-z0-9.-]*[a-z0-9])/
const REMOVED = new Set(['DisruptionTerminating', 'DisruptionLaunching'])

const isOf = <T extends KubeObject>(object: KubeObject, kind: string): object is T => object.kind === kind

const when = ({ eventTime, firstTimestamp, metadata }: Event): Milliseconds | undefined =>
  parseTime(eventTime ?? undefined) ?? parseTime(firstTimestamp) ?? parseTime(metadata.creationTimestamp)

const earlier = (a: Milliseconds | undefined, b: Milliseconds | undefined): Milliseconds | undefined =>
  a === undefined ? b : b === undefined ? a : Math.min(a, b)

/** Returns the decisions in a ConfigMap. Invalid lines, for example in a truncated export, are left out and counted. */
const decisionsIn = (text: string): { readonly decisions: readonly ObservedDecision[]; readonly unread: number } => {
  let unread = 0
  const decisions = text.split('\n').flatMap((line) => {
    if (line.trim() === '') return []
    try {
      const parsed = JSON.parse(line) as Partial<ObservedDecision>
      if (typeof parsed.at === 'number' && typeof parsed.kind === 'string' && Array.isArray(parsed.pods))
        return [parsed as ObservedDecision]
    } catch {
      // The line is invalid. `unread` counts it.
    }
    unread++
    return []
  })
  return { decisions, unread }
}

/**
 * Collects facts from the objects of a cluster in which Kerf observes. Objects may be added in any order and several times. Facts about
 * deleted objects remain.
 */
export class ObservedFacts {
  readonly #pods = new Map<string, PodFact>()
  readonly #nodes = new Map<string, NodeFact>()
  /** Names of NodeClaims, keyed by the names of their nodes. */
  readonly #claimOf = new Map<string, string>()
  readonly #removed = new Map<string, Milliseconds>()
  readonly #decisions = new Map<string, ObservedDecision>()
  /** The number of invalid lines in the ConfigMap. */
  unread = 0

  /** Adds an object. Objects of other kinds are ignored. */
  take(object: KubeObject): void {
    if (isOf<Pod>(object, 'Pod')) this.#takePod(object)
    else if (isOf<NodeClaim>(object, 'NodeClaim')) this.#takeClaim(object)
    else if (isOf<Node>(object, 'Node')) this.#takeNode(object)
    else if (isOf<Event>(object, 'Event')) this.#takeEvent(object)
    else if (object.metadata.name === DECISIONS_CONFIG_MAP) this.#takeDecisions(object)
  }

  /** All decisions, oldest first. */
  get decisions(): readonly ObservedDecision[] {
    return [...this.#decisions.values()].sort((a, b) => a.at - b.at)
  }

  get pods(): readonly PodFact[] {
    return [...this.#pods.values()]
  }

  /** Every node that was launched for a NodePool, ordered by the time at which it was requested. */
  get launched(): readonly NodeFact[] {
    return [...this.#nodes.values()].filter(({ nodePool }) => nodePool !== '').sort((a, b) => a.created - b.created)
  }

  pod(uid: string): PodFact | undefined {
    return this.#pods.get(uid)
  }

  /** Returns the node with this name, or the node of the NodeClaim with this name. */
  node(name: string): NodeFact | undefined {
    const known = this.#nodes.get(this.#claimOf.get(name) ?? name)
    if (known === undefined) return undefined
    return { ...known, removed: known.removed ?? this.#removed.get(name) ?? this.#removed.get(known.name) }
  }

  #change(uid: string, change: Partial<PodFact>): void {
    const before = this.#pods.get(uid)
    const empty = {
      name: '',
      created: undefined,
      nominated: undefined,
      target: undefined,
      bound: undefined,
      node: undefined,
    }
    this.#pods.set(uid, { ...(before ?? { uid, ...empty }), ...change })
  }

  #takePod(pod: Pod): void {
    const { metadata, spec } = pod
    const { uid, namespace = 'default', name, ownerReferences = [] } = metadata
    if (uid === undefined || ownerReferences.some(({ kind }) => kind === 'DaemonSet' || kind === 'Node')) return
    const bound = findCondition(pod, 'PodScheduled')
    this.#change(uid, {
      name: `${namespace}/${name}`,
      created: parseTime(metadata.creationTimestamp),
      ...(spec.nodeName === undefined ? {} : { node: spec.nodeName, bound: parseTime(bound?.lastTransitionTime) }),
    })
  }

  #takeClaim({ metadata, status }: NodeClaim): void {
    if (status?.nodeName !== undefined && status.nodeName !== '') {
      this.#claimOf.set(status.nodeName, metadata.name)
      if (status.nodeName !== metadata.name) this.#nodes.delete(status.nodeName)
    }
    this.#keep(metadata.name, metadata)
  }

  #takeNode({ metadata }: Node): void {
    const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'NodeClaim')?.name
    if (owner !== undefined) this.#claimOf.set(metadata.name, owner)
    // A NodeClaim contains the time at which the node was requested, so its facts take precedence over those of the Node.
    if (owner === undefined && !this.#claimOf.has(metadata.name)) this.#keep(metadata.name, metadata)
  }

  #keep(name: string, { labels: of = {}, creationTimestamp, deletionTimestamp }: KubeObject['metadata']): void {
    const before = this.#nodes.get(name)
    this.#nodes.set(name, {
      name,
      nodePool: of[labels.nodePool] ?? '',
      instanceType: of[labels.instanceType] ?? before?.instanceType ?? 'unknown',
      zone: of[labels.zone] ?? before?.zone ?? 'unknown',
      capacityType: of[labels.capacityType] ?? before?.capacityType ?? 'unknown',
      created: parseTime(creationTimestamp) ?? 0,
      removed: earlier(before?.removed, parseTime(deletionTimestamp)),
    })
  }

  #takeEvent(event: Event): void {
    const { involvedObject: of, reason = '', message = '', source, reportingComponent } = event
    if (source?.component === OBSERVER || reportingComponent === OBSERVER) return
    const at = when(event)
    if (REMOVED.has(reason) && of.name !== undefined && at !== undefined) {
      this.#removed.set(of.name, earlier(this.#removed.get(of.name), at) ?? at)
    }
    const target = NOMINATED.exec(message)?.[1]
    if (reason !== 'Nominated' || of.uid === undefined || target === undefined) return
    const before = this.#pods.get(of.uid)
    if (before?.nominated !== undefined && at !== undefined && before.nominated <= at) return
    this.#change(of.uid, {
      nominated: at,
      target,
      ...(before === undefined ? { name: `${of.namespace ?? 'default'}/${of.name ?? ''}` } : {}),
    })
  }

  #takeDecisions(object: KubeObject & { readonly data?: Readonly<Record<string, string>> }): void {
    const { decisions, unread } = decisionsIn(object.data?.['decisions'] ?? '')
    this.unread = unread
    for (const decision of decisions) this.#decisions.set(JSON.stringify(decision), decision)
  }
}
