import { setTimeout } from 'node:timers/promises'
import { karpenterKinds, kinds } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'

const PODS_A_SECOND = 10
const EVENTS_EVERY = 2

/** The rate of changes: ten pods and one NodeClaim per second, and an Event every two seconds. */
export const changesInWords = '10 pods and 1 NodeClaim a second, 1 Event each 2 seconds'

/** Changes objects of a full cluster at a constant rate. Each run continues with the object numbers of the previous run. */
export class Changes {
  readonly #client: KubeClient
  readonly #nodes: number
  readonly #pods: number
  #second = 0

  constructor(client: KubeClient, nodes: number, pods: number) {
    this.#client = client
    this.#nodes = nodes
    this.#pods = pods
  }

  async during(milliseconds: number): Promise<void> {
    const end = performance.now() + milliseconds
    let due = performance.now()
    while (performance.now() < end) {
      await this.#oneSecond()
      due += 1_000
      await setTimeout(Math.max(0, due - performance.now()))
    }
  }

  async #oneSecond(): Promise<void> {
    const second = this.#second++
    const touched = { metadata: { labels: { touched: String(second) } } }
    const began = performance.now()
    for (let each = 0; each < PODS_A_SECOND; each++) {
      const name = `pod-${((second * PODS_A_SECOND + each) * 7) % this.#pods}`
      await this.#client.patch(kinds.Pod, { name, namespace: 'default' }, { type: 'merge', body: touched })
      await setTimeout(Math.max(0, began + (1_000 / PODS_A_SECOND) * (each + 1) - performance.now()))
    }
    const claim = `claim-node-${(second * 7) % this.#nodes}`
    await this.#client.patch(karpenterKinds.NodeClaim, { name: claim }, { type: 'merge', body: touched })
    if (second % EVENTS_EVERY === 0) await this.#reportAbout(claim, second)
  }

  async #reportAbout(claim: string, second: number): Promise<void> {
    const time = new Date().toISOString()
    await this.#client.create(kinds.Event, {
      ...{ apiVersion: 'v1', kind: 'Event', type: 'Normal', reason: 'Unconsolidatable', count: 1 },
      metadata: { name: `change-${second}`, namespace: 'default' },
      involvedObject: { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', name: claim },
      message: `Can't replace with a cheaper node (${second})`,
      source: { component: 'karpenter' },
      ...{ firstTimestamp: time, lastTimestamp: time },
    } as never)
  }
}
