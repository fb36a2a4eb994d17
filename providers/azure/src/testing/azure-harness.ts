import { kinds } from '@kerf/apis'
import { createProviderHarness, type ProviderHarness } from '@kerf/provider-contract/testing'
import { HttpClient } from '@kerf/provider-kit'
import { type KubeClient, PrometheusMetrics, parseSettings, SeededRandom, VirtualClock } from '@kerf/runtime'
import type { AzureProvider } from '../azure-provider.ts'
import { assembleAzure } from '../create-azure.ts'
import {
  type AKSNodeClass,
  type AKSNodeClassSpec,
  aksNodeClassKind,
  aksNodeClassResource,
} from '../node-class/aks-node-class.ts'
import { azurePermissions } from '../permissions.ts'
import { type AzureSettings, azureSettings } from '../settings/azure-settings.ts'
import { aksNodeClass } from './aks-node-class.ts'
import { fakeAzureApi, noRetries } from './fake-azure/connect.ts'
import { FakeAzure, type FakeAzureOptions } from './fake-azure/fake-azure.ts'
import { LOCATION } from './fake-azure/fake-offer.ts'
import { GROUP, SUBNET, SUBSCRIPTION } from './fake-azure/names.ts'

export const CLASS = 'default'
export const CLUSTER = 'demo'
export const classRef = { group: 'karpenter.azure.com', kind: 'AKSNodeClass', name: CLASS } as const
export const TOKEN = 'abcdef.0123456789abcdef'

/** The environment of Kerf for a cluster in the fake Azure. */
export const azureTestEnv: Readonly<Record<string, string>> = {
  CLUSTER_NAME: CLUSTER,
  CLUSTER_ENDPOINT: 'https://demo.hcp.southcentralus.azmk8s.io:443',
  KUBELET_BOOTSTRAP_TOKEN: TOKEN,
  SSH_PUBLIC_KEY: 'ssh-rsa AAAA kerf',
  VNET_SUBNET_ID: SUBNET,
  AZURE_NODE_RESOURCE_GROUP: GROUP,
  LOCATION,
  AZURE_SUBSCRIPTION_ID: SUBSCRIPTION,
  AZURE_TENANT_ID: '00000000-0000-0000-0000-0000000000bb',
  KUBELET_IDENTITY_CLIENT_ID: '00000000-0000-0000-0000-0000000000cc',
  NODE_IDENTITIES: `/subscriptions/${SUBSCRIPTION}/resourceGroups/${GROUP}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/kubelet`,
}

/** Returns the settings of a cluster in the fake Azure, overridden by those of the test. */
export const azureTestSettings = (env: Readonly<Record<string, string>> = {}): AzureSettings =>
  parseSettings(azureSettings, { ...azureTestEnv, ...env }).settings

export interface AzureHarnessOptions extends FakeAzureOptions {
  readonly seed?: number
  readonly spec?: AKSNodeClassSpec
  readonly env?: Readonly<Record<string, string>>
  /** Changes the cloud before anything starts. */
  readonly before?: (azure: FakeAzure) => void
}

/** The Azure provider and its controllers with an in-memory cluster and an in-memory Azure. */
export interface AzureHarness extends ProviderHarness<AzureProvider> {
  readonly azure: FakeAzure
  /** Returns the content of `/metrics` of the process that was started last. */
  readonly metrics: () => Promise<string>
  nodeClass(): Promise<AKSNodeClass>
  /** Changes the node class, and gives its controllers a second to react. */
  change(spec: AKSNodeClassSpec): Promise<void>
}

const prepareCluster = async (client: KubeClient, spec: AKSNodeClassSpec): Promise<void> => {
  await client
    .create(kinds.Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } })
    .catch(() => undefined)
  await client.create(aksNodeClassKind, aksNodeClass(CLASS, { spec }))
}

/** Creates a harness in which everything has started and the node class is ready. */
export const createAzureHarness = async (options: AzureHarnessOptions = {}): Promise<AzureHarness> => {
  const clock = new VirtualClock({ turns: 3 })
  const azure = new FakeAzure(clock, options)
  options.before?.(azure)
  const settings = azureTestSettings(options.env)
  let metrics = new PrometheusMetrics()
  const harness = await createProviderHarness({
    seed: options.seed ?? 1,
    clock,
    nodeClasses: [aksNodeClassResource],
    classRef,
    permissions: azurePermissions,
    prepare: (client) => prepareCluster(client, options.spec ?? {}),
    newProvider: (context) => {
      metrics = new PrometheusMetrics()
      return assembleAzure(context, {
        // The client does not retry, because time does not advance while the checks wait for a call.
        api: fakeAzureApi(azure, noRetries),
        metrics,
        ...{ settings, caBundle: 'Q0E=', namespace: 'kube-system', hasBilling: true },
        priceHttp: new HttpClient({ send: azure.send, clock, random: new SeededRandom(1), retries: noRetries }),
      })
    },
    startUp: 5_000,
  })
  const { client } = harness
  return {
    ...harness,
    azure,
    metrics: () => metrics.text(),
    nodeClass: () => client.get(aksNodeClassKind, { name: CLASS }),
    change: async (spec) => {
      await client.patch(aksNodeClassKind, { name: CLASS }, { type: 'merge', body: { spec } })
      await clock.advance(1_000)
    },
  }
}
