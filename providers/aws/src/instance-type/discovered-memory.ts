import type { EC2NodeClass, Quantity } from '@kerf/apis'
import { type Clock, TtlCache } from '@kerf/runtime'

const SIXTY_DAYS = 60 * 86_400_000

/** The images of a class as part of a key: another image may leave another amount of memory. */
const imagesKey = (nodeClass: Pick<EC2NodeClass, 'status'>): string =>
  (nodeClass.status?.amis ?? [])
    .map(({ id }) => id)
    .toSorted()
    .join(',')

/**
 * Memory that nodes turned out to have, which takes the place of the estimate
 * (`docs/spec/aws-controllers.md#discovered-capacity`).
 */
export class DiscoveredMemory {
  readonly #known: TtlCache<string, Quantity>
  #sequence = 0

  constructor(clock: Clock) {
    this.#known = new TtlCache(clock, { ttl: SIXTY_DAYS })
  }

  /** Changes whenever an amount has. */
  get sequence(): number {
    return this.#sequence
  }

  get(nodeClass: Pick<EC2NodeClass, 'status'>, typeName: string): Quantity | undefined {
    return this.#known.get(`${typeName}/${imagesKey(nodeClass)}`)
  }

  /** A node of the type has this much. The smallest amount seen counts: instances of one type differ a little. */
  observe(nodeClass: Pick<EC2NodeClass, 'status'>, typeName: string, memory: Quantity): void {
    const key = `${typeName}/${imagesKey(nodeClass)}`
    const known = this.#known.get(key)
    if (known !== undefined && memory > known) return
    this.#known.set(key, memory)
    if (memory !== known) this.#sequence++
  }
}
