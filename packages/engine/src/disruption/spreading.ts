/** Amounts in billionths, by resource name. */
type Amounts = ReadonlyMap<string, bigint>

/** A node that pods may be placed on. */
export interface SpreadTarget {
  /** The allocatable capacity for pods. */
  readonly allocatable: Amounts
  /** The amounts that are already in use. */
  readonly used: Amounts
}

/** The resources that kube-scheduler uses to score nodes, with equal weight. */
const SCORED = ['cpu', 'memory'] as const

class Filling {
  readonly #allocatable: Amounts
  readonly #used: Map<string, bigint>

  constructor({ allocatable, used }: SpreadTarget) {
    this.#allocatable = allocatable
    this.#used = new Map(used)
  }

  #free(name: string): bigint {
    return (this.#allocatable.get(name) ?? 0n) - (this.#used.get(name) ?? 0n)
  }

  holds(pod: Amounts): boolean {
    return pod.entries().every(([name, amount]) => amount <= this.#free(name))
  }

  /** Returns the sum of the node's free fractions of the scored resources, after the pod is added. */
  scoreWith(pod: Amounts): number {
    return SCORED.reduce((sum, name) => {
      const all = Number(this.#allocatable.get(name) ?? 0n)
      return all === 0 ? sum : sum + Number(this.#free(name) - (pod.get(name) ?? 0n)) / all
    }, 0)
  }

  add(pod: Amounts): void {
    for (const [name, amount] of pod) this.#used.set(name, (this.#used.get(name) ?? 0n) + amount)
  }
}

const size = (pod: Amounts): bigint => pod.get('cpu') ?? 0n

/**
 * Returns whether all pods fit if each pod goes to the node with the largest free fraction, which is kube-scheduler's default
 * (NodeResourcesFit with LeastAllocated). kube-scheduler therefore fills the newest and emptiest node first, but a tight plan relies on
 * small free amounts on other nodes. The smallest pods are placed first, which leaves the least capacity for the largest pods. Only amounts
 * are compared.
 */
export const fitSpread = (pods: readonly Amounts[], targets: readonly SpreadTarget[]): boolean => {
  const nodes = targets.map((target) => new Filling(target))
  const order = pods.toSorted((a, b) => (size(a) < size(b) ? -1 : size(a) > size(b) ? 1 : 0))
  return order.every((pod) => {
    let best: Filling | undefined
    for (const node of nodes) {
      if (node.holds(pod) && (best === undefined || node.scoreWith(pod) > best.scoreWith(pod))) best = node
    }
    best?.add(pod)
    return best !== undefined
  })
}
