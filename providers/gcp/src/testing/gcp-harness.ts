import { ownField } from '@kerf/apis'
import { createProviderHarness, type ProviderHarness } from '@kerf/provider-contract/testing'
import { HttpClient, type RetryPolicy, type Send } from '@kerf/provider-kit'
import { type Clock, type KubeClient, PrometheusMetrics, SeededRandom, VirtualClock } from '@kerf/runtime'
import type { GcpOptions } from '../gcp-deps.ts'
import { GcpProvider } from '../gcp-provider.ts'
import { parseGkeVersion } from '../images/gke-version.ts'
import {
  type GCENodeClass,
  type GCENodeClassSpec,
  gceNodeClassKind,
  gceNodeClassResource,
} from '../node-class/gce-node-class.ts'
import { gcpPermissions } from '../permissions.ts'
import { GcpPrices } from '../prices/gcp-prices.ts'
import { knownTypes } from '../tables/known-types.ts'
import { fakeApi, fakeBillingCatalog, loadSdk } from './fake-gcp/connect.ts'
import { FakeGcp } from './fake-gcp/fake-gcp.ts'
import type { Durations } from './fake-gcp/fake-instances.ts'
import { CLUSTER, PROJECT, REGION } from './fake-gcp/names.ts'
import { gceNodeClass } from './gce-node-class.ts'
import { sourceTemplate } from './source-template.ts'

/** The name of the node class. */
export const CLASS = 'default'
const BUILD = 'gke1000000'

export interface GcpHarnessOptions {
  readonly seed?: number
  readonly spec?: Partial<GCENodeClassSpec>
  readonly durations?: Partial<Durations>
  readonly retries?: RetryPolicy
  readonly sourcePool?: string
}

/** The provider and its controllers with an in-memory cluster and an in-memory Google Cloud. */
export interface GcpHarness extends ProviderHarness<GcpProvider> {
  readonly gcp: FakeGcp
  nodeClass(): Promise<GCENodeClass>
  /** Changes the node class, and then advances the clock by a second so that its controllers react. */
  change(spec: Partial<GCENodeClassSpec>): Promise<void>
}

/** Returns the names of the images of a build: for amd64, for Arm and for GPUs. */
const imageNames = (
  prefix: string,
  milestone: string,
): readonly (readonly [name: string, arch: 'X86_64' | 'ARM64'])[] => [
  [`${prefix}-${BUILD}-cos-${milestone}-c-pre`, 'X86_64'],
  [`${prefix}-${BUILD}-cos-arm64-${milestone}-c-pre`, 'ARM64'],
  [`${prefix}-${BUILD}-cos-${milestone}-c-nvda`, 'X86_64'],
]

/** Publishes node images of a milestone for the version of the API server. Images with a later creation time are newer. */
export const publishImages = async (gcp: FakeGcp, client: KubeClient, milestone: string, createdAt: number) => {
  const version = String(ownField(await client.raw('/version'), 'gitVersion'))
  const { major = 0, minor = 0, patch = 0 } = parseGkeVersion(version) ?? {}
  gcp.gke.version = `${major}.${minor}.${patch}-gke.1000000`
  for (const [name, arch] of imageNames(`gke-${major}${minor}${patch}`, milestone))
    gcp.offer.images.push({ project: 'gke-node-images', name, arch, createdAt })
}

/** Responds to requests for the hash of the Arm binaries. */
const hashes: Send = async () => ({ status: 200, headers: {}, text: 'abcd  kubernetes-server-linux-arm64.tar.gz' })

/** Returns the options of a provider for the fake's cluster, except the API clients and the metrics. */
export const gcpTestOptions = (clock: Clock): Omit<GcpOptions, 'api' | 'metrics'> => ({
  plain: new HttpClient({ send: hashes, clock, random: new SeededRandom(1) }),
  ...{ project: PROJECT, region: REGION, clusterName: CLUSTER, location: REGION },
  ...{ memoryOverhead: 0.07, prices: new GcpPrices({ clock, region: REGION }), serviceAccount: '', sourcePool: '' },
  watchesInterruptions: true,
})

/** Creates a harness, starts everything, and waits until the node class is ready. */
export const createGcpHarness = async (options: GcpHarnessOptions = {}): Promise<GcpHarness> => {
  await loadSdk()
  const clock = new VirtualClock({ turns: 3 })
  const gcp = new FakeGcp(clock, options.durations)
  gcp.templates = [sourceTemplate('default-pool')]
  gcp.offer.types = [...gcp.offer.types, knownTypes.get('n2-highmem-16')].flatMap((facts) => facts ?? [])
  const api = fakeApi(gcp, options.retries === undefined ? {} : { retries: options.retries })
  const harness = await createProviderHarness({
    ...{ seed: options.seed ?? 1, clock, nodeClasses: [gceNodeClassResource], permissions: gcpPermissions },
    classRef: { group: gceNodeClassKind.group, kind: gceNodeClassKind.kind, name: CLASS },
    prepare: async (client: KubeClient) => {
      await publishImages(gcp, client, '125-19216-220-12', 0)
      await client.create(gceNodeClassKind, gceNodeClass(CLASS, { spec: options.spec ?? {} }))
    },
    newProvider: (context) =>
      new GcpProvider(context, {
        ...{ ...gcpTestOptions(clock), api, metrics: new PrometheusMetrics() },
        prices: new GcpPrices({ clock, region: REGION, catalog: fakeBillingCatalog(gcp) }),
        sourcePool: options.sourcePool ?? '',
      }),
    startUp: 15_000,
  })
  const { client } = harness
  return {
    ...harness,
    gcp,
    nodeClass: () => client.get(gceNodeClassKind, { name: CLASS }),
    change: async (spec) => {
      await client.patch(gceNodeClassKind, { name: CLASS }, { type: 'merge', body: { spec } })
      await clock.advance(1_000)
    },
  }
}
