import { kinds } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import { ignoreGone, runningPod } from '../../../../tests/integration/kubelets/kubelet-status.ts'

/** Runs the pods that are bound to Nodes without a kubelet: they become ready immediately and end when they are deleted. */
export class BoundPods {
  readonly #client: KubeClient
  readonly #plays: (node: string) => boolean
  readonly #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()

  /** @param plays returns whether this object simulates the kubelet of the node */
  constructor(client: KubeClient, plays: (node: string) => boolean) {
    this.#client = client
    this.#plays = plays
  }

  start(every = 300): void {
    this.#running = this.#loop(every)
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #loop(every: number): Promise<void> {
    while (!this.#stop.signal.aborted) {
      try {
        await this.#look()
      } catch (error) {
        if (!this.#stop.signal.aborted) process.stderr.write(`bound pods: ${String(error)}\n`)
      }
      await new Promise((resolve) => setTimeout(resolve, every))
    }
  }

  async #look(): Promise<void> {
    for (const pod of (await this.#client.list(kinds.Pod)).items) {
      if (!this.#plays(pod.spec.nodeName ?? '')) continue
      const { name, namespace = 'default', deletionTimestamp } = pod.metadata
      const ref = { name, namespace }
      if (deletionTimestamp !== undefined) {
        await this.#client.delete(kinds.Pod, ref, { gracePeriodSeconds: 0 }).catch(ignoreGone)
      } else if (pod.status?.phase !== 'Running') {
        const body = { status: runningPod(pod, Date.now()) }
        await this.#client.patch(kinds.Pod, ref, { type: 'merge', body }, { subresource: 'status' }).catch(ignoreGone)
      }
    }
  }
}
