import type { KubeObject, ResourceKind } from '@kerf/apis'
import type { KubeClient } from '@kerf/runtime'
import { describe, expect, test } from 'vitest'
import type { AKSNodeClassSpec } from '../../node-class/aks-node-class.ts'
import { type HarnessOptions, MINUTE, nodeClassHarness } from '../../testing/node-class-harness.ts'

const policyKind: ResourceKind<KubeObject> = {
  ...{ group: 'networking.k8s.io', version: 'v1', kind: 'NetworkPolicy', plural: 'networkpolicies' },
  namespaced: true,
}

describe('a DNS server on the node', () => {
  type LocalDns = NonNullable<AKSNodeClassSpec['localDNS']>
  const override: Omit<LocalDns['vnetDNSOverrides'][number], 'zone' | 'forwardDestination'> = {
    queryLogging: 'Error',
    protocol: 'PreferUDP',
    forwardPolicy: 'Sequential',
    maxConcurrent: 1000,
    cacheDuration: '1h',
    serveStaleDuration: '1h',
    serveStale: 'Immediate',
  }
  const localDNS = (mode: 'Preferred' | 'Required' | 'Disabled'): LocalDns => ({
    mode,
    vnetDNSOverrides: [
      { ...override, zone: '.', forwardDestination: 'VnetDNS' },
      { ...override, zone: 'cluster.local', forwardDestination: 'ClusterCoreDNS' },
    ],
    kubeDNSOverrides: [
      { ...override, zone: '.', forwardDestination: 'ClusterCoreDNS' },
      { ...override, zone: 'cluster.local', forwardDestination: 'ClusterCoreDNS' },
    ],
  })

  test.each([
    ['Required', 'v1.33.5', 'Enabled'],
    ['Disabled', 'v2.0.0', 'Disabled'],
    ['Preferred', 'v1.36.0', 'Disabled'],
    ['Preferred', 'v1.99.0', 'Enabled'],
  ] as const)('%s with %s: %s', async (mode, version, state) => {
    const { nodeClass } = await nodeClassHarness({
      spec: { imageFamily: 'Ubuntu2204', localDNS: localDNS(mode) },
      answers: { version },
    })
    expect((await nodeClass()).status?.localDNSState).toBe(state)
  })

  const withPolicies = (network: string): HarnessOptions => ({
    spec: { imageFamily: 'Ubuntu2204', localDNS: localDNS('Preferred') },
    env: { NETWORK_POLICY: network },
    answers: { version: 'v1.35.0' },
  })
  const addPolicy = (client: KubeClient, namespace: string, name: string) =>
    client.create(policyKind, {
      ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { namespace, name } },
    })

  test.each([
    ['calico', 'default', 'deny', 'Disabled'],
    // Without a policy engine, nothing enforces the policy.
    ['', 'default', 'deny', 'Enabled'],
    // AKS itself created this policy.
    ['calico', 'kube-system', 'konnectivity-agent', 'Enabled'],
  ])('with the engine %j and the policy %s/%s: %s', async (network, namespace, name, state) => {
    const { client, answers, clock, nodeClass } = await nodeClassHarness(withPolicies(network))
    expect((await nodeClass()).status?.localDNSState).toBe('Disabled')
    await addPolicy(client, namespace, name)
    answers.version = 'v1.99.0'
    await clock.advance(21 * MINUTE)
    expect((await nodeClass()).status?.localDNSState).toBe(state)
  })

  test('a preferred DNS server that was enabled stays enabled when a policy is added', async () => {
    const { client, answers, clock, nodeClass } = await nodeClassHarness(withPolicies('calico'))
    answers.version = 'v1.99.0'
    await clock.advance(21 * MINUTE)
    await addPolicy(client, 'default', 'deny')
    await clock.advance(21 * MINUTE)
    expect((await nodeClass()).status?.localDNSState).toBe('Enabled')
  })

  test('if the API server does not answer and the class has no state yet, launches stop and the condition says why', async () => {
    const { told } = await nodeClassHarness({
      spec: { imageFamily: 'Ubuntu2204', localDNS: localDNS('Preferred') },
      env: { NETWORK_POLICY: 'cilium' },
      answers: { version: 'v1.99.0', policies: new Error('the server is on fire') },
    })
    expect(await told('LocalDNSReady')).toMatch(/^False CheckingClusterRequirementsFailed: .*the server is on fire/)
  })
})
