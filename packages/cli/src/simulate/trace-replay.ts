import { type KubeObject, kinds, type Milliseconds, type ResourceKind } from '@kerf/apis'
import { UsageError } from '@kerf/provider-kit/command-line'
import { ApiError, isNotFound, type KubeClient, type Random } from '@kerf/runtime'
import type { SimulatedCloud } from '@kerf/sandbox'
import { KindDirectory } from '../manifests/kind-directory.ts'
import type { TraceStep } from './trace-steps.ts'

interface PlayerDeps {
  readonly client: KubeClient
  readonly cloud: SimulatedCloud
  readonly random: Random
  /**
   * Whether the trace is a recording. The simulated cluster may behave differently from the recorded one, so an object that the recording
   * deletes may not exist.
   */
  readonly isRecorded: boolean
}

/** Runs the steps of a trace. */
export class TraceReplay {
  /** The changes that the simulated API server refused, with its messages. */
  readonly refused: string[] = []
  readonly #deps: PlayerDeps
  readonly #kinds: KindDirectory

  constructor(deps: PlayerDeps) {
    this.#deps = deps
    this.#kinds = new KindDirectory(deps.client)
  }

  async step(step: TraceStep, later: (after: Milliseconds, act: () => void) => unknown): Promise<void> {
    switch (step.kind) {
      case 'scale': {
        const { kind, namespace, name } = step.workload
        try {
          await this.#deps.client.patch(
            kinds[kind],
            { namespace, name },
            { type: 'merge', body: { spec: { replicas: step.replicas } } },
          )
        } catch (error) {
          if (!isNotFound(error)) throw error
          throw new UsageError(`the trace scales ${kind} ${namespace}/${name}, which the manifests do not have`)
        }
        return
      }
      case 'interrupt':
        this.#interrupt(step)
        return
      case 'outage':
        this.#deps.cloud.market.exhaust(step.selector)
        later(step.span, () => this.#deps.cloud.market.restore(step.selector))
        return
      case 'price':
        this.#deps.cloud.market.setPrice(step.selector, (before) => before * step.factor)
        return
      case 'apply':
        return await this.#tolerating(step.object, async (kind) => {
          const { name = '', namespace } = step.object.metadata
          const ref = kind.namespaced ? { name, namespace: namespace ?? 'default' } : { name }
          const body = { ...step.object, metadata: { ...step.object.metadata, ...ref } }
          await this.#deps.client.patch(kind, ref, { type: 'apply', body, force: true }, { fieldManager: 'trace' })
        })
      case 'delete':
        return await this.#tolerating(step.object, async (kind) => {
          const { name, namespace } = step.object
          await this.#deps.client.delete(kind, kind.namespaced ? { name, namespace: namespace ?? 'default' } : { name })
        })
    }
  }

  #interrupt({ selector, share, count }: Extract<TraceStep, { kind: 'interrupt' }>): void {
    let left = count
    for (const { id, state, capacityType, reclaimedAt, ...offering } of this.#deps.cloud.instances()) {
      const isMeant =
        left > 0 &&
        capacityType === 'spot' &&
        state === 'running' &&
        reclaimedAt === undefined &&
        (selector.instanceType ?? offering.instanceType) === offering.instanceType &&
        (selector.zone ?? offering.zone) === offering.zone
      if (!isMeant || this.#deps.random.next() >= share) continue
      left--
      this.#deps.cloud.interrupt({ id })
    }
  }

  /** Runs a step of a recording. If the simulated server refuses it, records the refusal, and the remaining steps still run. */
  async #tolerating(
    object: Pick<KubeObject, 'apiVersion' | 'kind'> & { readonly name?: string; readonly metadata?: { name?: string } },
    act: (kind: ResourceKind) => Promise<void>,
  ): Promise<void> {
    const kind = await this.#kinds.find(object.apiVersion, object.kind)
    const name = `${object.kind} ${object.name ?? object.metadata?.name ?? ''}`
    if (kind === undefined) {
      this.refused.push(`${name}: the simulated cluster has no such kind`)
      return
    }
    try {
      await act(kind)
    } catch (error) {
      if (isNotFound(error) && this.#deps.isRecorded) return
      if (!(error instanceof ApiError)) throw error
      this.refused.push(`${name}: ${error.message}`)
    }
  }
}
