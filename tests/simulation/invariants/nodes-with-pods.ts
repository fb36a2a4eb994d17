import type { NodeClaim } from '@kerf/apis'
import type { Environment } from '../environment/environment.ts'
import { isOfDaemonSet } from './daemon-pods.ts'

/** The annotation that names the owners for whose expected pods a NodeClaim was launched. */
export const LAUNCHED_FOR = 'kerf.sh/launched-for'

/** Records which nodes ever had a pod that does not belong to a DaemonSet. */
export class NodesWithPods {
  readonly #environment: Environment
  readonly #used = new Set<string>()

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** Records the current state. Must be called whenever an object has changed. */
  note(): void {
    for (const pod of this.#environment.pods())
      if (pod.spec.nodeName !== undefined && !isOfDaemonSet(pod)) this.#used.add(pod.spec.nodeName)
  }

  /** Reports whether a pod was ever bound to the node of the NodeClaim. */
  hasHadPods({ status }: NodeClaim): boolean {
    return status?.nodeName !== undefined && this.#used.has(status.nodeName)
  }
}
