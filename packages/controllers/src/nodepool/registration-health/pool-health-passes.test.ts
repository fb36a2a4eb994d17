import { finalizers, findCondition, type NodeClaim, type NodePool, taints } from '@kerf/apis'
import { condition, node, nodeClaim, nodePool } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { type ClaimPassOptions, claimPasses } from '../../testing/by-hand/claim-passes.ts'
import { apiError } from '../../testing/harness/index.ts'

// Tests of the conditions that a lifecycle pass writes to the NodePool of a claim (`docs/spec/lifecycle.md#nodepool-controllers`).

const MINUTE = 60_000
const held = (claim: NodeClaim): NodeClaim => ({
  ...claim,
  metadata: { ...claim.metadata, resourceVersion: '7', finalizers: [finalizers.termination] },
})
const launched = () => held(nodeClaim('c', { providerID: 'kwok://n', conditions: [condition('Launched')] }))
const joining = node('n', { providerID: 'kwok://n', spec: { taints: [taints.unregistered] } })
const harness = (claim: NodeClaim, options: ClaimPassOptions = {}) => {
  const passes = claimPasses(claim, { nodes: [joining], ...options })
  return { ...passes, isRegistered: () => findCondition(passes.claim() ?? {}, 'Registered')?.status === 'True' }
}

describe('what the outcome of a launch changes in the pool', () => {
  const owner = { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name: 'default', uid: 'uid-default' }
  const ownedBy = (claim: NodeClaim, ...owners: readonly (typeof owner)[]): NodeClaim => ({
    ...claim,
    metadata: { ...claim.metadata, ownerReferences: owners },
  })
  const health = (pool: NodePool | undefined) => {
    const found = pool && findCondition(pool, 'NodeRegistrationHealthy')
    return found && `${found.status} ${found.reason}`
  }
  const pools = [nodePool('default', { metadata: { resourceVersion: '1' } })]

  test('the condition after a success, written with the resourceVersion that was read; the pool is one of several owners', async () => {
    const machine = { ...owner, kind: 'Machine', uid: 'm' }
    const { pass, pool, bodies, outcomes } = harness(ownedBy(launched(), machine, owner), { pools })
    await pass()
    expect([health(pool()), outcomes.status('uid-default')]).toEqual(['True NodeRegistrationHealthy', 'healthy'])
    expect(bodies[1]).toMatchObject({ metadata: { resourceVersion: '1' } })
  })

  test.each([
    ['has another kind', ownedBy(launched(), { ...owner, kind: 'Machine' })],
    ['was an earlier pool of the same name', ownedBy(launched(), { ...owner, uid: 'uid-earlier' })],
    ['is missing', launched()],
  ])('nothing if the owner of the claim %s', async (_, claim) => {
    const { pass, pool, outcomes } = harness(claim, { pools })
    await pass()
    expect([health(pool()), outcomes.status('uid-default')]).toEqual([undefined, 'unknown'])
    const { labels: __, ...metadata } = ownedBy(launched(), owner).metadata
    const unlabelled = harness({ ...launched(), metadata }, { pools })
    await unlabelled.pass()
    expect(unlabelled.outcomes.status('uid-default')).toBe('unknown')
  })

  test('nothing after a success if the pool is already healthy', async () => {
    const { conditions = [] } = pools[0]?.status ?? {}
    const healthy = {
      ...nodePool('default'),
      status: { conditions: [...conditions, condition('NodeRegistrationHealthy')] },
    }
    const { pass, calls } = harness(ownedBy(launched(), owner), { pools: [healthy] })
    await pass()
    expect(calls).not.toContain('patch NodePool/status')
  })

  test('the condition after the second failed claim, with the cause', async () => {
    const { pass, pool, clock, outcomes, calls } = harness(ownedBy(launched(), owner), { pools, nodes: [] })
    await clock.advance(15 * MINUTE)
    await pass()
    expect([health(pool()), outcomes.status('uid-default')]).toEqual([undefined, 'healthy'])
    expect(calls).toEqual(['delete NodeClaim'])
    const second = harness(ownedBy(launched(), owner), { pools, nodes: [] })
    second.outcomes.record('uid-default', false)
    await second.clock.advance(15 * MINUTE)
    await second.pass()
    expect(health(second.pool())).toBe('False RegistrationFailed')
    expect(second.calls).toEqual(['patch NodePool/status', 'delete NodeClaim'])
    const third = harness(ownedBy(launched(), owner), { pools: [second.pool() as NodePool], nodes: [] })
    third.outcomes.seed('uid-default', 'unhealthy')
    await third.clock.advance(15 * MINUTE)
    await third.pass()
    expect(third.calls).toEqual(['delete NodeClaim'])
  })

  test('the condition, with the cause of the launch if the claim never launched', async () => {
    const failed = { ...condition('Launched', 'Unknown', 'QuotaExceeded'), message: 'no quota' }
    const { pass, pool, clock, outcomes } = harness(ownedBy(held(nodeClaim('c', { conditions: [failed] })), owner), {
      pools,
      nodes: [],
      provider: { create: () => Promise.reject(new Error('as before')) },
    })
    outcomes.seed('uid-default', 'unhealthy')
    await clock.advance(5 * MINUTE)
    await pass()
    expect(findCondition(pool() as NodePool, 'NodeRegistrationHealthy')).toMatchObject({
      status: 'False',
      reason: 'LaunchFailed',
      message: 'as before',
    })
  })

  test('nothing if the pool is deleted meanwhile; any other refusal is an error, and the outcome is not counted', async () => {
    const refusing = (code: number): ClaimPassOptions => ({
      pools,
      refuse: (call) => (call === 'patch NodePool/status' ? apiError(code) : undefined),
    })
    const gone = harness(ownedBy(launched(), owner), refusing(404))
    await gone.pass()
    expect([gone.isRegistered(), gone.outcomes.status('uid-default')]).toEqual([true, 'healthy'])
    const refused = harness(ownedBy(launched(), owner), refusing(500))
    await expect(refused.pass()).rejects.toThrow('simulated 500')
    expect(refused.outcomes.status('uid-default')).toBe('unknown')
  })
})
