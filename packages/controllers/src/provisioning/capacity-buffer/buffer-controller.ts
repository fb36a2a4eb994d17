import { type CapacityBuffer, karpenterKinds, kinds, type Milliseconds, ProblemError } from '@kerf/apis'
import { type Controller, done, type Outcome, retryAfter, source } from '@kerf/runtime'
import { patchConditions } from '../../condition-patch.ts'
import { controllerErrors } from '../../controller-errors.ts'
import { concurrency, type Deps } from '../../deps.ts'
import { readOnlySource } from '../../read-only-source.ts'
import { isWaitingForNodes, withBufferCondition } from './buffer-conditions.ts'
import type { BufferPods } from './buffer-pods.ts'
import { createReplicas } from './buffer-replicas.ts'
import { storageLookup } from './buffer-storage.ts'
import { type BufferSources, podTemplateKind, type Resolution, resolveBuffer } from './resolve.ts'
import { ScalableWatch } from './scalable-watch.ts'

const LOOK_AGAIN: Milliseconds = 30_000
/** How often replicas without a node trigger the provisioner. The interval is the same for pending pods. */
const ASK_AGAIN: Milliseconds = 10_000
const TEMPLATE_INDEX = 'podTemplate'

const bufferKey = ({ metadata: { namespace = 'default', name = '' } }: CapacityBuffer): string => `${namespace}/${name}`
const referencedTemplates = ({ metadata, spec }: CapacityBuffer): readonly string[] =>
  spec.podTemplateRef === undefined ? [] : [`${metadata.namespace ?? 'default'}/${spec.podTemplateRef.name}`]

const readyCondition = (resolution: Resolution) => {
  const type = 'ReadyForProvisioning' as const
  if (resolution.kind === 'resolved') return { type, status: 'True', reason: 'Resolved', message: '' } as const
  return { type, status: 'False', reason: resolution.reason, message: resolution.message } as const
}

/**
 * Computes how much capacity each CapacityBuffer reserves, writes it to the status, and passes the replicas to the provisioner
 * (`docs/spec/static-pools-buffers-overlays.md#capacity-buffers`). If a read fails, the replicas remain unchanged. `trigger` starts a pass
 * of the provisioner. Unlike upstream, Kerf also starts a pass when a buffer is deleted.
 */
export class CapacityBuffers {
  readonly #buffers
  readonly #informers
  readonly #scalables
  readonly #deps: Deps
  readonly #clock
  readonly #client
  readonly #pods: BufferPods
  readonly #sources: BufferSources
  readonly #trigger: (uid: string) => void

  constructor(deps: Deps, pods: BufferPods, trigger: (uid: string) => void) {
    const { informers, client, clock } = deps
    const buffers = informers.of(karpenterKinds.CapacityBuffer)
    buffers.index(TEMPLATE_INDEX, referencedTemplates)
    this.#scalables = new ScalableWatch(informers, buffers)
    this.#buffers = buffers
    this.#informers = informers
    this.#deps = deps
    this.#clock = clock
    this.#client = client
    this.#pods = pods
    this.#trigger = trigger
    this.#sources = { client, storage: storageLookup(informers), ignoresDevices: deps.settings.ignoreDraRequests }
  }

  controller(): Controller {
    return {
      name: 'capacitybuffer',
      reconciles: karpenterKinds.CapacityBuffer,
      sources: [
        source(this.#buffers, ({ before, after }) => {
          const isNews =
            before === undefined ||
            after?.metadata.generation !== before.metadata.generation ||
            (isWaitingForNodes(after) && !isWaitingForNodes(before))
          const either = after ?? before
          return either !== undefined && (after === undefined || isNews) ? [bufferKey(either)] : []
        }),
        source(this.#informers.of(podTemplateKind), ({ before, after }) => {
          const { namespace = 'default', name = '' } = (after ?? before)?.metadata ?? {}
          return this.#buffers.by(TEMPLATE_INDEX, `${namespace}/${name}`).map(bufferKey)
        }),
        // The volumes of replicas refer to objects of these kinds. A change of such an object takes effect at the next periodic
        // reconciliation.
        readOnlySource(this.#informers, kinds.PersistentVolumeClaim),
        readOnlySource(this.#informers, kinds.PersistentVolume),
        readOnlySource(this.#informers, kinds.StorageClass),
      ],
      subscribe: (enqueue) => this.#scalables.subscribe(enqueue),
      concurrency: concurrency(this.#deps.settings, 10, 1_000),
      reconcile: (key, signal) => this.#reconcile(key, signal),
    }
  }

  async #write(buffer: CapacityBuffer, resolution: Resolution, signal: AbortSignal): Promise<void> {
    const conditions = withBufferCondition(buffer, readyCondition(resolution), this.#clock.now())
    const { status } = buffer
    if (resolution.kind === 'failed') {
      await patchConditions(this.#client, karpenterKinds.CapacityBuffer, buffer, conditions, signal)
      return
    }
    const template = resolution.template?.metadata
    const next = {
      replicas: resolution.size,
      podTemplateRef: template === undefined ? null : { name: template.name },
      podTemplateGeneration: template === undefined ? null : (template.generation ?? 0),
      provisioningStrategy: buffer.spec.provisioningStrategy,
    }
    const isSame =
      status?.replicas === next.replicas &&
      (status.podTemplateRef?.name ?? null) === (template?.name ?? null) &&
      (status.podTemplateGeneration ?? null) === next.podTemplateGeneration &&
      status.provisioningStrategy === next.provisioningStrategy
    await patchConditions(this.#client, karpenterKinds.CapacityBuffer, buffer, conditions, signal, isSame ? {} : next)
  }

  /** Removes the replicas of a buffer, and triggers the provisioner. Their nodes may then count as empty. */
  #release(key: string): void {
    if (this.#pods.drop(key)) this.#trigger(key)
  }

  async #reconcile(key: string, signal: AbortSignal): Promise<Outcome> {
    const buffer = this.#buffers.get(key)
    if (buffer === undefined || buffer.metadata.deletionTimestamp !== undefined) {
      this.#release(key)
      return done()
    }
    // The watch starts before the read, so that no later change is missed.
    this.#scalables.follow(buffer)
    let resolution: Resolution
    try {
      resolution = await resolveBuffer(this.#sources, buffer, signal)
    } catch (error) {
      signal.throwIfAborted()
      const message = error instanceof Error ? error.message : String(error)
      await this.#write(buffer, { kind: 'failed', reason: 'ResolutionFailed', message, isFinal: false }, signal)
      throw error instanceof ProblemError ? controllerErrors.BufferUnresolved({ buffer: key, problem: message }) : error
    }
    await this.#write(buffer, resolution, signal)
    if (resolution.kind === 'failed') {
      this.#release(key)
      if (resolution.isFinal) return retryAfter(LOOK_AGAIN)
      throw controllerErrors.BufferUnresolved({ buffer: key, problem: resolution.message })
    }
    this.#pods.put(key, createReplicas(buffer, resolution.shape, resolution.size))
    this.#trigger(buffer.metadata.uid ?? key)
    return retryAfter(isWaitingForNodes(buffer) ? ASK_AGAIN : LOOK_AGAIN)
  }
}
