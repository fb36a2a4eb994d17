import type { Quantity } from '@kerf/apis'
import { type Clock, TtlCache } from '@kerf/runtime'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'

const SIXTY_DAYS = 60 * 86_400_000

/** Returns the ids of the node class's images, for the cache key. The memory may differ by image. */
const imagesKey = (nodeClass: Pick<EC2NodeClass, 'status'>): string =>
  (nodeClass.status?.amis ?? [])
    .map(({ id }) => id)
    .toSorted()
    .join(',')

/** The memory that nodes have reported. It replaces the estimate (`providers/aws/docs/spec/aws-controllers.md#discovered-capacity`). */
export class DiscoveredMemory {
  readonly #known: TtlCache<string, Quantity>
  #sequence = 0

  constructor(clock: Clock) {
    this.#known = new TtlCache(clock, { ttl: SIXTY_DAYS })
  }

  /** A number that changes whenever a discovered amount of memory changes. */
  get sequence(): number {
    return this.#sequence
  }

  get(nodeClass: Pick<EC2NodeClass, 'status'>, typeName: string): Quantity | undefined {
    return this.#known.get(`${typeName}/${imagesKey(nodeClass)}`)
  }

  /** Records how much memory a node of the instance type has. Keeps the smallest amount, because instances of one type differ slightly. */
  observe(nodeClass: Pick<EC2NodeClass, 'status'>, typeName: string, memory: Quantity): void {
    const key = `${typeName}/${imagesKey(nodeClass)}`
    const known = this.#known.get(key)
    if (known !== undefined && memory > known) return
    this.#known.set(key, memory)
    if (memory !== known) this.#sequence++
  }
}
