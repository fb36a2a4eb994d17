import { capacityTypes, groupVersion } from '@kerf/apis'
import { createProviderHarness, type ProviderHarness } from '@kerf/provider-contract/testing'
import { type RetryPolicy, type Send, usualRetries } from '@kerf/provider-kit'
import { type Clock, type KubeClient, SeededRandom, VirtualClock } from '@kerf/runtime'
import { proxmoxCredentials } from '../api/credentials.ts'
import { httpApi } from '../api/http-api.ts'
import type { ProxmoxApi } from '../api/proxmox-api.ts'
import { httpTransport } from '../api/transport.ts'
import { type Secret, secretKind } from '../cloud-init/cluster-objects.ts'
import { type GuestType, generatedTypes } from '../instance-types/guest-type.ts'
import { proxmoxNodeClassDescriptor } from '../node-class/node-class-descriptor.ts'
import {
  type ProxmoxNodeClass,
  type ProxmoxNodeClassSpec,
  proxmoxNodeClassKind,
  proxmoxNodeClassResource,
} from '../node-class/proxmox-node-class.ts'
import { proxmoxTemplateResource } from '../node-class/proxmox-template.ts'
import { unmanagedTemplateKind, unmanagedTemplateResource } from '../node-class/unmanaged-template.ts'
import { cloudInitSwitch, proxmoxPermissions } from '../permissions.ts'
import { ProxmoxProvider } from '../proxmox-provider.ts'
import type { HypervisorSettingsLookup, NodePolicy } from '../settings/node-settings.ts'
import { FAKE_USER, FakeCluster, type FakeTimes } from './fake-proxmox/fake-cluster.ts'
import { FakeProxmox } from './fake-proxmox/fake-proxmox.ts'
import { hypervisor } from './fake-proxmox/fake-state.ts'

export const CLASS = 'default'
export const CLUSTER = 'demo'
/** The first ID of instances. */
export const FIRST_ID = 20_000

/** The hypervisors of each Proxmox cluster. */
const REGIONS = { home: ['pve-1', 'pve-2'], lab: ['pve-3'] } as const

const noRetries: RetryPolicy = { ...usualRetries, attempts: 1 }

export interface ProxmoxHarnessOptions {
  readonly seed?: number
  readonly times?: Partial<FakeTimes>
  readonly spec?: Partial<ProxmoxNodeClassSpec>
  readonly prefersLinked?: boolean
  /** The policy for CPUs. With `static`, the provider logs in as root@pam. */
  readonly policy?: NodePolicy
  readonly hypervisors?: HypervisorSettingsLookup
  /** The Secrets of the cluster. If there are any, cloud-init disks are allowed. */
  readonly secrets?: readonly Secret[]
  /** The name of the Kubernetes cluster. The default is `CLUSTER`. */
  readonly cluster?: string
  /** Two fake Proxmox clusters that another harness also uses. By default, the harness has its own clusters. */
  readonly fakes?: ProxmoxFakes
}

/** The provider and its controllers with an in-memory cluster and two in-memory Proxmox clusters. */
export interface ProxmoxHarness extends ProviderHarness<ProxmoxProvider> {
  readonly proxmox: ReadonlyMap<string, FakeProxmox>
  /** The first Proxmox cluster. */
  readonly home: FakeProxmox
  nodeClass(): Promise<ProxmoxNodeClass>
  /** Changes the class, and then advances the clock by a second so that its controllers react. */
  change(spec: Partial<ProxmoxNodeClassSpec>): Promise<void>
}

/** The generated types, and a spot variant of each. */
export const testTypes: readonly GuestType[] = [
  ...generatedTypes,
  ...generatedTypes.map((type) => ({ ...type, name: `spot-${type.name}`, capacityType: capacityTypes.spot })),
]

export interface FakeApiOptions {
  /** Sends the requests. The default is the fake itself. */
  readonly send?: Send
  readonly retries?: RetryPolicy
  /** Whether the client logs in as root@pam. By default, it uses a token. */
  readonly isRoot?: boolean
}

/** Returns a client for a fake. By default, it never retries, so that tests need not advance virtual time. */
export const fakeApi = (
  fake: FakeProxmox,
  clock: Clock,
  { send = fake.send, retries = noRetries, isRoot = false }: FakeApiOptions = {},
): ProxmoxApi => {
  const random = new SeededRandom('calls')
  const url = 'https://pve.test:8006/api2/json'
  const readAccount = async () =>
    isRoot ? { username: 'root@pam', password: fake.secret } : { tokenId: FAKE_USER, tokenSecret: fake.secret }
  const credentials = proxmoxCredentials({ url, readAccount, send, clock, random })
  return httpApi(httpTransport({ url, send, credentials, clock, random, retries }))
}

/** Two fake Proxmox clusters, and their clock. */
export interface ProxmoxFakes {
  readonly clock: VirtualClock
  readonly proxmox: ReadonlyMap<string, FakeProxmox>
  readonly home: FakeProxmox
}

export const newFakes = (times: Partial<FakeTimes> = {}): ProxmoxFakes => {
  const clock = new VirtualClock({ turns: 3 })
  const make = (names: readonly string[]): FakeProxmox =>
    new FakeProxmox(new FakeCluster(clock, { times, nodes: names.map((name) => hypervisor(name)) }))
  const home = make(REGIONS.home)
  const proxmox = new Map([
    ['home', home],
    ['lab', make(REGIONS.lab)],
  ])
  return { clock, proxmox, home }
}

const template = {
  apiVersion: groupVersion(unmanagedTemplateKind),
  kind: 'ProxmoxUnmanagedTemplate',
  metadata: { name: 'default' },
  spec: { templateName: 'talos', tags: ['talos'] },
}

/** Creates a harness, starts everything, and waits until the node class is ready. */
export const createProxmoxHarness = async (options: ProxmoxHarnessOptions = {}): Promise<ProxmoxHarness> => {
  const { times = {}, cluster = CLUSTER, prefersLinked = false, policy = 'simple', hypervisors, secrets } = options
  const isRoot = policy === 'static'
  const allowsCloudInit = secrets !== undefined
  const { clock, proxmox, home } = options.fakes ?? newFakes(times)
  const { example } = proxmoxNodeClassDescriptor
  const nodeClass = { ...example, spec: { ...example.spec, ...options.spec } }
  const harness = await createProviderHarness({
    ...{ seed: options.seed ?? 1, clock, permissions: proxmoxPermissions },
    permissionOptions: allowsCloudInit ? [cloudInitSwitch] : [],
    nodeClasses: [proxmoxNodeClassResource, unmanagedTemplateResource, proxmoxTemplateResource],
    classRef: { group: proxmoxNodeClassKind.group, kind: proxmoxNodeClassKind.kind, name: CLASS },
    prepare: async (client: KubeClient) => {
      await client.create(unmanagedTemplateKind, template)
      await client.create(proxmoxNodeClassKind, nodeClass as ProxmoxNodeClass)
      for (const secret of secrets ?? []) await client.create(secretKind, secret)
    },
    newProvider: (context) =>
      new ProxmoxProvider(context, {
        apis: new Map([...proxmox].map(([region, fake]) => [region, fakeApi(fake, clock, { isRoot })])),
        ...{ types: testTypes, cluster, firstId: FIRST_ID, prefersLinked, allowsCloudInit, policy },
        ...(hypervisors === undefined ? {} : { hypervisors }),
      }),
    startUp: 15_000,
  })
  const { client } = harness
  return {
    ...harness,
    proxmox,
    home,
    nodeClass: () => client.get(proxmoxNodeClassKind, { name: CLASS }),
    change: async (spec) => {
      await client.patch(proxmoxNodeClassKind, { name: CLASS }, { type: 'merge', body: { spec } })
      await clock.advance(1_000)
    },
  }
}
