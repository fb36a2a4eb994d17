import { formatTime, type NodeClaim } from '@kerf/apis'
import { NodeClaimNotFoundError } from '@kerf/provider-contract'
import { VirtualClock } from '@kerf/runtime'
import { nodeClaim } from '@kerf/testing'
import { expect, test } from 'vitest'
import { LaunchLedger } from './launch-ledger.ts'

const never = new AbortController().signal

interface Server {
  readonly id: string
  isEnding: boolean
  /** The claim uids in the tags of the server. */
  readonly uids: readonly string[]
  readonly size?: string
}

const claimOf = (uid: string, born: number, size?: string): NodeClaim =>
  nodeClaim(uid, {
    ...(size === undefined ? {} : { labels: { size } }),
    metadata: { uid, creationTimestamp: formatTime(born) },
  })

/** A ledger over servers, each of which may carry the uids of several claims. */
const world = () => {
  const clock = new VirtualClock()
  const servers = new Map<string, Server>()
  /** The claims that name each server in their status. */
  const named = new Map<string, readonly NodeClaim[]>()
  let lookUps = 0
  const run = () =>
    new LaunchLedger<Server>(
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

/** The ledger of a run that began two minutes later. */
const laterRun = async ({ run, clock }: ReturnType<typeof world>) => {
  const ledger = run()
  await ledger.find(claimOf('first', clock.now()), never)
  await clock.advance(120_000)
  return ledger
}

test('a launch of this run is remembered, so the cloud is not searched', async () => {
  const { run, plant, clock, lookUps } = world()
  const ledger = run()
  plant('s-1', 'a')
  ledger.begin('a')
  ledger.launched('a', 's-1')
  expect((await ledger.find(claimOf('a', clock.now()), never))?.id).toBe('s-1')
  expect(lookUps()).toBe(0)
})

test('a remembered instance that is terminating is ignored; one that is gone throws its own error', async () => {
  const { run, plant, clock, servers, lookUps } = world()
  const ledger = run()
  const server = plant('s-1', 'a')
  ledger.launched('a', 's-1')
  server.isEnding = true
  expect(await ledger.find(claimOf('a', clock.now()), never)).toBeUndefined()
  servers.clear()
  await expect(ledger.find(claimOf('a', clock.now()), never)).rejects.toThrow(NodeClaimNotFoundError)
  expect(lookUps()).toBe(0)
})

test('an instance of an earlier run is found by its tags, and remembered', async () => {
  const { run, plant, clock, lookUps } = world()
  plant('s-1', 'a')
  const ledger = run()
  const claim = claimOf('a', clock.now())
  expect((await ledger.find(claim, never))?.id).toBe('s-1')
  expect((await ledger.find(claim, never))?.id).toBe('s-1')
  expect(lookUps()).toBe(1)
})

test('of several instances, the first that is alive, fits, and is not taken by another claim is returned', async () => {
  const { run, plant, clock, named, servers } = world()
  const other = claimOf('other', clock.now())
  plant('s-1', 'a', 'b').isEnding = true
  plant('s-2', 'a', 'b')
  named.set('s-2', [other])
  servers.set('s-3', { id: 's-3', isEnding: false, uids: ['a', 'b', 'c'], size: 'huge' })
  plant('s-5', 'a', 'b')
  plant('s-4', 'a', 'b')
  const ledger = run()
  expect((await ledger.find(claimOf('a', clock.now()), never))?.id).toBe('s-4')
  // No status is written yet, but the next claim gets the next instance.
  expect((await ledger.find(claimOf('b', clock.now()), never))?.id).toBe('s-5')
  expect((await ledger.find(claimOf('c', clock.now(), 'huge'), never))?.id).toBe('s-3')
})

test('the claim’s own status does not mark its instance as taken', async () => {
  const { run, plant, clock, named } = world()
  const claim = claimOf('a', clock.now())
  plant('s-1', 'a')
  named.set('s-1', [claim])
  expect((await run().find(claim, never))?.id).toBe('s-1')
})

test('a claim that is created a minute after the first launch of this run is not searched for', async () => {
  const { run, clock, lookUps } = world()
  await clock.advance(600_000)
  const ledger = run()
  const start = clock.now()
  await ledger.find(claimOf('a', start), never)
  await ledger.find(claimOf('b', start + 60_000), never)
  expect(lookUps()).toBe(2)
  await ledger.find(claimOf('c', start + 61_000), never)
  expect(lookUps()).toBe(2)
  const { creationTimestamp: _, ...metadata } = claimOf('d', start).metadata
  await ledger.find({ ...claimOf('d', start), metadata }, never)
  expect(lookUps()).toBe(3)
})

test('an interrupted launch is searched for; a refused launch is not', async () => {
  const all = world()
  const ledger = await laterRun(all)
  const before = all.lookUps()
  ledger.begin('a')
  ledger.failed('a')
  all.plant('s-1', 'a', 'b')
  expect(await ledger.find(claimOf('a', all.clock.now()), never)).toBeUndefined()
  expect(all.lookUps()).toBe(before)
  ledger.begin('b')
  expect((await ledger.find(claimOf('b', all.clock.now()), never))?.id).toBe('s-1')
})

test('a failed search is an error, because launching anyway could launch twice', async () => {
  const ledger = new LaunchLedger<Server>(
    new VirtualClock(),
    { claimsOf: () => [] },
    {
      get: () => Promise.reject(new Error('get')),
      launchedFor: () => Promise.reject(new Error('the cloud is away')),
      couldBeFor: () => true,
    },
  )
  await expect(ledger.find(claimOf('a', 0), never)).rejects.toThrow('the cloud is away')
})

test('launches are remembered for one hour', async () => {
  const all = world()
  const ledger = await laterRun(all)
  const claim = claimOf('a', all.clock.now())
  all.plant('s-1', 'a')
  ledger.begin('a')
  ledger.launched('a', 's-1')
  await all.clock.advance(3_599_000)
  expect((await ledger.find(claim, never))?.id).toBe('s-1')
  await all.clock.advance(2_000)
  expect(await ledger.find(claim, never)).toBeUndefined()
})
