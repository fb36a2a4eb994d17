import type { Filter, Image } from '@aws-sdk/client-ec2'
import { type EC2NodeClass, labels, type Milliseconds, timeOf } from '@kerf/apis'
import type { InstanceType, RequirementSpec } from '@kerf/engine'
import { areCompatible } from '@kerf/provider-contract'
import { type Clock, type Logger, TtlCache } from '@kerf/runtime'
import { type Ec2Api, filterOf, tagFilters } from '../api/aws-api.ts'
import { awsFailureOf } from '../failures/aws-failure.ts'
import { type AmiAlias, amiAliasOf } from '../node-class/ami-family.ts'
import { aliasParameters, isMovingAlias, isNameOfAlias, unsupportedAlias, variantRequirements } from './image-alias.ts'
import { nodeClassKey } from './node-class-key.ts'
import type { SsmParameters } from './ssm-parameters.ts'

/** A machine image as the status of a node class names it. */
export interface FoundImage {
  readonly id: string
  readonly name?: string
  readonly deprecated?: boolean
  readonly requirements: readonly RequirementSpec[]
}

/** The alias cannot lead to an image, however often it is asked. */
export class UnsupportedAliasError extends Error {
  override readonly name = 'UnsupportedAliasError'
}

/** AWS publishes no image of the alias for the version of Kubernetes: not any more, or not yet. */
export class AliasWithoutImagesError extends Error {
  override readonly name = 'AliasWithoutImagesError'
}

interface Query {
  readonly filters: readonly Filter[]
  readonly owners?: readonly string[]
  /** Sets of requirements by image, for images that are known to serve several kinds of types. */
  readonly known?: ReadonlyMap<string, readonly (readonly RequirementSpec[])[]>
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x86_64: 'amd64', arm64: 'arm64' }

interface Candidate {
  readonly image: FoundImage
  readonly created: string
}

/** Not deprecated, then newer, then the greater name. */
const isBetter = (a: Candidate, b: Candidate): boolean => {
  if ((a.image.deprecated ?? false) !== (b.image.deprecated ?? false)) return b.image.deprecated ?? false
  if (a.created !== b.created) return a.created > b.created
  return (a.image.name ?? '') > (b.image.name ?? '')
}

/** By the length of the key, then by the key, as the status lists them (`docs/spec/aws-node-class.md#status`). */
const inOrder = (requirements: readonly RequirementSpec[]): readonly RequirementSpec[] =>
  requirements.toSorted((a, b) => a.key.length - b.key.length || (a.key < b.key ? -1 : 1))

/** The same for images that serve the same kind of instance types. */
const kindOf = ({ requirements }: FoundImage): string =>
  JSON.stringify(inOrder(requirements).map(({ key, operator, values = [] }) => [key, operator, values]))

/** The machine images of node classes (`docs/spec/aws.md#images`). */
export class Images {
  readonly #ec2: Ec2Api
  readonly #parameters: SsmParameters
  readonly #clock: Clock
  readonly #log: Logger
  readonly #found: TtlCache<string, readonly FoundImage[]>

  constructor(
    parts: { readonly ec2: Ec2Api; readonly parameters: SsmParameters; readonly clock: Clock; readonly log: Logger },
    options: { readonly refreshInterval: Milliseconds },
  ) {
    this.#ec2 = parts.ec2
    this.#parameters = parts.parameters
    this.#clock = parts.clock
    this.#log = parts.log
    this.#found = new TtlCache(parts.clock, { ttl: options.refreshInterval })
  }

  /**
   * The images that the class selects: for each kind of instance type the best one, the newest first. A kind whose
   * parameter may not be read keeps the image that the status names.
   *
   * @throws UnsupportedAliasError for an alias that the version of Kubernetes never has images for, AliasWithoutImagesError
   *   for one that it has none for now.
   */
  async find(nodeClass: EC2NodeClass, kubernetesVersion: string, signal: AbortSignal): Promise<readonly FoundImage[]> {
    const key = `${nodeClassKey(nodeClass)}-${kubernetesVersion}`
    const known = this.#found.get(key)
    if (known !== undefined) return known
    const best = new Map<string, Candidate>()
    const { queries, isPartial } = await this.#queries(nodeClass, kubernetesVersion, signal)
    for (const query of queries) {
      for (const image of await this.#ec2.describeImages(query, signal)) {
        for (const candidate of this.#candidates(image, query)) {
          const kind = kindOf(candidate.image)
          const before = best.get(kind)
          if (before === undefined || isBetter(candidate, before)) best.set(kind, candidate)
        }
      }
    }
    const told = [...best.values()]
      .toSorted((a, b) =>
        a.created === b.created ? (a.image.id < b.image.id ? -1 : 1) : a.created > b.created ? -1 : 1,
      )
      .map(({ image }) => image)
    const kept = isPartial ? imagesOfAlias(nodeClass).filter((image) => !best.has(kindOf(image))) : []
    const found = [...told, ...kept]
    if (found.length > 0) this.#found.set(key, found)
    return found
  }

  /** Those of the images that EC2 calls deprecated, and those that are gone. */
  async deprecated(ids: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set()
    const filters = [filterOf('image-id', ...new Set(ids)), filterOf('state', 'available')]
    const images = await this.#ec2.describeImages({ filters }, signal)
    const current = new Set(
      images.filter((image) => !this.#isPast(image.DeprecationTime)).map(({ ImageId }) => ImageId),
    )
    return new Set(ids.filter((id) => !current.has(id)))
  }

  /** The next question asks AWS again. */
  clear(): void {
    this.#found.clear()
  }

  #isPast(time: string | undefined): boolean {
    const at = timeOf(time)
    return at !== undefined && at <= this.#clock.now()
  }

  #candidates(image: Image, { known }: Query): readonly Candidate[] {
    const { ImageId: id, Name: name, Architecture: architecture = '', CreationDate: created = '' } = image
    const arch = ARCHITECTURES[architecture]
    if (id === undefined || arch === undefined) return []
    const deprecated = this.#isPast(image.DeprecationTime)
    return (known?.get(id) ?? [[]]).map((requirements) => ({
      created,
      image: {
        id,
        ...(name === undefined ? {} : { name }),
        ...(deprecated ? { deprecated } : {}),
        requirements: inOrder([...requirements, { key: labels.arch, operator: 'In', values: [arch] }]),
      },
    }))
  }

  async #queries(
    nodeClass: EC2NodeClass,
    kubernetesVersion: string,
    signal: AbortSignal,
  ): Promise<{ readonly queries: readonly Query[]; readonly isPartial: boolean }> {
    const available = filterOf('state', 'available')
    const alias = amiAliasOf(nodeClass.spec)
    if (alias !== undefined) {
      const { images: known, isPartial } = await this.#imagesOfAlias(alias, kubernetesVersion, signal)
      if (known.size === 0)
        throw new AliasWithoutImagesError(
          `AWS publishes no image of ${alias.family} in version ${alias.version} for Kubernetes ${kubernetesVersion}`,
        )
      return { queries: [{ filters: [filterOf('image-id', ...known.keys()), available], known }], isPartial }
    }
    const ids: string[] = []
    const queries: Query[] = []
    for (const { id, ssmParameter, name, owner, tags } of nodeClass.spec.amiSelectorTerms) {
      if (id !== undefined) ids.push(id)
      else if (ssmParameter !== undefined) {
        const value = await this.#ownParameter(ssmParameter, signal)
        if (value !== undefined) ids.push(value)
      } else {
        const filters = [...(name === undefined ? [] : [filterOf('name', name)]), ...tagFilters(tags ?? {}), available]
        const owners = owner === undefined ? (name === undefined ? undefined : ['self', 'amazon']) : [owner]
        queries.push({ filters, ...(owners === undefined ? {} : { owners }) })
      }
    }
    const byId = ids.length === 0 ? [] : [{ filters: [filterOf('image-id', ...ids), available] }]
    return { queries: [...byId, ...queries], isPartial: false }
  }

  /**
   * Requirements by image id. Parameters that are not there are left out: not every version has every variant. One that
   * could not be read is no parameter that is not there: then the answer is partial, or what AWS said is thrown.
   */
  async #imagesOfAlias(
    alias: AmiAlias,
    kubernetesVersion: string,
    signal: AbortSignal,
  ): Promise<{
    readonly images: ReadonlyMap<string, readonly (readonly RequirementSpec[])[]>
    readonly isPartial: boolean
  }> {
    const problem = unsupportedAlias(alias, kubernetesVersion)
    if (problem !== undefined) throw new UnsupportedAliasError(problem)
    const images = new Map<string, (readonly RequirementSpec[])[]>()
    const failures: unknown[] = []
    const parameters = aliasParameters(alias, kubernetesVersion)
    for (const { name, variants } of parameters) {
      try {
        const id = await this.#parameters.get(name, isMovingAlias(alias) ? 'latest' : 'pinned', signal)
        if (id === undefined) continue
        const sets = images.get(id) ?? []
        images.set(id, [...sets, ...variants.map((variant) => variantRequirements(variant, alias.family))])
      } catch (error) {
        signal.throwIfAborted()
        failures.push(error)
        const { class: kind, code } = awsFailureOf(error)
        if (kind !== 'not-found') this.#log.warn('cannot read the parameter of an image', { parameter: name, code })
      }
    }
    const unread = failures.filter((error) => awsFailureOf(error).class !== 'not-found')
    const [first] = unread
    if (first === undefined) return { images, isPartial: false }
    // A policy may name some of the parameters only, and that does not pass by itself.
    const arePermissions = unread.every((error) => awsFailureOf(error).class === 'unauthorized')
    if (images.size === 0 || !arePermissions) throw first
    return { images, isPartial: true }
  }

  async #ownParameter(name: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      const value = await this.#parameters.get(name, 'own', signal)
      if (value?.startsWith('ami-') === true) return value
      this.#log.warn('the parameter does not hold the id of an image', { parameter: name })
    } catch (error) {
      if (awsFailureOf(error).class !== 'not-found') throw error
      this.#log.warn('the parameter of an image does not exist', { parameter: name })
    }
    return undefined
  }
}

/** The image that an instance type starts from: the first, in the order of the status, that is made for it. */
export const imageFor = (
  type: Pick<InstanceType, 'requirements'>,
  images: readonly FoundImage[],
): FoundImage | undefined => images.find(({ requirements }) => areCompatible(requirements, type.requirements))

const OPERATORS: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'])
const isOperator = (text: string): text is RequirementSpec['operator'] => OPERATORS.has(text)

/** The images that the status of a node class names; launches go by these, not by fresh look-ups. */
export const imagesOf = ({ status }: Pick<EC2NodeClass, 'status'>): readonly FoundImage[] =>
  (status?.amis ?? []).map((image) => ({
    ...image,
    requirements: image.requirements.flatMap(({ key, operator, values }) =>
      isOperator(operator) ? [{ key, operator, ...(values === undefined ? {} : { values }) }] : [],
    ),
  }))

/** The images of the status that are of the alias of the class as it is written now, by the names that AWS gives them. */
export const imagesOfAlias = (nodeClass: Pick<EC2NodeClass, 'spec' | 'status'>): readonly FoundImage[] => {
  const alias = amiAliasOf(nodeClass.spec)
  return alias === undefined ? [] : imagesOf(nodeClass).filter(({ name }) => isNameOfAlias(name ?? '', alias))
}
