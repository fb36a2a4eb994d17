import {
  capacityTypes,
  formatResources,
  LabelVocabulary,
  labels,
  type NodeClaim,
  type NodePool,
  noVocabulary,
} from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import {
  type CloudProvider,
  CreateError,
  type DeclaredPrices,
  declaredPrices,
  type InstanceView,
  InsufficientCapacityError,
  NodeClaimNotFoundError,
  offeringAllocatable,
  offeringCoordinates,
  type ProviderContext,
  providerErrors,
  singleValues,
} from '@kerf/provider-contract'
import {
  claimUid,
  instanceGarbageCollection,
  instanceOwner,
  isStaticallyDrifted,
  launchDemand,
  launchOptions,
  NodeClasses,
  readinessPolicies,
  UnavailableOfferings,
  unlessGone,
} from '@kerf/provider-kit'
import { type Controller, textOfThrown } from '@kerf/runtime'
import { type ExampleNodeClass, exampleHash, exampleNodeClass } from './example-node-class.ts'
import { NoSuchServerError, OutOfStockError, type Server, type ServerApi } from './server-api.ts'
import { serverTypes } from './server-types.ts'

export const PROVIDER_ID_PREFIX = 'example:///'
/** How long an offering stays unavailable after the cloud had no stock of it, in milliseconds. */
export const UNAVAILABLE_FOR = 180_000
/** The tag keys of a server, and the value of `owner`. The tags are set when the server is created. */
export const TAG = { owner: 'kerf', claim: 'nodeclaim', uid: 'nodeclaim-uid', pool: 'nodepool' } as const
const OWN = [TAG.owner, 'owned'] as const
export const HASH = { hash: 'example.kerf.sh/hash', version: 'example.kerf.sh/hash-version' } as const
const TOLERATION = 30 * 60_000

/** Presents the servers of the example cloud to Kerf as instances. */
export class ExampleProvider implements CloudProvider {
  readonly name = 'example'
  readonly nodeClasses = [exampleNodeClass.kind]
  readonly vocabulary = new LabelVocabulary(noVocabulary)
  readonly repairPolicies = readinessPolicies(TOLERATION)
  readonly #context: ProviderContext
  readonly #api: ServerApi
  readonly #declared: DeclaredPrices
  readonly #classes: NodeClasses<ExampleNodeClass>
  readonly #unavailable: UnavailableOfferings

  constructor(context: ProviderContext, api: ServerApi) {
    this.#context = context
    this.#api = api
    this.#declared = declaredPrices(context.informers)
    this.#classes = new NodeClasses(context, exampleNodeClass.kind, { provider: this.name, withoutReady: 'unknown' })
    this.#unavailable = new UnavailableOfferings(context.clock, { ttl: UNAVAILABLE_FOR })
  }

  async create(claim: NodeClaim, signal: AbortSignal): Promise<InstanceView> {
    const uid = claimUid(claim)
    const nodeClass = await this.#classes.toLaunch(claim, signal)
    for (const option of launchOptions(this.#declared.apply(this.#types(nodeClass)), launchDemand(claim))) {
      const offering = offeringCoordinates(option.type, option.offering)
      try {
        const server = await this.#launch(claim, uid, nodeClass, offering, signal)
        return { ...viewOf(server, [option.type]), annotations: hashOf(nodeClass) }
      } catch (error) {
        signal.throwIfAborted()
        if (!(error instanceof OutOfStockError))
          throw new CreateError('LaunchFailed', textOfThrown(error), { cause: error })
        this.#unavailable.mark(offering, 'OutOfStock')
      }
    }
    throw new InsufficientCapacityError(`no server that nodeclaim ${claim.metadata.name} admits is in stock`)
  }

  async delete(claim: NodeClaim, signal: AbortSignal): Promise<void> {
    const server = await this.#server(claim.status?.providerID ?? '', signal)
    if (server.state === 'running') await this.#known(server.id, () => this.#api.stop(server.id, signal))
  }

  async get(providerID: string, signal: AbortSignal): Promise<InstanceView> {
    if (!providerID.startsWith(PROVIDER_ID_PREFIX))
      throw providerErrors.ForeignProviderId({ providerID, provider: 'this cloud' })
    return viewOf(await this.#server(providerID, signal))
  }

  async list(signal: AbortSignal): Promise<readonly InstanceView[]> {
    return (await this.#api.list(OWN, signal)).map((server) => viewOf(server))
  }

  async instanceTypes(pool: NodePool, signal: AbortSignal): Promise<readonly InstanceType[]> {
    return this.#types(await this.#classes.ofPool(pool, signal))
  }

  async isDrifted(claim: NodeClaim, signal: AbortSignal): Promise<string | undefined> {
    const nodeClass = await this.#classes.find(claim.spec.nodeClassRef, signal)
    if (nodeClass === undefined) return undefined
    const isDrifted = isStaticallyDrifted(HASH, claim.metadata, { annotations: hashOf(nodeClass) })
    return isDrifted ? 'NodeClassDrift' : undefined
  }

  controllers(): readonly Controller[] {
    return [
      instanceGarbageCollection({
        ...this.#context,
        name: 'instance.garbagecollection',
        list: (signal) => this.list(signal),
        terminate: async ({ providerID }, signal) => this.#api.stop(idOf(providerID), signal),
      }),
    ]
  }

  #types({ spec }: ExampleNodeClass): readonly InstanceType[] {
    return this.#unavailable.applyTo(serverTypes(spec.zones))
  }

  async #launch(
    { metadata }: NodeClaim,
    uid: string,
    { spec }: ExampleNodeClass,
    offering: ReturnType<typeof offeringCoordinates>,
    signal: AbortSignal,
  ): Promise<Server> {
    const pool = metadata.labels?.[labels.nodePool] ?? ''
    return this.#api.create(
      {
        token: uid,
        image: spec.image,
        type: offering.instanceType,
        zone: offering.zone,
        isSpot: offering.capacityType === capacityTypes.spot,
        tags: { [OWN[0]]: OWN[1], [TAG.claim]: metadata.name, [TAG.uid]: uid, [TAG.pool]: pool },
      },
      signal,
    )
  }

  /** Returns a server of this cluster. A server of another cluster counts as missing, even if a NodeClaim names it. */
  async #server(providerID: string, signal: AbortSignal): Promise<Server> {
    const id = idOf(providerID)
    const server = await this.#known(id, () => this.#api.describe(id, signal))
    if (server.tags[OWN[0]] !== OWN[1]) throw new NodeClaimNotFoundError(`server ${id} is not owned by this cluster`)
    return server
  }

  #known<T>(id: string, call: () => Promise<T>): Promise<T> {
    return unlessGone(call, (error) => error instanceof NoSuchServerError, `server ${id} is gone`)
  }
}

const idOf = (providerID: string): string =>
  providerID.startsWith(PROVIDER_ID_PREFIX) ? providerID.slice(PROVIDER_ID_PREFIX.length) : ''

const hashOf = (nodeClass: ExampleNodeClass): Readonly<Record<string, string>> => ({
  [HASH.hash]: exampleHash.of(nodeClass),
  [HASH.version]: exampleHash.version,
})

const viewOf = (server: Server, types: readonly InstanceType[] = serverTypes()): InstanceView => {
  const { id, type: name, zone, isSpot, state, tags, createdAt } = server
  const type = types.find((each) => each.name === name)
  const pool = tags[TAG.pool]
  return {
    providerID: `${PROVIDER_ID_PREFIX}${id}`,
    ...instanceOwner({ claim: tags[TAG.claim], uid: tags[TAG.uid], pool }),
    labels: {
      ...(type === undefined ? {} : singleValues(type.requirements)),
      ...(pool === undefined ? {} : { [labels.nodePool]: pool }),
      [labels.instanceType]: name,
      [labels.zone]: zone,
      [labels.capacityType]: isSpot ? capacityTypes.spot : capacityTypes.onDemand,
    },
    annotations: {},
    capacity: type === undefined ? {} : formatResources(type.capacity),
    allocatable: type === undefined ? {} : formatResources(offeringAllocatable(type)),
    createdAt,
    ...(state === 'stopping' ? { deletionTimestamp: createdAt } : {}),
  }
}
