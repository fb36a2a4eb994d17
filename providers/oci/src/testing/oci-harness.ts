import { kinds, type ResourceKind } from '@kerf/apis'
import type { ProviderContext } from '@kerf/provider-contract'
import { createProviderHarness, type ProviderHarness } from '@kerf/provider-contract/testing'
import { type KubeClient, VirtualClock } from '@kerf/runtime'
import type { OciApi } from '../api/oci-api.ts'
import type { Upstream } from '../names.ts'
import { communityNodeClassDescriptor } from '../node-class/community-descriptor.ts'
import {
  type CommunityNodeClass,
  communityNodeClassKind,
  communityNodeClassResource,
} from '../node-class/community-node-class.ts'
import { oracleNodeClassDescriptor } from '../node-class/oracle-descriptor.ts'
import { type OracleNodeClass, oracleNodeClassKind, oracleNodeClassResource } from '../node-class/oracle-node-class.ts'
import { OciProvider } from '../oci-provider.ts'
import { ociPermissions } from '../permissions.ts'
import { ShapePrices } from '../prices/shape-prices.ts'
import { defaultRepairPolicies } from '../settings/repair-policies.ts'
import type { FakeAccount, FakeAccountOptions } from './fake-oci/fake-account.ts'
import { fakeApi } from './fake-oci/fake-api.ts'
import type { FakeOci } from './fake-oci/fake-oci.ts'
import { ARM_IMAGE, COMPARTMENT, GPU_IMAGE, IMAGE, REGION, TAG_NAMESPACE, VCN } from './fake-oci/names.ts'
import { typeSettings } from './type-samples.ts'

export const CLASS = 'default'
export const CLUSTER = 'demo'

export interface OciHarnessOptions extends FakeAccountOptions {
  readonly seed?: number
  /** The kind of the pool's node class. The default is Oracle's. */
  readonly upstream?: Upstream
  readonly community?: Partial<NonNullable<CommunityNodeClass['spec']>>
  readonly oracle?: Partial<NonNullable<OracleNodeClass['spec']>> | undefined
  /** Whether Kerf terminates virtual machines that have no boot volume after five minutes. The default is false. */
  readonly failsOver?: boolean
}

/** The provider and its controllers with an in-memory cluster and an in-memory Oracle Cloud. The cluster has a class of each kind. */
export interface OciHarness extends ProviderHarness<OciProvider> {
  readonly account: FakeAccount
  readonly oci: FakeOci
  readonly upstream: Upstream
  /** A fake of Oracle's price list. */
  readonly catalogue: { isBroken: boolean; reads: number }
  /** Changes the spec of the pool's node class, and then advances the clock by a second so that its controllers react. */
  change(spec: object): Promise<void>
}

export const nodeClassKind: Readonly<Record<Upstream, ResourceKind>> = {
  community: communityNodeClassKind,
  oracle: oracleNodeClassKind,
}

/** Creates a class of each kind. The classes select the resources of the fake tenancy. */
export const createClasses = async (client: KubeClient, { community, oracle }: OciHarnessOptions): Promise<void> => {
  const examples = { community: communityNodeClassDescriptor.example, oracle: oracleNodeClassDescriptor.example }
  await client.create(communityNodeClassKind, {
    ...examples.community,
    spec: {
      ...examples.community.spec,
      vcnId: VCN,
      imageSelector: [{ id: IMAGE }, { id: ARM_IMAGE }, { id: GPU_IMAGE }],
      subnetSelector: [{ name: 'nodes' }],
      securityGroupSelector: [{ name: 'nodes' }],
      ...community,
    },
  } as CommunityNodeClass)
  await client.create(oracleNodeClassKind, {
    ...examples.oracle,
    spec: {
      ...examples.oracle.spec,
      networkConfig: { primaryVnicConfig: { subnetConfig: { subnetFilter: { displayName: 'nodes' } } } },
      ...oracle,
    },
  } as OracleNodeClass)
}

/** The launch timeout of virtual machines, in milliseconds. */
export const VM_LAUNCH_TIMEOUT = 300_000

/** Creates the provider for the fake tenancy. `read` reads Oracle's price list. */
export const newOciProvider = (
  context: ProviderContext,
  api: OciApi,
  read?: () => Promise<ReadonlyMap<string, number>>,
  failsOver = false,
): OciProvider =>
  new OciProvider(context, {
    ...{ api, region: REGION, types: typeSettings },
    compartments: { nodes: COMPARTMENT, network: COMPARTMENT, okeImages: COMPARTMENT },
    ownership: { clusterName: CLUSTER, tagNamespace: TAG_NAMESPACE },
    join: {
      ...{ endpoint: 'https://10.0.0.10:6443', caBundle: 'Q0E=', dns: '10.96.0.10' },
      ...{ bootstrapToken: 'token', isVcnNative: false },
    },
    launchTimeouts: { virtualMachine: VM_LAUNCH_TIMEOUT, bareMetal: 3_600_000, failsOver },
    repairPolicies: defaultRepairPolicies,
    prices: new ShapePrices({ clock: context.clock, read }),
    pricesEvery: 12 * 3_600_000,
  })

/** Creates a harness, starts everything, and waits until both node classes are ready. */
export const createOciHarness = async (options: OciHarnessOptions = {}): Promise<OciHarness> => {
  const clock = new VirtualClock({ turns: 3 })
  const { account, cloud: oci, api } = fakeApi(clock, options)
  const upstream = options.upstream ?? 'oracle'
  const { group, kind } = nodeClassKind[upstream]
  const catalogue = { isBroken: false, reads: 0 }
  const read = async () => {
    catalogue.reads++
    if (catalogue.isBroken) throw new Error('the price list does not answer')
    return new Map<string, number>()
  }
  const harness = await createProviderHarness({
    ...{ seed: options.seed ?? 1, clock, permissions: ociPermissions },
    nodeClasses: [communityNodeClassResource, oracleNodeClassResource],
    classRef: { group, kind, name: CLASS },
    prepare: async (client: KubeClient) => {
      const metadata = { name: 'kube-system' }
      await client.create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata }).catch(() => undefined)
      await createClasses(client, options)
    },
    newProvider: (context) => newOciProvider(context, api, read, options.failsOver),
    startUp: 15_000,
  })
  return {
    ...harness,
    ...{ account, oci, upstream, catalogue },
    change: async (spec) => {
      await harness.client.patch(nodeClassKind[upstream], { name: CLASS }, { type: 'merge', body: { spec } })
      await clock.advance(1_000)
    },
  }
}
