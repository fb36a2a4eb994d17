import type { Taint } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import type { DeclaredPrices } from '@kerf/provider-contract'
import type { UnavailableOfferings } from '@kerf/provider-kit'
import { textOfThrown } from '@kerf/runtime'
import { type OciType, ociTypes, type TypeSettings } from '../instance-types/instance-types.ts'
import type { ResolvedClass } from '../node-class/resolved-class.ts'
import { ociErrors } from '../oci-errors.ts'
import type { ShapePrices } from '../prices/shape-prices.ts'
import type { ImageChoice } from './image-choice.ts'
import type { OfferedShapes, RegionShapes } from './offered-shapes.ts'
import type { ReservedSizes } from './reserved-sizes.ts'

export interface TypeResolverDeps {
  readonly region: string
  readonly settings: TypeSettings
  readonly offered: OfferedShapes
  readonly reserved: ReservedSizes
  readonly images: ImageChoice
  readonly prices: Pick<ShapePrices, 'rates' | 'sequence'>
  readonly unavailable: UnavailableOfferings
  readonly declared: DeclaredPrices
}

interface Known {
  readonly key: string
  readonly offered: RegionShapes
  readonly types: readonly OciType[]
  readonly plain: readonly InstanceType[]
}

/** Returns the instance types of node classes. Returns the same list until one of its inputs changes. */
export class TypeResolver {
  readonly #deps: TypeResolverDeps
  readonly #known = new Map<string, Known>()
  readonly #marked = new WeakMap<readonly InstanceType[], readonly OciType[]>()

  constructor(deps: TypeResolverDeps) {
    this.#deps = deps
  }

  /**
   * Returns the instance types for nodes of a class, with the declared prices. Offerings that recently could not be launched are
   * unavailable.
   *
   * @param taints the taints of the NodePool or NodeClaim. With an OCINodeClass, some shapes and capacity types require one.
   * @throws KerfError `NoOciData` until Oracle Cloud has responded once
   */
  async resolve(nodeClass: ResolvedClass, taints: readonly Taint[], signal: AbortSignal): Promise<readonly OciType[]> {
    const { types, plain } = await this.#read(nodeClass, taints, signal)
    const { unavailable, declared } = this.#deps
    const marked = declared.apply(unavailable.applyTo(plain))
    if (marked === plain) return types
    const known = this.#marked.get(marked) ?? types.map(({ size, type }, at) => ({ size, type: marked[at] ?? type }))
    this.#marked.set(marked, known)
    return known
  }

  async #read(nodeClass: ResolvedClass, taints: readonly Taint[], signal: AbortSignal): Promise<Known> {
    const { region, settings, reserved, images, prices } = this.#deps
    const offered = await this.#offered(signal)
    const sizes = await reserved.read(nodeClass, signal)
    const name = JSON.stringify([nodeClass.upstream, nodeClass.name, taints])
    const key = JSON.stringify([nodeClass, [...sizes], prices.sequence])
    const known = this.#known.get(name)
    if (known !== undefined && known.offered === offered && known.key === key) return known
    const offeredTypes = ociTypes(
      offered.shapes.values(),
      nodeClass,
      taints,
      {
        region,
        zones: (shape) => offered.zones.get(shape) ?? [],
        rates: (shape) => prices.rates(shape),
        reservedSizes: (id) => sizes.get(id) ?? [],
      },
      settings,
    )
    const types = await this.#bootable(images, nodeClass, offeredTypes, signal)
    const fresh = { key, offered, types, plain: types.map(({ type }) => type) }
    this.#known.set(name, fresh)
    return fresh
  }

  async #bootable(
    images: ImageChoice,
    nodeClass: ResolvedClass,
    types: readonly OciType[],
    signal: AbortSignal,
  ): Promise<readonly OciType[]> {
    try {
      return await images.applyTo(nodeClass, types, signal)
    } catch (error) {
      signal.throwIfAborted()
      throw ociErrors.NoOciData({ what: 'the shapes of the images', problem: textOfThrown(error) }, { cause: error })
    }
  }

  async #offered(signal: AbortSignal): Promise<RegionShapes> {
    try {
      return await this.#deps.offered.read(signal)
    } catch (error) {
      signal.throwIfAborted()
      throw ociErrors.NoOciData({ what: 'shapes', problem: textOfThrown(error) }, { cause: error })
    }
  }
}
