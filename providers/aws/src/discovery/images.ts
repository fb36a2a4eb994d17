import type { Filter, Image } from '@aws-sdk/client-ec2'
import { labels, type Milliseconds, parseTime } from '@kerf/apis'
import type { InstanceType, RequirementSpec } from '@kerf/engine'
import { areCompatible } from '@kerf/provider-contract'
import { nodeClassKey } from '@kerf/provider-kit'
import { type Clock, type Logger, TtlCache } from '@kerf/runtime'
import { type Ec2Api, ec2Filter, tagFilters } from '../api/aws-api.ts'
import { classifyAwsFailure } from '../failures/aws-failure.ts'
import { type AmiAlias, nodeClassAmiAlias } from '../node-class/ami-family.ts'
import type { EC2NodeClass } from '../node-class/ec2-node-class.ts'
import { aliasParameters, isMovingAlias, isNameOfAlias, unsupportedAlias, variantRequirements } from './image-alias.ts'
import type { SsmParameters } from './ssm-parameters.ts'

/** A machine image in the form of the node class status. */
export interface FoundImage {
  readonly id: string
  readonly name?: string
  readonly deprecated?: boolean
  readonly requirements: readonly RequirementSpec[]
}

/** Thrown if the alias can never have images for the Kubernetes version. Retrying does not help. */
export class UnsupportedAliasError extends Error {
  override readonly name = 'UnsupportedAliasError'
}

/** Thrown if AWS publishes no image of the alias for the Kubernetes version. The images were removed, or are not published yet. */
export class AliasWithoutImagesError extends Error {
  override readonly name = 'AliasWithoutImagesError'
}

interface Query {
  readonly filters: readonly Filter[]
  readonly owners?: readonly string[]
  /** Requirement sets by image id, for images that are known to support several kinds of instance types. */
  readonly known?: ReadonlyMap<string, readonly (readonly RequirementSpec[])[]>
}

const ARCHITECTURES: Readonly<Record<string, string>> = { x86_64: 'amd64', arm64: 'arm64' }

interface Candidate {
  readonly image: FoundImage
  readonly created: string
}

/** Compares two images. Images that are not deprecated come first, then newer images, then images with the greater name. */
const isBetter = (a: Candidate, b: Candidate): boolean => {
  if ((a.image.deprecated ?? false) !== (b.image.deprecated ?? false)) return b.image.deprecated ?? false
  if (a.created !== b.created) return a.created > b.created
  return (a.image.name ?? '') > (b.image.name ?? '')
}

/**
 * Sorts requirements by the length of their key, then by the key. This is their order in the status
 * (`providers/aws/docs/spec/aws-node-class.md#status`).
 */
const inOrder = (requirements: readonly RequirementSpec[]): readonly RequirementSpec[] =>
  requirements.toSorted((a, b) => a.key.length - b.key.length || (a.key < b.key ? -1 : 1))

/** Returns a key that is equal for images that support the same kind of instance types. */
const requirementsText = ({ requirements }: FoundImage): string =>
  JSON.stringify(inOrder(requirements).map(({ key, operator, values = [] }) => [key, operator, values]))

/** Finds the machine images of node classes (`providers/aws/docs/spec/aws.md#images`). */
export class Images {
  readonly #ec2: Ec2Api
  readonly #parameters: SsmParameters
  readonly #clock: Clock
  readonly #log: Logger
  readonly #found: TtlCache<string, readonly FoundImage[]>

  constructor(
    deps: { readonly ec2: Ec2Api; readonly parameters: SsmParameters; readonly clock: Clock; readonly log: Logger },
    options: { readonly refreshInterval: Milliseconds },
  ) {
    this.#ec2 = deps.ec2
    this.#parameters = deps.parameters
    this.#clock = deps.clock
    this.#log = deps.log
    this.#found = new TtlCache(deps.clock, { ttl: options.refreshInterval })
  }

  /**
   * Returns the images that the node class selects: the best image for each kind of instance type, sorted from newest to oldest. If Kerf is
   * not allowed to read the parameter of a kind, it keeps that kind's image from the status.
   * @throws UnsupportedAliasError if the alias never has images for the Kubernetes version, AliasWithoutImagesError if it has none at the
   * moment.
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
          const kind = requirementsText(candidate.image)
          const before = best.get(kind)
          if (before === undefined || isBetter(candidate, before)) best.set(kind, candidate)
        }
      }
    }
    const newest = [...best.values()]
      .toSorted((a, b) =>
        a.created === b.created ? (a.image.id < b.image.id ? -1 : 1) : a.created > b.created ? -1 : 1,
      )
      .map(({ image }) => image)
    const kept = isPartial ? imagesOfAlias(nodeClass).filter((image) => !best.has(requirementsText(image))) : []
    const found = [...newest, ...kept]
    if (found.length > 0) this.#found.set(key, found)
    return found
  }

  /** Returns the ids of the images that are deprecated or gone. */
  async deprecated(ids: readonly string[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set()
    const filters = [ec2Filter('image-id', ...new Set(ids)), ec2Filter('state', 'available')]
    const images = await this.#ec2.describeImages({ filters }, signal)
    const current = new Set(
      images.filter((image) => !this.#isPast(image.DeprecationTime)).map(({ ImageId }) => ImageId),
    )
    return new Set(ids.filter((id) => !current.has(id)))
  }

  /** Clears the cache, so that the next request reads from AWS. */
  clear(): void {
    this.#found.clear()
  }

  #isPast(time: string | undefined): boolean {
    const at = parseTime(time)
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
    const available = ec2Filter('state', 'available')
    const alias = nodeClassAmiAlias(nodeClass.spec)
    if (alias !== undefined) {
      const { images: known, isPartial } = await this.#imagesOfAlias(alias, kubernetesVersion, signal)
      if (known.size === 0)
        throw new AliasWithoutImagesError(
          `AWS publishes no image of ${alias.family} in version ${alias.version} for Kubernetes ${kubernetesVersion}`,
        )
      return { queries: [{ filters: [ec2Filter('image-id', ...known.keys()), available], known }], isPartial }
    }
    const ids: string[] = []
    const queries: Query[] = []
    for (const { id, ssmParameter, name, owner, tags } of nodeClass.spec.amiSelectorTerms) {
      if (id !== undefined) ids.push(id)
      else if (ssmParameter !== undefined) {
        const value = await this.#ownParameter(ssmParameter, signal)
        if (value !== undefined) ids.push(value)
      } else {
        const filters = [...(name === undefined ? [] : [ec2Filter('name', name)]), ...tagFilters(tags ?? {}), available]
        const owners = owner === undefined ? (name === undefined ? undefined : ['self', 'amazon']) : [owner]
        queries.push({ filters, ...(owners === undefined ? {} : { owners }) })
      }
    }
    const byId = ids.length === 0 ? [] : [{ filters: [ec2Filter('image-id', ...ids), available] }]
    return { queries: [...byId, ...queries], isPartial: false }
  }

  /**
   * Returns requirement sets by image id. Leaves out parameters that do not exist, because not every version has every variant. If Kerf is
   * not allowed to read some parameters, the result is partial. Throws any other failure.
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
        const { class: kind, code } = classifyAwsFailure(error)
        if (kind !== 'not-found') this.#log.warn('cannot read the SSM parameter of an image', { parameter: name, code })
      }
    }
    const unread = failures.filter((error) => classifyAwsFailure(error).class !== 'not-found')
    const [first] = unread
    if (first === undefined) return { images, isPartial: false }
    // A policy may allow Kerf to read only some of the parameters. A retry does not help until the policy changes, so the result is
    // partial.
    const arePermissions = unread.every((error) => classifyAwsFailure(error).class === 'unauthorized')
    if (images.size === 0 || !arePermissions) throw first
    return { images, isPartial: true }
  }

  async #ownParameter(name: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      const value = await this.#parameters.get(name, 'own', signal)
      if (value?.startsWith('ami-') === true) return value
      this.#log.warn('the SSM parameter does not contain an image ID', { parameter: name })
    } catch (error) {
      if (classifyAwsFailure(error).class !== 'not-found') throw error
      this.#log.warn('the SSM parameter of an image does not exist', { parameter: name })
    }
    return undefined
  }
}

/** Returns the first image, in the order of the status, whose requirements match the instance type. */
export const imageFor = (
  type: Pick<InstanceType, 'requirements'>,
  images: readonly FoundImage[],
): FoundImage | undefined => images.find(({ requirements }) => areCompatible(requirements, type.requirements))

const OPERATORS: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'])
const isOperator = (text: string): text is RequirementSpec['operator'] => OPERATORS.has(text)

/** Returns the images in the status of a node class. Launches use these images and do not look them up again. */
export const nodeClassImages = ({ status }: Pick<EC2NodeClass, 'status'>): readonly FoundImage[] =>
  (status?.amis ?? []).map((image) => ({
    ...image,
    requirements: image.requirements.flatMap(({ key, operator, values }) =>
      isOperator(operator) ? [{ key, operator, ...(values === undefined ? {} : { values }) }] : [],
    ),
  }))

/** Returns the images in the status that belong to the current alias of the node class, recognised by their names. */
export const imagesOfAlias = (nodeClass: Pick<EC2NodeClass, 'spec' | 'status'>): readonly FoundImage[] => {
  const alias = nodeClassAmiAlias(nodeClass.spec)
  return alias === undefined ? [] : nodeClassImages(nodeClass).filter(({ name }) => isNameOfAlias(name ?? '', alias))
}
