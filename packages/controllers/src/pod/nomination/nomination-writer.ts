import { isScheduled, kinds, type Milliseconds, type Pod } from '@kerf/apis'
import {
  ApiError,
  isConflict,
  isInvalid,
  isNotFound,
  type KubeClient,
  type Logger,
  parseKey,
  RefusedAction,
  type RefusedActionOptions,
} from '@kerf/runtime'
import { podKey } from '../pod-predicates.ts'

/** Returns the pod's `status.nominatedNodeName`, or an empty string. */
export const nominatedNode = (pod: Pod): string => pod.status?.nominatedNodeName ?? ''

/**
 * Writes `status.nominatedNodeName` of pods, and keeps the writes that the informer does not show yet. Upstream's role has no permission
 * for `pods/status`. If the API server forbids the write, logs this once and retries with back-off.
 */
export class NominationWriter {
  readonly #client: Pick<KubeClient, 'patch'>
  readonly #log: Logger
  /** The node names that are being written or were just written, keyed by pod (`namespace/name`). */
  readonly #written = new Map<string, string>()
  readonly #refusal: RefusedAction

  constructor(client: Pick<KubeClient, 'patch'>, log: Logger, deps: Omit<RefusedActionOptions, 'action'>) {
    this.#client = client
    this.#log = log
    const { clock, random, metrics } = deps
    this.#refusal = new RefusedAction({ clock, random, metrics, action: 'patch pods/status' })
  }

  /** How long the writer must wait after the API server forbade a write. 0 if it may write now. */
  get forbiddenFor(): Milliseconds {
    return this.#refusal.wait
  }

  /** Returns the keys of pods whose nomination for this Node was written but might not be in the informer yet. */
  writtenFor(node: string): readonly string[] {
    return [...this.#written].flatMap(([pod, name]) => (name === node ? [pod] : []))
  }

  /** Called when the informer shows a change or the deletion of a pod. */
  seen(key: string, pod: Pod | undefined): void {
    if (pod === undefined || isScheduled(pod) || nominatedNode(pod) === this.#written.get(key)) {
      this.#written.delete(key)
    }
  }

  /** Drops the recorded write for the pod, so that the nomination can be written again after kube-scheduler has cleared it. */
  forget(key: string): void {
    this.#written.delete(key)
  }

  /**
   * Nominates the pod for a Node, or removes the nomination if `node` is null. Ignores errors which mean that the pod has been bound or
   * deleted.
   */
  async write(pod: Pod, node: string | null, signal: AbortSignal): Promise<void> {
    const key = podKey(pod)
    // This nomination is already being written. If a thousand pods had a second write each, the writes would exhaust the client's rate
    // limit.
    if (node !== null && this.#written.get(key) === node) return
    const body = { metadata: { uid: pod.metadata.uid }, status: { nominatedNodeName: node } }
    if (node === null) this.#written.delete(key)
    else this.#written.set(key, node)
    try {
      await this.#client.patch(kinds.Pod, parseKey(key), { type: 'merge', body }, { subresource: 'status', signal })
      if (this.#refusal.allowed()) this.#log.info('nominating pods for their nodes works again')
    } catch (error) {
      this.#written.delete(key)
      if (error instanceof ApiError && error.code === 403) {
        if (this.#refusal.refused()) {
          this.#log.info('pods are not nominated for their nodes: the role does not allow patch on pods/status')
        }
        return
      }
      // 422 Invalid means that the pod has been bound, because only unbound pods can be nominated.
      if (!isNotFound(error) && !isConflict(error) && !isInvalid(error)) throw error
    }
  }
}
