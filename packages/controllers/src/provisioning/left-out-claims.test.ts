import { finalizers, karpenterKinds, kinds, labels, type NodeClaim } from '@kerf/apis'
import { expect, test } from 'vitest'
import { alteredProvider, createPendingPods, createPoolOfType } from '../testing/harness/index.ts'
import { harnessPerTest } from '../testing/harness-per-test.ts'

// Tests that one claim does not block the others (`docs/spec/cluster-state.md#when-state-is-complete`).

const start = harnessPerTest()
const claimPool = ({ metadata }: NodeClaim): string | undefined => metadata.labels?.[labels.nodePool]
const onPool = (pool: string) => ({ requests: { cpu: '1' }, spec: { nodeSelector: { [labels.nodePool]: pool } } })

test('a claim that is never launched delays only the pods planned for it, and nothing is launched twice', async () => {
  const w = await start({
    cluster: 'whole',
    provider: (kwok) =>
      alteredProvider(kwok, {
        create: async (claim, signal) => {
          if (claimPool(claim) === 'broken') throw new Error('the name is invalid')
          return await kwok.create(claim, signal)
        },
      }),
  })
  await createPoolOfType(w, 's-4x-amd64-linux', 'broken')
  await createPoolOfType(w, 's-4x-amd64-linux', 'sound')
  await createPendingPods(w, 2, onPool('broken'), 'stuck')
  await w.pass(15_000)
  await createPendingPods(w, 2, onPool('sound'), 'well')
  await w.pass(60_000)
  const claims = await w.claims()
  expect(claims.map(claimPool).sort()).toEqual(['broken', 'sound'])
  const pods = (await w.admin.list(kinds.Pod)).items.filter(({ spec }) => spec.nodeName !== undefined)
  expect(pods.map(({ metadata }) => metadata.name)).toEqual(['well-0', 'well-1'])
  const left = w.log.messages('error').filter((message) => message.startsWith('nodeclaim has no instance'))
  expect(left).toHaveLength(1)
})

test('if a slow provider cannot look up the instance of a deleted claim, the claim is removed after five minutes', async () => {
  const w = await start({
    cluster: 'whole',
    provider: (kwok) =>
      alteredProvider(kwok, {
        launchTimeout: 1_800_000,
        create: () => Promise.reject(new Error('the name is invalid')),
        delete: () => Promise.reject(new Error('the name is invalid')),
      }),
  })
  await createPoolOfType(w, 's-4x-amd64-linux')
  await createPendingPods(w, 1)
  await w.pass(10_000)
  const [claim] = await w.claims()
  expect(claim?.metadata.finalizers).toEqual([finalizers.termination])
  await w.delete(karpenterKinds.NodePool, await w.readPool())
  await w.delete(karpenterKinds.NodeClaim, claim)
  await w.pass(240_000)
  expect(await w.claims()).toHaveLength(1)
  await w.pass(180_000)
  expect(await w.claims()).toEqual([])
})
