import { formatResources, labels, type Milliseconds, taints } from '@kerf/apis'
import { offeringAllocatable } from '@kerf/provider-contract'
import { ExampleProvider, exampleNodeClass, type Server, type ServerApi, serverTypes } from '@kerf/provider-example'
import { exampleDescriptor } from '@kerf/provider-example/descriptor'
import { FakeServers, PROVIDER_ID_PREFIX, TAG } from '@kerf/provider-example/testing'
import { sleep } from '@kerf/runtime'
import type { CloudCall } from '@kerf/sandbox'
import { node } from '@kerf/testing'
import type { Cloud, CloudHost } from '../../../../tests/simulation/environment/clouds/cloud.ts'
import { priceIn } from '../../../../tests/simulation/environment/clouds/price-in.ts'
import { InstanceKubelets } from '../../../../tests/simulation/environment/instance-kubelets.ts'
import type { ProcessHandle } from '../../../../tests/simulation/environment/kerf-process.ts'
import type { LiveInstance } from '../../../../tests/simulation/environment/live-instance.ts'
import { picked } from '../../../../tests/simulation/environment/tolerant-calls.ts'

const STOPPING: Milliseconds = 5_000
/** How long a launch takes, in milliseconds. It is long enough for other events to happen during the launch. */
const LAUNCH_TAKES: Milliseconds = 1_000
const AN_HOUR: Milliseconds = 3_600_000
/**
 * Tags of servers in the same account that do not belong to Kerf: a server of another program with the same key, and a server without
 * tags.
 */
const FOREIGN = [{ [TAG.owner]: 'shared', [TAG.pool]: 'open' }, {}]

const providerIdOf = ({ id }: Server): string => `${PROVIDER_ID_PREFIX}${id}`
const never = <T>(): Promise<T> => new Promise<T>(() => {})

/** Creates the cloud of the example provider over its fake servers. It never interrupts servers, but servers can fail. */
export const exampleCloud = (host: CloudHost): Cloud => {
  const { clock, admin, listeners, interrupted } = host
  const servers = new FakeServers(clock, STOPPING)
  const foreign = new Set(
    FOREIGN.map((tags, index) =>
      providerIdOf(
        servers.put({ token: `foreign-${index}`, type: 's-2', zone: 'example-1a', isSpot: false, tags }, AN_HOUR),
      ),
    ),
  )
  const own = (): readonly Server[] => servers.all().filter((server) => !foreign.has(providerIdOf(server)))
  const runningOnes = (): readonly Server[] => own().filter(({ state }) => state === 'running')
  const kubelets = new InstanceKubelets({
    ...{ client: admin, clock, random: host.random.fork('example') },
    silence: (name) => host.silence(name),
    neverRegisters: () => host.neverRegisters(),
    nodeOf: (id) => nodeOf(runningOnes().find((server) => server.id === id)),
  })
  const launched = new Set<string>()
  const boot = ({ id }: Server): void => {
    if (launched.has(id)) return
    launched.add(id)
    kubelets.boot(id)
  }
  /** Performs a cloud call for a Kerf process, and injects the faults of this call. */
  const call = async <T>(handle: ProcessHandle, made: CloudCall, work: () => Promise<T>): Promise<T> => {
    if (handle.isDead) return await never()
    listeners.cloudCall(made)
    const fault = host.failureOf(made)
    if (fault?.before !== undefined) throw fault.before
    const answer = await work()
    if (handle.isDead) return await never()
    if (fault?.after !== undefined) throw fault.after
    return answer
  }
  const serversOf = (handle: ProcessHandle): ServerApi => ({
    create: (request, signal) =>
      call(handle, { verb: 'run', subject: request.token }, async () => {
        const server = await servers.create(request, signal)
        boot(server)
        await sleep(clock, LAUNCH_TAKES)
        return server
      }),
    describe: (id, signal) => call(handle, { verb: 'describe', subject: id }, () => servers.describe(id, signal)),
    list: (tag, signal) => call(handle, { verb: 'list', subject: '' }, () => servers.list(tag, signal)),
    stop: (id, signal) =>
      call(handle, { verb: 'terminate', subject: id }, async () => {
        listeners.terminating(`${PROVIDER_ID_PREFIX}${id}`)
        await servers.stop(id, signal)
        kubelets.end(id, STOPPING)
      }),
  })
  return {
    foreignInstances: foreign,
    collectsLeaks: true,
    resources: [exampleNodeClass],
    prepare: async (client) => {
      await client.create(exampleNodeClass.kind, {
        ...exampleDescriptor.nodeClasses[0].example,
        ...{ spec: { image: 'linux-2026' } },
      })
    },
    provider: (context, handle) => ({ provider: new ExampleProvider(context, serversOf(handle)) }),
    billed: () => own().map(liveServer),
    running: () => runningOnes().map(liveServer),
    priceOf: (claim) => priceIn(serverTypes(), claim),
    stockOut: (selector) => {
      servers.outOfStock.push(selector)
      return () => {
        servers.outOfStock = servers.outOfStock.filter((each) => each !== selector)
      }
    },
    kill: (pick) => {
      const server = picked(runningOnes(), pick)
      if (server === undefined) return
      interrupted.add(providerIdOf(server))
      servers.remove(server.id)
      kubelets.end(server.id, 0)
    },
    interrupt: () => {},
    recover: () => {
      servers.outOfStock = []
    },
    isGone: (nodeName) => kubelets.isGone(nodeName),
  }
}

const liveServer = (server: Server): LiveInstance => ({
  providerID: providerIdOf(server),
  claimUid: server.tags[TAG.uid] ?? '',
})

/** Returns the Node that a server registers, with the cloud's labels and with the taint that Kerf removes. */
const nodeOf = (server: Server | undefined): ReturnType<typeof node> | undefined => {
  if (server === undefined) return undefined
  const { id, type: name, zone } = server
  const type = serverTypes().find((each) => each.name === name)
  if (type === undefined) return undefined
  return node(id, {
    labels: {
      [labels.hostname]: id,
      [labels.os]: 'linux',
      [labels.arch]: 'amd64',
      [labels.instanceType]: name,
      [labels.zone]: zone,
    },
    providerID: providerIdOf(server),
    spec: { taints: [taints.unregistered] },
    status: { capacity: formatResources(type.capacity), allocatable: formatResources(offeringAllocatable(type)) },
  })
}
