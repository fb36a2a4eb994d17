import { formatTime, type NodeClaim } from '@kerf/apis'
import { NodeClaimNotFoundError } from '@kerf/provider-contract'
import { VirtualClock } from '@kerf/runtime'
import { nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { LaunchRecords } from './launch-records.ts'

const never = new AbortController().signal

interface Server {
  readonly id: string
  isEnding: boolean
  /** The NodeClaim uids in the tags of the server. */
  readonly uids: readonly string[]
  readonly size?: string
}

const claimBornAt = (uid: string, born: number, size?: string): NodeClaim =>
  nodeClaim(uid, {
    ...(size === undefined ? {} : { labels: { size } }),
    metadata: { uid, creationTimestamp: formatTime(born) },
  })

/** Creates launch records for servers. The tags of a server may contain the uids of several NodeClaims. */
const harness = () => {
  const clock = new VirtualClock()
  const servers = new Map<string, Server>()
  /** The NodeClaims whose status contains a server, keyed by server. */
  const named = new Map<string, readonly NodeClaim[]>()
  let lookUps = 0
  const run = () =>
    new LaunchRecords<Server>(
      clock,
      { claimsOf: (id) => named.get(id) ?? [] },
      {
        get: async (id) => {
          const server = servers.get(id)
          if (server === undefined) throw new NodeClaimNotFoundError(`server ${id} is gone`)
          return server
        },
        launchedFor: async ({ metadata }) => {
          lookUps++
          return [...servers.values()].filter(({ uids }) => uids.includes(metadata.uid ?? ''))
        },
        couldBeFor: ({ size }, { metadata }) => size === metadata.labels?.['size'],
      },
    )
  const plant = (id: string, ...uids: readonly string[]): Server => {
    const server = { id, isEnding: false, uids }
    servers.set(id, server)
    return server
  }
  return { clock, servers, named, run, plant, lookUps: () => lookUps }
}

/** Returns the launch records of another process, which starts two minutes later. */
const laterRun = async ({ run, clock }: ReturnType<typeof harness>) => {
  const launchRecords = run()
  await launchRecords.find(claimBornAt('first', clock.now()), never)
  await clock.advance(120_000)
  return launchRecords
}

test('for a launch of this run, the cloud is not searched', async () => {
  const { run, plant, clock, lookUps } = harness()
  const launchRecords = run()
  plant('s-1', 'a')
  launchRecords.begin('a')
  launchRecords.launched('a', 's-1')
  expect((await launchRecords.find(claimBornAt('a', clock.now()), never))?.id).toBe('s-1')
  expect(lookUps()).toBe(0)
})

test('a recorded instance that is terminating is ignored; for an instance that is gone, the error of the cloud is thrown', async () => {
  const { run, plant, clock, servers, lookUps } = harness()
  const launchRecords = run()
  const server = plant('s-1', 'a')
  launchRecords.launched('a', 's-1')
  server.isEnding = true
  expect(await launchRecords.find(claimBornAt('a', clock.now()), never)).toBeUndefined()
  servers.clear()
  await expect(launchRecords.find(claimBornAt('a', clock.now()), never)).rejects.toThrow(NodeClaimNotFoundError)
  expect(lookUps()).toBe(0)
})

test('an instance of an earlier run is found by its tags, and recorded', async () => {
  const { run, plant, clock, lookUps } = harness()
  plant('s-1', 'a')
  const launchRecords = run()
  const claim = claimBornAt('a', clock.now())
  expect((await launchRecords.find(claim, never))?.id).toBe('s-1')
  expect((await launchRecords.find(claim, never))?.id).toBe('s-1')
  expect(lookUps()).toBe(1)
})

test('returns the first instance that is alive, fits, and is not taken by another claim', async () => {
  const { run, plant, clock, named, servers } = harness()
  const other = claimBornAt('other', clock.now())
  plant('s-1', 'a', 'b').isEnding = true
  plant('s-2', 'a', 'b')
  named.set('s-2', [other])
  servers.set('s-3', { id: 's-3', isEnding: false, uids: ['a', 'b', 'c'], size: 'huge' })
  plant('s-5', 'a', 'b')
  plant('s-4', 'a', 'b')
  const launchRecords = run()
  expect((await launchRecords.find(claimBornAt('a', clock.now()), never))?.id).toBe('s-4')
  // No status contains the first instance yet. Nevertheless, the next NodeClaim must get another instance.
  expect((await launchRecords.find(claimBornAt('b', clock.now()), never))?.id).toBe('s-5')
  expect((await launchRecords.find(claimBornAt('c', clock.now(), 'huge'), never))?.id).toBe('s-3')
})

test('the claim’s own status does not mark its instance as taken', async () => {
  const { run, plant, clock, named } = harness()
  const claim = claimBornAt('a', clock.now())
  plant('s-1', 'a')
  named.set('s-1', [claim])
  expect((await run().find(claim, never))?.id).toBe('s-1')
})

test('for a claim created over a minute after the first launch of this run, the cloud is not searched', async () => {
  const { run, clock, lookUps } = harness()
  await clock.advance(600_000)
  const launchRecords = run()
  const start = clock.now()
  await launchRecords.find(claimBornAt('a', start), never)
  await launchRecords.find(claimBornAt('b', start + 60_000), never)
  expect(lookUps()).toBe(2)
  await launchRecords.find(claimBornAt('c', start + 61_000), never)
  expect(lookUps()).toBe(2)
  const { creationTimestamp: _, ...metadata } = claimBornAt('d', start).metadata
  await launchRecords.find({ ...claimBornAt('d', start), metadata }, never)
  expect(lookUps()).toBe(3)
})

test('after an interrupted launch, the cloud is searched; after a refused launch, it is not', async () => {
  const all = harness()
  const launchRecords = await laterRun(all)
  const before = all.lookUps()
  launchRecords.begin('a')
  launchRecords.failed('a')
  all.plant('s-1', 'a', 'b')
  expect(await launchRecords.find(claimBornAt('a', all.clock.now()), never)).toBeUndefined()
  expect(all.lookUps()).toBe(before)
  launchRecords.begin('b')
  expect((await launchRecords.find(claimBornAt('b', all.clock.now()), never))?.id).toBe('s-1')
})

test('a failed search is an error, because otherwise a second instance could be launched', async () => {
  const launchRecords = new LaunchRecords<Server>(
    new VirtualClock(),
    { claimsOf: () => [] },
    {
      get: () => Promise.reject(new Error('get')),
      launchedFor: () => Promise.reject(new Error('the cloud is away')),
      couldBeFor: () => true,
    },
  )
  await expect(launchRecords.find(claimBornAt('a', 0), never)).rejects.toThrow('the cloud is away')
})

test('launches are recorded for one hour', async () => {
  const all = harness()
  const launchRecords = await laterRun(all)
  const claim = claimBornAt('a', all.clock.now())
  all.plant('s-1', 'a')
  launchRecords.begin('a')
  launchRecords.launched('a', 's-1')
  await all.clock.advance(3_599_000)
  expect((await launchRecords.find(claim, never))?.id).toBe('s-1')
  await all.clock.advance(2_000)
  expect(await launchRecords.find(claim, never)).toBeUndefined()
})
