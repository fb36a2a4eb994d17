import { coreVocabulary, kinds } from '@kerf/apis'
import { describeWithCustomResources } from '@kerf/control-plane/testing'
import type { ProviderDescriptor } from '@kerf/provider-contract'
import { expect, onTestFinished, test } from 'vitest'
import { Audit } from '../../../packages/cli/src/doctor/audit.ts'
import { loadChecks } from '../../../packages/cli/src/doctor/checks.ts'
import { auditFindings } from '../../../packages/cli/src/doctor/finding.ts'
import { readCluster } from '../../../packages/cli/src/doctor/read-cluster.ts'
import { providers } from '../../../packages/cli/src/providers.ts'
import { realStory } from '../story/story-cluster.ts'

const checks = await loadChecks()

describeWithCustomResources('kerf doctor on a real API server', (shared) => {
  test('every kind is read in the version that the cluster serves, and events are found by reason', async () => {
    const cluster = await realStory(shared(), async () => async () => {})
    onTestFinished(() => cluster.close())
    const { client } = cluster
    await client.create(kinds.Event, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'scaled', namespace: 'default' },
      involvedObject: { kind: 'ConfigMap', namespace: 'default', name: 'cluster-autoscaler-status' },
      reason: 'ScaledUpGroup',
      firstTimestamp: new Date().toISOString(),
    })
    const kept = { apiVersion: 'v1', kind: 'ConfigMap', data: {} }
    const names = (providers as readonly ProviderDescriptor[]).flatMap(({ priceConfigMap = [] }) => priceConfigMap)
    expect(names.length).toBeGreaterThan(0)
    for (const namespace of ['default', 'kube-system'])
      for (const name of names) await client.create(kinds.ConfigMap, { ...kept, metadata: { name, namespace } })
    const { objects, unread } = await readCluster(client)
    for (const name of names) expect(objects.filter(({ metadata }) => metadata.name === name)).toHaveLength(2)
    expect([...unread]).toEqual([])
    expect(new Set(objects.map(({ kind }) => kind))).toContain('CustomResourceDefinition')
    expect(objects.filter(({ kind }) => kind === 'Event').map(({ metadata }) => metadata.name)).toContain('scaled')
    const audit = new Audit({
      objects,
      now: Date.now(),
      source: { kind: 'cluster', unread },
      typesOf: () => undefined,
      vocabulary: coreVocabulary,
    })
    const findings = auditFindings(audit, checks)
    // Kerf's CRDs pass check CTL-003 in the form in which the API server stores them.
    expect(findings.find(({ id }) => id === 'CTL-003')).toMatchObject({
      status: 'pass',
      seen: 'the CRDs serve and store the versions that Kerf reads',
    })
    expect(findings.filter(({ seen }) => seen.includes('does not match its API'))).toEqual([])
  })
})
