import type { Milliseconds, NodeClaim } from '@kerf/apis'
import { declaredPrices, type ProviderContext, type RepairPolicy } from '@kerf/provider-contract'
import {
  ClaimIndex,
  type InstanceNaming,
  instanceNaming,
  LaunchRecords,
  UnavailableOfferings,
} from '@kerf/provider-kit'
import type { OciApi } from './api/oci-api.ts'
import type { OciInstance } from './api/oci-shapes.ts'
import type { ClusterJoin } from './bootstrap/cluster-join.ts'
import { AttachedParts } from './drift/attached-parts.ts'
import type { TypeSettings } from './instance-types/instance-types.ts'
import { instanceIdIn, isEnding } from './instances/instance-ids.ts'
import { Instances } from './instances/instances.ts'
import type { Ownership } from './instances/tags.ts'
import { LaunchWatch } from './launch/launch-watch.ts'
import { Launcher } from './launch/launcher.ts'
import { UNAVAILABLE_FOR } from './launch/refused-offerings.ts'
import { SubnetAddresses } from './launch/subnet-addresses.ts'
import type { LaunchTimeouts } from './launch-timeouts.ts'
import { communityNodeClassKind } from './node-class/community-node-class.ts'
import { OciClasses } from './node-class/oci-classes.ts'
import { oracleNodeClassKind } from './node-class/oracle-node-class.ts'
import { AvailabilityDomains } from './offers/availability-domains.ts'
import { ImageChoice } from './offers/image-choice.ts'
import { OfferedShapes } from './offers/offered-shapes.ts'
import { ReservedSizes } from './offers/reserved-sizes.ts'
import { TypeResolver } from './offers/type-resolver.ts'
import type { ShapePrices } from './prices/shape-prices.ts'
import type { Compartments } from './settings/oci-options.ts'

export interface OciOptions {
  readonly api: OciApi
  readonly region: string
  readonly compartments: Compartments
  readonly ownership: Ownership
  readonly join: ClusterJoin
  readonly types: TypeSettings
  readonly launchTimeouts: LaunchTimeouts
  readonly repairPolicies: readonly RepairPolicy[]
  readonly prices: ShapePrices
  /** The interval at which Kerf reads prices. */
  readonly pricesEvery: Milliseconds
}

const community = instanceNaming(communityNodeClassKind, instanceIdIn)
const oracle = instanceNaming(oracleNodeClassKind, instanceIdIn)

/** All provider objects with the same informers share this index. It contains the NodeClaims of both node class kinds. */
const naming: InstanceNaming = {
  name: 'instance of oci',
  ofClaim: (claim: NodeClaim) => [...community.ofClaim(claim), ...oracle.ofClaim(claim)],
  ofNode: community.ofNode,
}

/** Creates the dependencies that the provider and its controllers share. */
export const makeDeps = (context: ProviderContext, options: OciOptions) => {
  const { clock, log, informers } = context
  const { api, region, ownership, join, types: settings, prices } = options
  const compartmentId = options.compartments.nodes
  const classes = new OciClasses(context)
  const claims = new ClaimIndex(informers, naming)
  const compartments = (): readonly string[] => [
    ...new Set([compartmentId, ...classes.values().flatMap((each) => each.compartmentId ?? [])]),
  ]
  const launchTime = (id: string) => claims.launchTime(id)
  const instances = new Instances({ api, clock, ownership, compartments, launchTime })
  const unavailable = new UnavailableOfferings(clock, { ttl: UNAVAILABLE_FOR })
  const domains = new AvailabilityDomains(api, clock, compartmentId)
  const offered = new OfferedShapes({ api, clock, domains, compartmentId })
  const reserved = new ReservedSizes(api, clock)
  const images = new ImageChoice(api, clock)
  const declared = declaredPrices(informers)
  const types = new TypeResolver({ region, settings, offered, reserved, images, prices, unavailable, declared })
  const addresses = new SubnetAddresses(api, clock)
  const watch = new LaunchWatch({ api, clock, log, unavailable, timeouts: options.launchTimeouts })
  const launcher = new Launcher({
    ...{ api, clock, log, unavailable, domains, images, addresses, watch, join, ownership, compartmentId },
  })
  const withEnding = (instance: OciInstance) => ({ ...instance, isEnding: isEnding(instance.lifecycleState) })
  const records = new LaunchRecords<ReturnType<typeof withEnding>>(clock, claims, {
    get: async (id, signal) => withEnding(await instances.get(id, signal)),
    launchedFor: async (claim, signal) => (await instances.launchedFor(claim, signal)).map(withEnding),
    // The search by tags finds only instances that Kerf launched for the NodeClaim.
    couldBeFor: () => true,
  })
  const attached = new AttachedParts(api, clock)
  return { classes, claims, instances, unavailable, domains, types, launcher, watch, records, attached }
}

export type OciDeps = ReturnType<typeof makeDeps>
