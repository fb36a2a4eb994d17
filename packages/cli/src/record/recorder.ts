import {
  controllerOwner,
  type Event,
  formatTime,
  groupVersion,
  isTerminal,
  type KubeObject,
  karpenterKinds,
  kinds,
  labels as labelKeys,
  type Milliseconds,
  type Node,
  type Pod,
  parseTime,
  policyKinds,
  type ResourceKind,
} from '@kerf/apis'
import type { Change, Clock, InformerFactory } from '@kerf/runtime'
import { knownProviders } from '../providers.ts'
import type { Recording, Trace, TraceEvent } from '../simulate/trace.ts'
import { type KeptOnRequest, leanObject, omittedFieldsText } from './lean-objects.ts'
import { withSelectedLabels } from './selected-labels.ts'

/** Resource kinds whose objects are recorded at the start and at each change. */
export const recordedKinds: readonly ResourceKind[] = [
  kinds.Namespace,
  kinds.PriorityClass,
  kinds.RuntimeClass,
  kinds.StorageClass,
  kinds.PersistentVolumeClaim,
  karpenterKinds.NodePool,
  karpenterKinds.NodeOverlay,
  policyKinds.ClusterPolicy,
  policyKinds.NodePoolPolicy,
  kinds.PodDisruptionBudget,
  kinds.Deployment,
  kinds.StatefulSet,
  kinds.DaemonSet,
  kinds.Job,
]

/** Resource kinds that are watched for events but whose objects are not recorded. */
export const watchedKinds: readonly ResourceKind[] = [kinds.Pod, kinds.Node, karpenterKinds.NodeClaim, kinds.Event]

const SPOT_REASON = 'SpotInterrupted'
/** Taints on nodes whose spot instance is about to be interrupted. They come from the providers and from Google's termination handler. */
const SPOT_TAINTS: ReadonlySet<string> = new Set([
  ...knownProviders.flatMap(({ instanceTypes }) => instanceTypes?.nodes?.spotInterruptionTaints ?? []),
  'cloud.google.com/impending-node-termination',
])
const RUN_FOR = 'sandbox.kerf.sh/run-for'
/** The annotation that stands for the omitted annotations of a NodePool's template. */
const LEFT_OUT = 'record.kerf.sh/annotations'
const MINUTE: Milliseconds = 60_000

interface LeanTemplate {
  metadata: { annotations?: Record<string, string> }
}

/** A recorded object. The run time of its pods may be added later. */
interface Entry {
  readonly object: KubeObject
  text: string
  readonly born: Milliseconds
}

/** Returns whether a controller of the simulated cluster creates the pod. If so, the pod is not recorded. */
const isMadeBySimulation = (pod: Pod): boolean => {
  const { metadata } = pod
  switch (controllerOwner(pod)?.kind) {
    case 'ReplicaSet':
      return metadata.labels?.['pod-template-hash'] !== undefined
    case 'StatefulSet':
    case 'DaemonSet':
    case 'Job':
    case 'Node':
      return true
    default:
      return metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined
  }
}

const isOwned = ({ metadata }: KubeObject, kind: string): boolean =>
  metadata.ownerReferences?.some((owner) => owner.controller === true && owner.kind === kind) === true

const keyOf = ({ kind, metadata }: KubeObject): string => `${kind}/${metadata.namespace ?? ''}/${metadata.name}`

const span = (milliseconds: Milliseconds): string => `${Math.max(1, Math.round(milliseconds / 1_000))}s`

export interface RecorderOptions {
  readonly informers: InformerFactory
  readonly clock: Clock
  /** The resource kinds that the cluster serves and that the user is allowed to read. */
  readonly kinds: readonly ResourceKind[]
  readonly leftOut: readonly string[]
  /** Free text to record. The default is none. */
  readonly keep?: ReadonlySet<KeptOnRequest>
  /** The approximate maximum size in bytes. */
  readonly mostBytes: number
  /** Called once when the recording is full. */
  readonly onFull: () => void
}

/**
 * Records a cluster as a trace for a simulation: the initial objects, changes and scaling of workloads, pods that a simulation would not
 * create, and spot interruptions. Create it after the informers are in sync. Changes nothing in the cluster.
 */
export class Recorder {
  readonly #options: RecorderOptions
  readonly #from: Milliseconds
  readonly #began: Milliseconds
  readonly #objects: KubeObject[] = []
  readonly #events: TraceEvent[] = []
  readonly #entries = new Map<string, Entry>()
  /** The distinct omitted annotations of each NodePool's template, in the order of their first occurrence. */
  readonly #leftOut = new Map<string, string[]>()
  readonly #interrupted = new Set<string>()
  readonly #types = new Set<string>()
  readonly #zones = new Set<string>()
  readonly #samples: [number, number, number, number][] = []
  readonly #unsubscribe: (() => void)[] = []
  #bytes = 0
  #isFull = false
  #isLive = false

  constructor(options: RecorderOptions) {
    this.#options = options
    this.#from = options.clock.now()
    this.#began = options.clock.monotonic()
    const listen = <T extends KubeObject>(kind: ResourceKind<T>, hear: (change: Change<T>) => void): void => {
      if (!options.kinds.some(({ plural, group }) => plural === kind.plural && group === kind.group)) return
      this.#unsubscribe.push(options.informers.of(kind).onChange(hear))
    }
    listen(kinds.Node, (change) => this.#node(change))
    for (const kind of recordedKinds) listen(kind, (change) => this.#object(kind, change))
    listen(kinds.Pod, (change) => this.#pod(change))
    listen(kinds.Event, ({ after }) => this.#event(after))
    this.sample()
    this.#isLive = true
  }

  /** The approximate size of the recording. */
  get bytes(): number {
    return this.#bytes
  }

  get counts(): { readonly objects: number; readonly events: number; readonly interruptions: number } {
    const interruptions = this.#events.filter((event) => 'interrupt' in event).length
    return { objects: this.#objects.length, events: this.#events.length, interruptions }
  }

  /** Whether the recording is full. */
  get isFull(): boolean {
    return this.#isFull
  }

  get elapsed(): Milliseconds {
    return this.#options.clock.monotonic() - this.#began
  }

  /** Records the current numbers of nodes and pods. Call it every minute. */
  sample(): void {
    let running = 0
    let waiting = 0
    for (const { spec, status } of this.#options.informers.of(kinds.Pod).values()) {
      if (status?.phase === 'Running') running++
      else if (spec.nodeName === undefined) waiting++
    }
    this.#samples.push([
      Math.round(this.elapsed / MINUTE),
      this.#options.informers.of(kinds.Node).size,
      running,
      waiting,
    ])
    this.#bytes += 24
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe()
  }

  /** Returns everything recorded so far. */
  trace(end: Recording['end']): Trace {
    const trace: Trace = {
      recording: {
        from: formatTime(this.#from),
        span: span(this.elapsed),
        end: this.#isFull ? 'full' : end,
        instanceTypes: [...this.#types].sort(),
        zones: [...this.#zones].sort(),
        leftOut: [...this.#options.leftOut],
        samples: this.#samples,
      },
      objects: this.#objects as NonNullable<Trace['objects']>,
      events: this.#events,
    }
    return this.#options.keep?.has('labels') === true ? trace : withSelectedLabels(trace)
  }

  /**
   * Returns the object as it is recorded. The annotations of a NodePool's template are replaced by a number that changes with them,
   * because a change makes nodes drift.
   */
  #lean(object: KubeObject): KubeObject {
    const lean = leanObject(object, this.#options.keep)
    const left = omittedFieldsText(object, this.#options.keep)
    const key = object.metadata.name
    const seen = this.#leftOut.get(key) ?? []
    if (object.kind !== 'NodePool' || (left === '' && seen.length === 0)) return lean
    if (!seen.includes(left)) seen.push(left)
    this.#leftOut.set(key, seen)
    const { spec }: KubeObject & { readonly spec?: { readonly template?: LeanTemplate } } = lean
    const metadata = spec?.template?.metadata
    const annotations = { ...metadata?.annotations, [LEFT_OUT]: String(seen.indexOf(left) + 1) }
    return {
      ...lean,
      ...{ spec: { ...spec, template: { ...spec?.template, metadata: { ...metadata, annotations } } } },
    }
  }

  #at(): { readonly at: string } {
    return { at: `${Math.round(this.elapsed)}ms` }
  }

  #write(event: TraceEvent): boolean {
    if (!this.#fits(JSON.stringify(event))) return false
    this.#events.push(event)
    return true
  }

  #fits(text: string): boolean {
    if (this.#isFull) return false
    if (this.#bytes + text.length > this.#options.mostBytes) {
      this.#isFull = true
      this.#options.onFull()
      return false
    }
    this.#bytes += text.length + 2
    return true
  }

  #object(kind: ResourceKind, { before, after }: Change<KubeObject>): void {
    const found = after ?? before
    if (found === undefined) return
    // Adds the kind and the API version, which the items of a list do not have.
    const object = { ...found, apiVersion: groupVersion(kind), kind: kind.kind }
    if (!isRecorded(object)) return
    if (after === undefined) this.#deleted(object)
    else if (object.metadata.deletionTimestamp === undefined) this.#appeared(this.#lean(object))
  }

  #appeared(lean: KubeObject): void {
    const key = keyOf(lean)
    const known = this.#entries.get(key)
    const text = JSON.stringify(lean)
    if (known?.text === text) return
    const replicas = known === undefined ? undefined : scaleBetween(known.text, lean)
    const { name = '', namespace = 'default' } = lean.metadata
    if (known !== undefined && replicas !== undefined && (lean.kind === 'Deployment' || lean.kind === 'StatefulSet')) {
      if (this.#write({ ...this.#at(), scale: { kind: lean.kind, namespace, name, replicas } })) known.text = text
      return
    }
    if (!this.#isLive) {
      if (!this.#fits(text)) return
      this.#objects.push(lean)
    } else if (!this.#write({ ...this.#at(), apply: lean as never })) return
    this.#entries.set(key, { object: lean, text, born: this.elapsed })
  }

  #deleted({ apiVersion, kind, metadata }: KubeObject): void {
    const key = keyOf({ apiVersion, kind, metadata })
    if (!this.#entries.delete(key)) return
    const { namespace, name = '' } = metadata
    this.#write({
      ...this.#at(),
      delete: { apiVersion, kind, name, ...(namespace === undefined ? {} : { namespace }) },
    })
  }

  #pod({ before, after }: Change<Pod>): void {
    const pod = after ?? before
    if (pod === undefined) return
    if (isMadeBySimulation(pod)) {
      if (
        after !== undefined &&
        isOwned(pod, 'Job') &&
        isTerminal(after) &&
        !(before !== undefined && isTerminal(before))
      )
        this.#jobPodEnded(after)
      return
    }
    if (after === undefined) {
      this.#deleted({ ...pod, apiVersion: 'v1', kind: 'Pod' })
      return
    }
    const key = keyOf({ ...after, kind: 'Pod' })
    const entry = this.#entries.get(key)
    if (isTerminal(after)) {
      // The pod completed on its own. It also completes in the simulation, so the recording contains no deletion for it.
      if (entry === undefined) return
      note(entry.object.metadata, this.elapsed - entry.born)
      this.#entries.delete(key)
    } else if (entry === undefined && after.metadata.deletionTimestamp === undefined) {
      this.#appeared(this.#lean({ ...after, apiVersion: 'v1', kind: 'Pod' }))
    }
  }

  /** Records the longest run time of the Job's pods. The simulated pods of the Job run that long. */
  #jobPodEnded({ metadata, status }: Pod): void {
    const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'Job')
    const entry = this.#entries.get(`Job/${metadata.namespace ?? ''}/${owner?.name ?? ''}`)
    if (entry === undefined) return
    const { spec } = entry.object as KubeObject & { readonly spec?: { readonly template?: LeanTemplate } }
    const began = parseTime(status?.startTime ?? metadata.creationTimestamp)
    if (spec?.template !== undefined && began !== undefined)
      note(spec.template.metadata, this.#options.clock.now() - Math.max(began, this.#from))
  }

  #node({ before, after }: Change<Node>): void {
    const node = after ?? before
    if (node === undefined) return
    const type = node.metadata.labels?.[labelKeys.instanceType]
    const zone = node.metadata.labels?.[labelKeys.zone]
    if (type !== undefined) this.#types.add(type)
    if (zone !== undefined) this.#zones.add(zone)
    if (after?.spec.taints?.some(({ key }) => SPOT_TAINTS.has(key)) !== true) return
    if (before?.spec.taints?.some(({ key }) => SPOT_TAINTS.has(key)) === true) return
    if (this.#isLive) this.#interruption(after.spec.providerID ?? '', after.metadata.labels)
  }

  #event(event: Event | undefined): void {
    if (event?.reason !== SPOT_REASON || !this.#isLive) return
    const { kind, name = '' } = event.involvedObject
    if (kind === 'Node') {
      const node = this.#options.informers.of(kinds.Node).get(name)
      if (node !== undefined) this.#interruption(node.spec.providerID ?? '', node.metadata.labels)
    } else if (kind === 'NodeClaim') {
      const claim = this.#options.informers.of(karpenterKinds.NodeClaim).get(name)
      if (claim !== undefined) this.#interruption(claim.status?.providerID ?? '', claim.metadata.labels)
    }
  }

  /**
   * One interruption may be reported three times: in an event about the Node, in an event about its NodeClaim, and as a taint.
   */
  #interruption(providerID: string, labels: Readonly<Record<string, string>> | undefined): void {
    if (this.#interrupted.has(providerID)) return
    this.#interrupted.add(providerID)
    const instanceType = labels?.[labelKeys.instanceType]
    const zone = labels?.[labelKeys.zone]
    this.#write({
      ...this.#at(),
      interrupt: {
        ...(instanceType === undefined ? {} : { instanceType }),
        ...(zone === undefined ? {} : { zone }),
        count: 1,
      },
    })
  }
}

/**
 * Returns whether an object is recorded. System priority classes are left out because every cluster has them, and completed
 * Jobs because they have no effect.
 */
const isRecorded = (object: KubeObject): boolean => {
  if (object.kind === 'PriorityClass') return !object.metadata.name.startsWith('system-')
  if (object.kind !== 'Job') return true
  const { status }: KubeObject & { readonly status?: { readonly completionTime?: string } } = object
  return status?.completionTime === undefined
}

/** Records the longest run time of the pods in an annotation, for the simulation. */
const note = (metadata: Partial<KubeObject['metadata']>, ran: Milliseconds): void => {
  const annotations = metadata.annotations ?? {}
  const longest = Math.max(1, Math.round(ran / 1_000), Number.parseInt(annotations[RUN_FOR] ?? '0', 10))
  // Changing the object in place is safe, because it is the recorder's own copy.
  Object.assign(metadata, { annotations: { ...annotations, [RUN_FOR]: `${longest}s` } })
}

/** Returns the new number of replicas if nothing else has changed, otherwise undefined. */
const scaleBetween = (before: string, after: KubeObject): number | undefined => {
  const { spec }: KubeObject & { readonly spec?: { readonly replicas?: number } } = after
  if (spec?.replicas === undefined) return undefined
  const earlier = JSON.parse(before) as { spec?: { replicas?: number } }
  const same = { ...earlier, spec: { ...earlier.spec, replicas: spec.replicas } }
  return JSON.stringify(same) === JSON.stringify(after) ? spec.replicas : undefined
}
