import { coreVocabulary, karpenterKinds, kinds } from '@kerf/apis'
import { leastCost } from '@kerf/engine'
import { loadInstanceTypes } from '@kerf/provider-kwok'
import { nodeClassRef } from '@kerf/testing'
import { expect, test } from 'vitest'
import {
  alteredProvider,
  createDisruptablePool,
  createPendingPod,
  createPodOn,
  type Harness,
  launchNode,
  launchNodes,
} from '../testing/harness/index.ts'
import { harnessPerTest } from '../testing/harness-per-test.ts'
import type { BoundResponse } from './bound.ts'

const start = harnessPerTest()
const { signal } = new AbortController()
const MINUTE = 60_000

const ask = async (w: Harness): Promise<BoundResponse> =>
  (await w.kerf.respond('/kerf/v1/bound', signal)) as BoundResponse

/** Creates a pool that does not consolidate, so that the nodes of the test stay. */
const aPool = (w: Harness) =>
  createDisruptablePool(
    w,
    'general',
    { disruption: { consolidateAfter: 'Never' } },
    { spec: { nodeClassRef, requirements: [] } },
  )

/** Starts Kerf with one pool and one node that runs one pod. */
const withOnePod = async (): Promise<Harness> => {
  const w = await start()
  await aPool(w)
  const { node } = await launchNode(w)
  await createPodOn(w, 'first', node)
  await w.pass(100)
  return w
}

/** Computes the expected bound: calls the engine directly with the objects from the API server. */
const workedOutApart = async (w: Harness) => {
  const pools = (await w.admin.list(karpenterKinds.NodePool)).items
  const pods = (await w.admin.list(kinds.Pod)).items.filter(
    ({ metadata }) => metadata.ownerReferences?.[0]?.kind !== 'DaemonSet',
  )
  const instanceTypes = await loadInstanceTypes()
  const none = { nodes: [], daemonPods: [], namespaces: [], persistentVolumeClaims: [], persistentVolumes: [] }
  const snapshot = { ...none, storageClasses: [], csiNodes: [] }
  return leastCost({ ...snapshot, pools: pools.map((nodePool) => ({ nodePool, instanceTypes })) }, pods, {
    vocabulary: coreVocabulary,
  })
}

const SHARES = ['100m', '250m', '700m', '1', '1500m']

test('with more than 10,000 pods the bound equals that of the engine, and the event loop runs many times meanwhile', async () => {
  const w = await start({ pause: () => new Promise((resolve) => setImmediate(resolve)) })
  await aPool(w)
  const nodes = await launchNodes(w, 30)
  for (let place = 0; place < 10_200; place++) {
    await createPodOn(w, `p-${place}`, nodes[place % nodes.length]?.node ?? '', {
      cpu: SHARES[place % SHARES.length] as string,
    })
  }
  const ofDaemon = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: 'agent', controller: true }
  await createPodOn(w, 'agent', nodes[0]?.node ?? '', { cpu: '900', metadata: { ownerReferences: [ofDaemon] } })
  await w.pass(100)
  let [turns, isOver] = [0, false]
  const count = (): void => {
    turns += 1
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const answer = await ask(w)
  isOver = true
  const apart = await workedOutApart(w)
  expect(apart).toMatchObject({ kind: 'known' })
  expect(answer).toEqual({ at: w.clock.now(), ...apart })
  expect(turns).toBeGreaterThan(10_200 / 250)
})

test('the bound includes pending pods, and is not computed again until a minute later', async () => {
  const w = await withOnePod()
  const [one, same] = await Promise.all([ask(w), ask(w)])
  expect(same).toBe(one)
  expect(one).toEqual({ at: w.clock.now(), ...(await workedOutApart(w)) })
  await createPendingPod(w, 'second', { requests: { cpu: '3' } })
  await w.pass(MINUTE - 200)
  expect(await ask(w)).toBe(one)
  await w.pass(200)
  const later = await ask(w)
  expect(later).toEqual({ at: w.clock.now(), ...(await workedOutApart(w)) })
  expect(later).not.toMatchObject({ cost: (one as { readonly cost?: number }).cost })
})

test('after a restart the response is `starting`, and then the same bound as before the restart', async () => {
  const w = await withOnePod()
  const { at: _, ...before } = await ask(w)
  expect(before).toMatchObject({ kind: 'known' })
  w.restart()
  expect(await ask(w)).toEqual({ at: w.clock.now(), kind: 'starting' })
  await w.pass(5_000)
  expect(await ask(w)).toEqual({ at: w.clock.now(), ...before })
})

test('the bound is unknown if a launchable type has no price, or if nothing can be launched', async () => {
  const w = await start({
    provider: (kwok) =>
      alteredProvider(kwok, {
        instanceTypes: async (pool, signal) =>
          (await kwok.instanceTypes(pool, signal)).map((type, place) =>
            place > 1 ? type : { ...type, offerings: type.offerings.map((each) => ({ ...each, price: undefined })) },
          ),
      }),
  })
  expect(await ask(w)).toEqual({ at: w.clock.now(), kind: 'none' })
  await aPool(w)
  await w.pass(MINUTE)
  expect(await ask(w)).toEqual({ at: w.clock.now(), kind: 'unpriced', types: 2 })
})
