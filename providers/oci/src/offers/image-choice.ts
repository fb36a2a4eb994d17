import type { Milliseconds } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import { areCompatible } from '@kerf/provider-contract'
import { ReadCache } from '@kerf/provider-kit'
import type { Clock } from '@kerf/runtime'
import type { OciApi } from '../api/oci-api.ts'
import type { OciType } from '../instance-types/instance-types.ts'
import type { ResolvedClass } from '../node-class/resolved-class.ts'

const HOUR: Milliseconds = 3_600_000
const REFUSED_FOR: Milliseconds = 5_000

const withoutOfferings = ({ type, size }: OciType): OciType => ({
  size,
  type: { ...type, offerings: type.offerings.map((offering) => ({ ...offering, available: false })) },
})

/** Chooses the image for an instance type among the images of a class. */
export class ImageChoice {
  readonly #api: Pick<OciApi, 'shapesOfImage'>
  readonly #shapes: ReadCache<ReadonlySet<string>>

  constructor(api: Pick<OciApi, 'shapesOfImage'>, clock: Clock) {
    this.#api = api
    this.#shapes = new ReadCache(clock, { ttl: HOUR, refusedFor: REFUSED_FOR })
  }

  /** Returns the images of the class that the type can boot, the preferred image first. */
  async fitting(
    { images, upstream }: ResolvedClass,
    type: InstanceType,
    shape: string,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const admitted = images
      .filter(({ requirements }) => areCompatible(requirements, type.requirements))
      .map(({ id }) => id)
    if (upstream === 'community') return admitted
    // The images of an OCINodeClass have no requirements, so Kerf must ask Oracle Cloud which shapes can boot them.
    const fitting: string[] = []
    for (const id of admitted) if ((await this.#read(id, signal)).has(shape)) fitting.push(id)
    return fitting
  }

  /**
   * Returns the types. If a type can boot no image of the class, its offerings become unavailable, so that Kerf plans no pods for it. If
   * the class has no images yet, the types are unchanged.
   */
  async applyTo(nodeClass: ResolvedClass, types: readonly OciType[], signal: AbortSignal): Promise<readonly OciType[]> {
    if (nodeClass.images.length === 0) return types
    const applied: OciType[] = []
    for (const each of types) {
      const [image] = await this.fitting(nodeClass, each.type, each.size.facts.name, signal)
      applied.push(image === undefined ? withoutOfferings(each) : each)
    }
    return applied
  }

  #read(imageId: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    return this.#shapes.read(imageId, async (inner) => new Set(await this.#api.shapesOfImage(imageId, inner)), signal)
  }
}
