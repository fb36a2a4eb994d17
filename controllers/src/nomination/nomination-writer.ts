import { isScheduled, kinds, type Milliseconds, type Pod } from '@kerf/apis'
import {
  ApiError,
  isConflict,
  isInvalid,
  isNotFound,
  type KubeClient,
  type Logger,
  RefusedAction,
  type RefusedActionOptions,
  refOf,
} from '@kerf/runtime'
import { podKey } from '../pods/pod-predicates.ts'

/** The Node that the pod's status names; empty for none. */
export const nominatedNode = (pod: Pod): string => pod.status?.nominatedNodeName ?? ''

/**
 * Writes `status.nominatedNodeName` of pods, and remembers what the informer does not show yet. If the API server refuses it
 * (`pods/status` is not in upstream's role), that is said once, and tried again with back-off.
 */
export class NominationWriter {
  readonly #client: Pick<KubeClient, 'patch'>
  readonly #log: Logger
  /** Node names on their way to the API or just written, by the pod's `namespace/name`. */
  readonly #written = new Map<string, string>()
  readonly #refusal: RefusedAction

  constructor(client: Pick<KubeClient, 'patch'>, log: Logger, deps: Omit<RefusedActionOptions, 'action'>) {
    this.#client = client
    this.#log = log
    const { clock, random, metrics } = deps
    this.#refusal = new RefusedAction({ clock, random, metrics, action: 'patch pods/status' })
  }

  /** How long nothing is written because the API server refused it, 0 when it may be tried. */
  get forbiddenFor(): Milliseconds {
    return this.#refusal.wait
  }

  /** Pods whose nomination for this Node was written and may not be shown yet. */
  writtenFor(node: string): readonly string[] {
    return [...this.#written].flatMap(([pod, name]) => (name === node ? [pod] : []))
  }

  /** The informer shows the pod, or that it is gone. */
  seen(key: string, pod: Pod | undefined): void {
    if (pod === undefined || isScheduled(pod) || nominatedNode(pod) === this.#written.get(key)) {
      this.#written.delete(key)
    }
  }

  /** What was written for the pod is not believed any more: it may have been taken away. */
  forget(key: string): void {
    this.#written.delete(key)
  }

  /** Nominates the pod for a Node, or for none. A pod that is bound or gone meanwhile needs no nomination. */
  async write(pod: Pod, node: string | null, signal: AbortSignal): Promise<void> {
    const key = podKey(pod)
    // On its way already: to write a thousand pods five times would use up the rate of calls.
    if (node !== null && this.#written.get(key) === node) return
    const body = { metadata: { uid: pod.metadata.uid }, status: { nominatedNodeName: node } }
    if (node === null) this.#written.delete(key)
    else this.#written.set(key, node)
    try {
      await this.#client.patch(kinds.Pod, refOf(key), { type: 'merge', body }, { subresource: 'status', signal })
      if (this.#refusal.allowed()) this.#log.info('pods are nominated for their nodes again')
    } catch (error) {
      this.#written.delete(key)
      if (error instanceof ApiError && error.code === 403) {
        if (this.#refusal.refused()) {
          this.#log.info('pods are not nominated for their nodes: the role does not allow to patch pods/status')
        }
        return
      }
      // Invalid: the pod was bound meanwhile, and a bound pod may not be nominated.
      if (!isNotFound(error) && !isConflict(error) && !isInvalid(error)) throw error
    }
  }
}
