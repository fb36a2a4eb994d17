import { labels, type NodeClaim } from '@kerf/apis'
import type { InstanceType } from '@kerf/engine'
import {
  CreateError,
  type InstanceView,
  InsufficientCapacityError,
  NodeClaimNotFoundError,
  NodeClassNotReadyError,
  offeringCoordinates,
} from '@kerf/provider-contract'
import type { CheckId } from '@kerf/provider-contract/conformance'
import type { Server } from '@kerf/provider-example'
import { PROVIDER_ID_PREFIX, TAG } from '@kerf/provider-example/testing'
import { HASH } from '../../../providers/example/src/example-provider.ts'
import { inCalls, inProvider, type Plant } from './planting.ts'

export interface PlantedFault {
  readonly name: string
  /** The check that must find the fault. */
  readonly check: CheckId
  /** Other checks that also fail because of this fault, since they cover the same behavior. */
  readonly also?: readonly CheckId[]
  readonly plant: Plant
}

const LIST_CACHE = 3_000
let processes = 0

const without = (claim: NodeClaim, drop: (requirement: NodeClaim['spec']['requirements'][number]) => boolean) => ({
  ...claim,
  spec: { ...claim.spec, requirements: claim.spec.requirements.filter((each) => !drop(each)) },
})

const idOf = (providerID: string): string => providerID.slice(PROVIDER_ID_PREFIX.length)

/** Faults in the launch of a NodeClaim. */
const launchFaults: readonly PlantedFault[] = [
  {
    name: 'what the system reserves is not taken off the allocatable',
    check: 'C04',
    plant: inProvider((provider) => ({
      create: async (claim, signal) => {
        const view = await provider.create(claim, signal)
        return { ...view, allocatable: view.capacity }
      },
    })),
  },
  {
    name: 'the tag of the NodePool is left to a later call, which never comes after a crash',
    check: 'C05',
    plant: inCalls((servers) => ({
      create: ({ tags: { [TAG.pool]: _, ...tags }, ...request }, signal) =>
        servers.create({ ...request, tags }, signal),
    })),
  },
  {
    name: 'the token of a launch is drawn by the process, so a launch after a restart is another one',
    check: 'C06',
    also: ['C29', 'C30', 'B11'],
    plant: inCalls((servers) => {
      const process = ++processes
      return {
        create: (request, signal) => servers.create({ ...request, token: `${request.token}-${process}` }, signal),
      }
    }),
  },
  {
    name: 'an earlier instance is looked for in the list, and launched without a token when there is none yet',
    check: 'C07',
    plant: inCalls((servers) => {
      let launches = 0
      return {
        create: async (request, signal) => {
          const earlier = (await servers.list([TAG.uid, request.token], signal))[0]
          await Promise.resolve()
          return earlier ?? servers.create({ ...request, token: `${request.token}-${++launches}` }, signal)
        },
      }
    }),
  },
  {
    name: 'launches are collected into one call, and its answers are given out in another order',
    check: 'C08',
    plant: inProvider((provider) => {
      let batch: Promise<readonly InstanceView[]> | undefined
      let claims: NodeClaim[] = []
      return {
        create: async (claim, signal) => {
          const index = claims.push(claim) - 1
          batch ??= Promise.resolve().then(() => {
            const collected = claims
            batch = undefined
            claims = []
            return Promise.all(collected.map((each) => provider.create(each, signal)))
          })
          const view = (await batch).toReversed()[index]
          if (view === undefined) throw new Error('the batch returned no result for this launch')
          return view
        },
      }
    }),
  },
  {
    name: 'the cheapest offering is taken in whatever zone it is',
    check: 'C09',
    also: ['C17'],
    plant: inProvider((provider) => ({
      create: (claim, signal) =>
        provider.create(
          without(claim, ({ key }) => key === labels.zone),
          signal,
        ),
    })),
  },
  {
    name: 'NotIn is not understood and left out',
    check: 'C10',
    plant: inProvider((provider) => ({
      create: (claim, signal) =>
        provider.create(
          without(claim, ({ operator }) => operator === 'NotIn'),
          signal,
        ),
    })),
  },
  {
    name: 'resources that the provider does not know are not asked for',
    check: 'C13',
    plant: inProvider((provider) => ({
      create: (claim, signal) => {
        const { cpu, memory } = claim.spec.resources?.requests ?? {}
        const requests = { ...(cpu === undefined ? {} : { cpu }), ...(memory === undefined ? {} : { memory }) }
        return provider.create({ ...claim, spec: { ...claim.spec, resources: { requests } } }, signal)
      },
    })),
  },
  {
    name: 'a missing class is an error that is tried again, so its claims wait for five minutes',
    check: 'C14',
    plant: inProvider((provider) => ({
      create: async (claim, signal) => {
        try {
          return await provider.create(claim, signal)
        } catch (error) {
          if (!String(error).includes('does not exist')) throw error
          throw new CreateError('NodeClassNotFound', 'the node class does not exist')
        }
      },
    })),
  },
  {
    name: 'one stock-out takes the type out in every zone',
    check: 'C17',
    plant: inProvider((provider) => ({
      instanceTypes: async (pool, signal) =>
        (await provider.instanceTypes(pool, signal)).map((type) => ({ ...type, offerings: outInEveryZone(type) })),
    })),
  },
  {
    name: 'throttling counts as missing capacity',
    check: 'C21',
    plant: inProvider((provider) => ({
      create: async (claim, signal) => {
        try {
          return await provider.create(claim, signal)
        } catch (error) {
          if (!String(error).includes('throttle')) throw error
          throw new InsufficientCapacityError('the cloud has no capacity', { cause: error })
        }
      },
    })),
  },
  {
    name: 'a launch without the right to it says that the class is not ready, and deletes the claim',
    check: 'C22',
    plant: inProvider((provider) => ({
      create: async (claim, signal) => {
        try {
          return await provider.create(claim, signal)
        } catch (error) {
          if (!String(error).includes('auth')) throw error
          throw new NodeClassNotReadyError('the cloud refuses', { cause: error })
        }
      },
    })),
  },
]

const outInEveryZone = (type: InstanceType): InstanceType['offerings'] =>
  type.offerings.map((offering) => {
    const { capacityType } = offeringCoordinates(type, offering)
    const isOut = type.offerings.some(
      (each) => !each.available && offeringCoordinates(type, each).capacityType === capacityType,
    )
    return isOut ? { ...offering, available: false } : offering
  })

/** Faults in the handling of existing instances. */
const instanceFaults: readonly PlantedFault[] = [
  {
    name: 'each repeated delete terminates once more',
    check: 'D02',
    plant: inProvider((provider, servers) => ({
      delete: async (claim, signal) => {
        const view = await provider.get(claim.status?.providerID ?? '', signal).catch(() => undefined)
        if (view?.deletionTimestamp === undefined) await provider.delete(claim, signal)
        else await servers.stop(idOf(view.providerID), signal)
      },
    })),
  },
  {
    name: 'a provider ID that somebody wrote into the claim is terminated, whoever owns the instance',
    check: 'D06',
    plant: inProvider((provider, servers) => ({
      delete: async (claim, signal) => {
        const id = idOf(claim.status?.providerID ?? '')
        const found = await servers.describe(id, signal).catch((): Server | undefined => undefined)
        if (found !== undefined && found.tags[TAG.owner] === undefined) await servers.stop(id, signal)
        else await provider.delete(claim, signal)
      },
    })),
  },
  {
    name: 'a failed termination counts as proof that the instance is gone',
    check: 'D07',
    also: ['D09'],
    plant: inProvider((provider) => ({
      delete: async (claim, signal) => {
        try {
          await provider.delete(claim, signal)
        } catch (error) {
          throw new NodeClaimNotFoundError('the instance cannot be terminated', { cause: error })
        }
      },
    })),
  },
  {
    name: 'get answers from a list that is kept for a while, without asking for what is not in it',
    check: 'G03',
    plant: inProvider((provider, _, { clock }) => {
      let kept: { readonly at: number; readonly views: readonly InstanceView[] } | undefined
      const list = async (signal: AbortSignal): Promise<readonly InstanceView[]> => {
        if (kept === undefined || clock.now() - kept.at >= LIST_CACHE)
          kept = { at: clock.now(), views: await provider.list(signal) }
        return kept.views
      }
      return {
        list,
        get: async (providerID, signal) => {
          if (!providerID.startsWith(PROVIDER_ID_PREFIX)) throw new Error(`${providerID} is not of this cloud`)
          const view = (await list(signal)).find((each) => each.providerID === providerID)
          if (view === undefined) throw new NodeClaimNotFoundError(`${providerID} is not in the list`)
          return view
        },
      }
    }),
  },
  {
    name: 'a page of the list that fails is left out',
    check: 'L03',
    plant: inProvider((provider) => ({
      list: (signal) => provider.list(signal).catch((): readonly InstanceView[] => []),
    })),
  },
  {
    name: 'an instance that is being terminated looks like any other in the list',
    check: 'L04',
    plant: inProvider((provider) => ({
      list: async (signal) => (await provider.list(signal)).map(({ deletionTimestamp: _, ...view }) => view),
    })),
  },
]

/** Faults in instance types, drift and other methods. */
const otherFaults: readonly PlantedFault[] = [
  {
    name: 'the price of a type that is missing from the price list is not a number',
    check: 'T03',
    plant: inProvider((provider) => ({
      instanceTypes: async (pool, signal) =>
        (await provider.instanceTypes(pool, signal)).map((type) =>
          type.name === 's-2'
            ? { ...type, offerings: type.offerings.map((each) => ({ ...each, price: Number.NaN })) }
            : type,
        ),
    })),
  },
  {
    name: 'all answers share one array, which the next call changes',
    check: 'T05',
    plant: inProvider((provider) => {
      const shared: InstanceType[] = []
      return {
        instanceTypes: async (pool, signal) => {
          shared.splice(0, shared.length, ...(await provider.instanceTypes(pool, signal)))
          return shared
        },
      }
    }),
  },
  {
    name: 'hashes of another version are compared, so that an upgrade replaces every node',
    check: 'H03',
    plant: inProvider((provider) => ({
      isDrifted: (claim, signal) => {
        const { [HASH.version]: _, ...annotations } = claim.metadata.annotations ?? {}
        const current = { ...annotations, [HASH.version]: 'v1' }
        return provider.isDrifted({ ...claim, metadata: { ...claim.metadata, annotations: current } }, signal)
      },
    })),
  },
  {
    name: 'the name changes from process to process',
    check: 'X01',
    plant: inProvider(() => ({ name: `example-${++processes}` })),
  },
  {
    name: 'a launch that nobody waits for any more is made all the same',
    check: 'X03',
    plant: inProvider((provider) => ({
      create: async (claim, signal) => {
        const view = await provider.create(claim, new AbortController().signal)
        signal.throwIfAborted()
        return view
      },
    })),
  },
]

/** All planted faults. */
export const faults: readonly PlantedFault[] = [...launchFaults, ...instanceFaults, ...otherFaults]
