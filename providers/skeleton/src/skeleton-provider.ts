import {
  capacityTypes,
  formatResources,
  LabelVocabulary,
  labels,
  type NodeClaim,
  type NodePool,
  noVocabulary,
  parseResources,
} from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import {
  allocatableOf,
  areCompatible,
  type CloudProvider,
  CreateError,
  fits,
  type InstanceView,
  InsufficientCapacityError,
  NodeClaimNotFoundError,
  type ProviderContext,
  singleValues,
  usableOfferings,
} from '@kerf/provider-contract'
import { instanceGarbageCollection, NodeClasses } from '@kerf/provider-kit'
import type { Controller } from '@kerf/runtime'
import { instanceTypes } from './instance-types.ts'
import { type Instance, NoSuchInstanceError, type SkeletonCalls } from './skeleton-calls.ts'
import { type SkeletonNodeClass, skeletonNodeClass } from './skeleton-node-class.ts'

export const PROVIDER_ID_PREFIX = 'skeleton:///'
/** The tags of an instance, set at its launch. */
export const TAG = { owner: 'kerf', claim: 'nodeclaim', uid: 'nodeclaim-uid', pool: 'nodepool' } as const
const OWN = [TAG.owner, 'owned'] as const

export class SkeletonProvider implements CloudProvider {
  readonly name = 'skeleton'
  readonly nodeClasses = [skeletonNodeClass.kind]
  readonly vocabulary = new LabelVocabulary(noVocabulary)
  readonly repairPolicies = [{ conditionType: 'Ready', conditionStatus: 'False', toleration: 1_800_000 }] as const
  readonly #context: ProviderContext
  readonly #calls: SkeletonCalls
  readonly #classes: NodeClasses<SkeletonNodeClass>

  constructor(context: ProviderContext, calls: SkeletonCalls) {
    this.#context = context
    this.#calls = calls
    this.#classes = new NodeClasses(context, skeletonNodeClass.kind, { provider: this.name, withoutReady: 'unknown' })
  }

  async create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    const { name } = claim.metadata
    await this.#classes.toLaunch(claim, signal)
    if (this.#options(claim).length === 0)
      throw new InsufficientCapacityError(`no instance type is what nodeclaim ${name} asks for`)
    throw new CreateError('NotWrittenYet', 'the skeleton launches nothing: docs/providers.md says how to go on')
  }

  async delete(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const instance = await this.#instance(claim.status?.providerID ?? '', signal)
    if (instance.state === 'running') await this.#calls.stop(instance.id, signal)
  }

  async get(providerID: string, signal: AbortSignal): Promise<InstanceView> {
    if (!providerID.startsWith(PROVIDER_ID_PREFIX)) throw new Error(`"${providerID}" is not of this cloud`)
    return viewOf(await this.#instance(providerID, signal))
  }

  async list(signal: AbortSignal): Promise<readonly InstanceView[]> {
    return (await this.#calls.list(OWN, signal)).map(viewOf)
  }

  async instanceTypes(pool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]> {
    await this.#classes.ofPool(pool, signal)
    return instanceTypes()
  }

  async isDrifted(): Promise<string | undefined> {
    return undefined
  }

  controllers(): readonly Controller[] {
    return [
      instanceGarbageCollection({
        ...this.#context,
        name: 'instance.garbagecollection',
        list: (signal) => this.list(signal),
        terminate: ({ providerID }, signal) => this.#calls.stop(idOf(providerID), signal),
      }),
    ]
  }

  /** Returns every way to satisfy the claim, the cheapest first. */
  #options({ spec }: NodeClaim) {
    const requests = parseResources(spec.resources?.requests)
    return instanceTypes()
      .filter((type) => areCompatible(spec.requirements, type.requirements) && fits(requests, allocatableOf(type)))
      .flatMap((type) => usableOfferings(type, spec.requirements).map((offering) => ({ type, offering })))
  }

  /** Returns an instance of this cluster. Instances of other clusters count as missing, whatever a claim says. */
  async #instance(providerID: string, signal: AbortSignal): Promise<Instance> {
    const id = idOf(providerID)
    const instance = await this.#calls.describe(id, signal).catch((error: unknown) => {
      if (error instanceof NoSuchInstanceError) throw new NodeClaimNotFoundError(`${id} is gone`, { cause: error })
      throw error
    })
    if (instance.tags[OWN[0]] !== OWN[1]) throw new NodeClaimNotFoundError(`${id} is not owned by this cluster`)
    return instance
  }
}

const idOf = (providerID: string): string =>
  providerID.startsWith(PROVIDER_ID_PREFIX) ? providerID.slice(PROVIDER_ID_PREFIX.length) : ''

const viewOf = ({ id, type: name, zone, state, tags, createdAt }: Instance): InstanceView => {
  const type = instanceTypes().find((each) => each.name === name)
  const { [TAG.claim]: nodeClaimName = '', [TAG.uid]: nodeClaimUid = '', [TAG.pool]: nodePool = '' } = tags
  return {
    providerID: `${PROVIDER_ID_PREFIX}${id}`,
    ...{ nodeClaimName, nodeClaimUid, nodePool },
    labels: {
      ...(type === undefined ? {} : singleValues(type.requirements)),
      [labels.nodePool]: nodePool,
      [labels.zone]: zone,
      [labels.capacityType]: capacityTypes.onDemand,
    },
    annotations: {},
    capacity: type === undefined ? {} : formatResources(type.capacity),
    allocatable: type === undefined ? {} : formatResources(allocatableOf(type)),
    createdAt,
    ...(state === 'stopping' ? { deletionTimestamp: createdAt } : {}),
  }
}
