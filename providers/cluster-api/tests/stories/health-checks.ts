import type { KubeObject, NewObject } from '@kerf/apis'
import { expect } from 'vitest'
import { ClusterApiStory } from '../src/cluster-api-story.ts'
import type { ClusterApiHarness } from '../src/harness.ts'
import { clusterApiKinds } from '../src/kinds.ts'

/** The minimum startup timeout that the webhook of Cluster API accepts for a health check. */
const STARTUP_SECONDS = 30
/** Longer than a node needs to start on a busy machine, so that the check depends only on the node's condition. */
const PATIENT_SECONDS = 900

const checkHealth = async (harness: ClusterApiHarness, deployment: string, startupSeconds: number): Promise<void> => {
  const { namespace, name } = harness.workload
  const check: NewObject<KubeObject & { readonly spec: object }> = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineHealthCheck',
    metadata: { namespace, name: deployment },
    spec: {
      clusterName: name,
      selector: { matchLabels: { 'cluster.x-k8s.io/deployment-name': deployment } },
      checks: {
        nodeStartupTimeoutSeconds: startupSeconds,
        unhealthyNodeConditions: [{ type: 'Ready', status: 'False', timeoutSeconds: 1 }],
      },
    },
  }
  await harness.client.create(clusterApiKinds.MachineHealthCheck, check)
}

/**
 * The time after which a deletion counts as slow. After 30 s of deletion, a create no longer waits for the Machine's replica
 * (`providers/cluster-api/docs/spec/cluster-api.md`), and Kerf requests one more. Deletions can take that long on a busy machine.
 */
const LINGERING_SECONDS = 25

interface SeenMachines {
  readonly seen: ReadonlySet<string>
  /** Whether the deletion of a Machine took longer than `LINGERING_SECONDS`. */
  readonly lingered: boolean
  look(): Promise<void>
}

/** Collects all Machines that ever existed. */
const seenMachines = (story: ClusterApiStory): SeenMachines => {
  const seen = new Set<string>()
  let lingered = false
  return {
    seen,
    get lingered() {
      return lingered
    },
    look: async () => {
      for (const { metadata } of await story.machines()) {
        seen.add(metadata.name)
        const since = Date.parse(metadata.deletionTimestamp ?? '')
        if (Date.now() - since > LINGERING_SECONDS * 1_000) lingered = true
      }
    },
  }
}

/**
 * No machine of this template ever starts, so the NodeClaim waits and reports the reason. The health check deletes the Machine, and Cluster
 * API creates another one. The NodeClaim ends with its Machine, and the next NodeClaim takes the replacement instead of requesting a third
 * Machine. After the template has been corrected, a user deletes the Machine of the old template, as OnDelete requires, and the pod runs.
 */
export const runFailedLaunchStory = async (harness: ClusterApiHarness): Promise<void> => {
  const story = await ClusterApiStory.open(harness, 'failed', { deployments: { failed: { startup: '24h' } } })
  await checkHealth(harness, 'failed', STARTUP_SECONDS)
  await story.deploy(1)
  const machines = seenMachines(story)
  await story.until('a claim that waits for its machine', async () => {
    const [claim] = await story.claims()
    const launched = claim?.status?.conditions?.find(({ type }) => type === 'Launched')
    return launched?.status === 'Unknown' && /Machine default\/failed-\S+ is being created/.test(launched.message ?? '')
  })
  const [first] = await story.bound()
  await machines.look()
  await story.until('the replacement to be taken', async () => {
    const [machine, ...more] = await story.machines()
    const uid = machine?.metadata.annotations?.['kerf.sh/nodeclaim-uid']
    return more.length === 0 && machine?.metadata.uid !== first?.metadata.uid && uid !== undefined
  })
  const [second] = await story.bound()
  await machines.look()
  expect(await story.claims()).toHaveLength(1)
  await story.replicasAt(1)

  await harness.workload.newTemplate('failed')
  const { namespace } = harness.workload
  await harness.client.delete(clusterApiKinds.Machine, { namespace, name: second?.metadata.name ?? '' })
  await story.settledAt(1)
  await story.machinesSettledAt(1)
  await machines.look()
  expect(await story.bound()).toHaveLength(1)
  await story.replicasAt(1)
  expect(machines.seen.size).toBe(3)
}

/** A node becomes not ready: the health check replaces its Machine, and the pod runs on the replacement. */
export const runRemediationStory = async (harness: ClusterApiHarness): Promise<void> => {
  const story = await ClusterApiStory.open(harness, 'checked')
  await checkHealth(harness, 'checked', PATIENT_SECONDS)
  await story.deploy(2, '3')
  await story.settledAt(2)
  const machines = seenMachines(story)
  const [failing, well] = await story.bound()
  const before = await story.claims()
  await harness.failNode(failing?.metadata.name ?? '')
  await story.until('another machine in its place', async () => {
    await machines.look()
    const found = await story.machines()
    return found.length === 2 && found.every(({ metadata }) => metadata.uid !== failing?.metadata.uid)
  })
  // The pod of the failed node counts as running until its Node is deleted. Only then does a NodeClaim take the replacement.
  await story.until('the replacement to be taken', async () => {
    await machines.look()
    const there = new Set((await story.machines()).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`))
    const claims = await story.claims()
    const taken = claims.map(({ metadata }) => metadata.annotations?.['cluster.x-k8s.io/machine'] ?? '')
    return taken.length === 2 && taken.every((name) => there.has(name))
  })
  await story.settledAt(2)
  await machines.look()
  const after = await story.bound()
  expect(after).toHaveLength(2)
  expect(after.map(({ metadata }) => metadata.uid)).toContain(well?.metadata.uid)
  await story.replicasAt(2)
  // The NodeClaim took the replacement, and Kerf requested no additional machine.
  if (!machines.lingered) expect(machines.seen.size).toBe(3)
  expect(machines.seen.size).toBeLessThanOrEqual(4)
  const stays = before.find(({ metadata }) => metadata.uid === well?.metadata.annotations?.['kerf.sh/nodeclaim-uid'])
  expect((await story.claims()).map(({ metadata }) => metadata.uid)).toContain(stays?.metadata.uid)
  expect(await story.machines()).toHaveLength(2)
}
