import { kinds as coreKinds, karpenterKinds, type NodeClaim } from '@kerf/apis'
import { LaunchPendingError } from '@kerf/provider-contract'
import {
  type KubeClient,
  PrometheusMetrics,
  SeededRandom,
  SharedInformers,
  silentLogger,
  VirtualClock,
} from '@kerf/runtime'
import { installCustomResources, RecordingEventRecorder } from '@kerf/runtime/testing'
import { SandboxApi } from '@kerf/sandbox'
import { node, nodeClaim } from '@kerf/testing'
import { afterEach, describe, expect, test } from 'vitest'
import { ClusterApiProvider } from './cluster-api-provider.ts'
import { machineFacts } from './instance-type/machine-facts.ts'
import { ObservedMachines } from './instance-type/observed-machines.ts'
import { BindingSteps } from './machines/binding.ts'
import type { ClaimView, DeploymentState, MachineView } from './machines/machine-view.ts'
import { InformedManagementCluster } from './management/informed-management-cluster.ts'
import type { ManagementCluster } from './management/management-cluster.ts'
import { membershipReader } from './members/membership-reader.ts'
import { clusterApiAnnotations, clusterApiLabels } from './names.ts'
import { clusterApiNodeClassKind, clusterApiNodeClassResource } from './node-class/cluster-api-node-class.ts'
import { CLASS_REF, prepareClusterApi, sizedDeployment } from './testing/provider-harness.ts'
import { simulatedKinds } from './testing/simulator/definitions.ts'
import { deploymentObject, NAMESPACE, plantedMachine } from './testing/simulator/management-objects.ts'

const kinds = simulatedKinds('v1beta2')
const DEPLOYMENT = 'small'
const never = new AbortController().signal
let stop = new AbortController()
afterEach(() => stop.abort(new Error('the test is over')))

/** Counts reads of the management cluster: each answer is one step, and each object in a list is one more. */
const counted = (management: InformedManagementCluster) => {
  const steps = { count: 0 }
  const wrapped = new Proxy<ManagementCluster>(management, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property)
      if (typeof value !== 'function') return value
      return (...args: readonly unknown[]): unknown => {
        const answer: unknown = Reflect.apply(value, target, args)
        steps.count += 1 + (Array.isArray(answer) ? answer.length : 0)
        return answer
      }
    },
  })
  return { management: wrapped, steps }
}

/** Adds a Machine that a NodeClaim holds, with or without an instance, and its Node. */
const addHeld = async (client: KubeClient, index: number, isLaunched: boolean): Promise<NodeClaim> => {
  const name = `${DEPLOYMENT}-${index}`
  const providerID = `in-memory://${name}`
  const spec = { nodeClassRef: CLASS_REF, requirements: [] }
  const annotations = {
    [clusterApiAnnotations.machine]: `${NAMESPACE}/${name}`,
    [clusterApiAnnotations.machineDeployment]: `${NAMESPACE}/${DEPLOYMENT}`,
  }
  const wanted = nodeClaim(`claim-${index}`, { annotations, spec })
  const claim = await client.create(karpenterKinds.NodeClaim, wanted)
  const machine = plantedMachine(kinds, name, { providerID, isMember: true })
  const { providerID: _, ...withoutId } = machine.spec ?? {}
  await client.create(kinds.Machine, {
    ...machine,
    metadata: {
      ...machine.metadata,
      labels: { ...machine.metadata.labels, [clusterApiLabels.deploymentName]: DEPLOYMENT },
      annotations: { [clusterApiAnnotations.nodeClaimUid]: claim.metadata.uid ?? '' },
    },
    spec: isLaunched ? { ...withoutId, providerID } : withoutId,
  })
  if (isLaunched) await client.create(coreKinds.Node, node(name, { spec: { providerID } }))
  return claim
}

/** Creates a provider with this many Machines held by NodeClaims. */
const start = async (count: number, isLaunched: boolean) => {
  stop = new AbortController()
  const [clock, random, log] = [new VirtualClock(), new SeededRandom(1), silentLogger]
  const client = new SandboxApi({ clock, random }).client()
  await installCustomResources(client, [clusterApiNodeClassResource])
  await prepareClusterApi(client, kinds, clock.now())
  const annotations = {
    [clusterApiAnnotations.replicasWanted]: `${count}`,
    [clusterApiAnnotations.replicasOfOthers]: '0',
  }
  const size = sizedDeployment('small', 'zone-a', 'on-demand', { replicas: count, annotations })
  await client.create(kinds.MachineDeployment, deploymentObject(kinds, DEPLOYMENT, size))
  const claims: NodeClaim[] = []
  for (let index = 0; index < count; index += 1) claims.push(await addHeld(client, index, isLaunched))
  const informers = new SharedInformers({ client, clock, random, logger: log })
  const context = { client, informers, clock, random, log, events: new RecordingEventRecorder() }
  const nodes = informers.of(coreKinds.Node)
  const informed = new InformedManagementCluster({ client, clock, random, log, nodes, origin: 'the test' })
  const { management, steps } = counted(informed)
  const observed = new ObservedMachines(clock, management, (name) => nodes.get(name))
  const provider = new ClusterApiProvider(context, {
    aliases: [],
    ...{ management, metrics: new PrometheusMetrics(), driftOf: () => undefined },
    membership: membershipReader(management, informers.of(clusterApiNodeClassKind)),
    factsOf: (each) => machineFacts(observed.of(each), undefined),
  })
  informers.start(stop.signal)
  void informed.run(stop.signal)
  await clock.advance(30_000)
  return { provider, claims, steps }
}

const stepsOf = async (
  count: number,
  isLaunched: boolean,
  act: (harness: Awaited<ReturnType<typeof start>>) => Promise<void>,
) => {
  const harness = await start(count, isLaunched)
  const before = harness.steps.count
  await act(harness)
  return harness.steps.count - before
}

describe('ten times the Machines need at most ten times the steps', () => {
  test('for launches that wait for their instance', async () => {
    const launchAll = async ({ provider, claims }: Awaited<ReturnType<typeof start>>) => {
      for (const claim of claims) await expect(provider.create(claim, never)).rejects.toThrow(LaunchPendingError)
    }
    const few = await stepsOf(30, false, launchAll)
    expect(await stepsOf(300, false, launchAll)).toBeLessThanOrEqual(few * 10)
  })

  test('for launches that find their instance', async () => {
    const launchAll = async ({ provider, claims }: Awaited<ReturnType<typeof start>>) => {
      for (const claim of claims) expect((await provider.create(claim, never)).providerID).toContain('in-memory://')
    }
    const few = await stepsOf(30, true, launchAll)
    expect(await stepsOf(300, true, launchAll)).toBeLessThanOrEqual(few * 10)
  })

  test('for a list', async () => {
    const listAll =
      (count: number) =>
      async ({ provider }: Awaited<ReturnType<typeof start>>) => {
        expect(await provider.list(never)).toHaveLength(count)
      }
    const few = await stepsOf(30, true, listAll(30))
    expect(await stepsOf(300, true, listAll(300))).toBeLessThanOrEqual(few * 10)
  })

  test('a deployment whose Machines change continuously is checked once per second', async () => {
    const surplusLooks =
      (count: number) =>
      async ({ provider }: Awaited<ReturnType<typeof start>>) => {
        const surplus = provider.controllers().find(({ name }) => name === 'machine.surplus')
        for (let index = 0; index < count; index += 1) await surplus?.reconcile(`${NAMESPACE}/${DEPLOYMENT}`, never)
      }
    const few = await stepsOf(30, true, surplusLooks(30))
    expect(few).toBeGreaterThan(30)
    expect(await stepsOf(300, true, surplusLooks(300))).toBeLessThanOrEqual(few * 10)
  })

  test('for the bindings of one pass', () => {
    expect(bindingSteps(1_000)).toBeLessThanOrEqual(bindingSteps(100) * 15)
  })
})

/** Returns how often a name or uid is read while this many NodeClaims take this many Machines. */
const bindingSteps = (count: number): number => {
  let reads = 0
  const read = <T extends object>(object: T): T =>
    new Proxy(object, {
      get: (target, property) => {
        reads += 1
        return Reflect.get(target, property)
      },
    })
  const indexes = Array.from({ length: count }, (_, index) => index)
  const machines = indexes.map((index): MachineView => {
    const flags = { member: false, deleting: false, lingering: false, failed: false, registered: false }
    return read({
      ...flags,
      name: `m-${index}`,
      uid: `${index}`,
      set: 's',
      createdAt: index,
      claimUid: undefined,
      mark: undefined,
    })
  })
  const claims = indexes.map((index): ClaimView => {
    const name = `c-${index}`
    return read({ name, uid: `uid-${index}`, machine: undefined, deleting: false, waiting: true })
  })
  const state: DeploymentState = {
    deployment: {
      ...{ namespace: NAMESPACE, name: DEPLOYMENT, replicas: count, lastWritten: count, ofOthers: 0 },
      ...{ strategy: 'OnDelete', maximum: undefined, bornMember: false },
    },
    sets: [{ name: 's', revision: 1, replicas: count }],
    machines,
    claims,
  }
  const steps = new BindingSteps(state)
  const taken = new Set<string>()
  for (const claim of claims) {
    const step = steps.next(claim)
    if (step.kind !== 'bind') throw new Error(`claim ${claim.name} gets no Machine: ${step.kind}`)
    taken.add(step.machine.name)
    steps.took({ ...step.machine, claimUid: claim.uid, member: true }, claim)
  }
  expect(taken.size).toBe(count)
  return reads
}
