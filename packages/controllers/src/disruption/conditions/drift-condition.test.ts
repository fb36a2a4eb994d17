import { annotations, karpenterKinds, labels } from '@kerf/apis'
import { NotKnownYetError } from '@kerf/provider-contract'
import { describe, expect, test } from 'vitest'
import { change, heldWith, TYPE, template } from '../../testing/drifting-pools.ts'
import { alteredProvider, createDisruptablePool, launchNode, patchPool } from '../../testing/harness/index.ts'
import { harnessPerTest } from '../../testing/harness-per-test.ts'

const held = heldWith(harnessPerTest())

// `docs/spec/lifecycle.md#other-claim-controllers`
describe('the Drifted condition', () => {
  test('is set for a changed template and for unmet requirements, and removed when the difference is gone', async () => {
    const w = await held()
    const { claim } = await launchNode(w)
    expect(await w.condition('Drifted', claim)).toBeUndefined()
    await change(w, 'a')
    await w.pass(500)
    expect(await w.condition('Drifted', claim)).toBe('True NodePoolDrifted')
    await patchPool(w, 'general', { spec: { template: { metadata: { labels: null } } } })
    await w.pass(500)
    expect(await w.condition('Drifted', claim)).toBeUndefined()
    const requirements = [{ key: labels.capacityType, operator: 'In', values: ['spot'] }]
    await patchPool(w, 'general', { spec: { template: { spec: { requirements } } } })
    await w.pass(500)
    expect(await w.condition('Drifted', claim)).toBe('True RequirementsDrifted')
  })

  test('is set if the claim lacks a required label, but not for NotIn and DoesNotExist', async () => {
    const w = await held()
    const { claim } = await launchNode(w)
    const require = async (operator: string, values?: string[]) => {
      const own = { key: 'example.com/team', operator, ...(values === undefined ? {} : { values }) }
      await patchPool(w, 'general', {
        spec: { template: { spec: { requirements: [...template.spec.requirements, own] } } },
      })
      await w.pass(500)
      return await w.condition('Drifted', claim)
    }
    expect(await require('In', ['a'])).toBe('True RequirementsDrifted')
    expect(await require('NotIn', ['a'])).toBeUndefined()
    expect(await require('DoesNotExist')).toBeUndefined()
    expect(await require('Exists')).toBe('True RequirementsDrifted')
  })

  test('is not set for a changed template if the claim’s hash is missing or has another version', async () => {
    const w = await held()
    const { claim } = await launchNode(w)
    await w.patch(karpenterKinds.NodeClaim, claim, { metadata: { annotations: { [annotations.nodePoolHash]: null } } })
    await change(w, 'a')
    await w.pass(500)
    expect(await w.condition('Drifted', claim)).toBeUndefined()
  })

  test('is set after an hour if the instance type is not offered, which is checked at most every half hour', async () => {
    let isOffered = true
    let asked = 0
    const w = await held({
      provider: (kwok) =>
        alteredProvider(kwok, {
          instanceTypes: async (pool, signal) => {
            asked++
            const types = await kwok.instanceTypes(pool, signal)
            return isOffered ? types : types.filter(({ name }) => name !== TYPE)
          },
        }),
    })
    const { claim } = await launchNode(w)
    isOffered = false
    await w.pass(3_000_000)
    expect(await w.condition('Drifted', claim)).toBeUndefined()
    await w.pass(1_000_000)
    expect(await w.condition('Drifted', claim)).toBe('True InstanceTypeNotFound')
    expect(asked).toBeGreaterThan(0)
    isOffered = true
    await w.pass(300_000)
    expect(await w.condition('Drifted', claim)).toBeUndefined()
  })

  test('does not change while the provider cannot determine drift; this is not an error, and Kerf asks again soon', async () => {
    let said: string | undefined | Error = 'Said'
    let asked = 0
    const w = await held({
      provider: (kwok) =>
        alteredProvider(kwok, {
          isDrifted: async () => {
            asked++
            if (said instanceof Error) throw said
            return said
          },
        }),
    })
    const { claim } = await launchNode(w)
    await w.pass(300_000)
    expect(await w.condition('Drifted', claim)).toBe('True Said')
    said = new Error('wrapped', { cause: new NotKnownYetError('the group is not known') })
    await w.pass(300_000)
    asked = 0
    const errors = () => w.log.lines.filter(({ level }) => level === 'error')
    const before = errors().length
    await w.pass(300_000)
    expect(asked).toBeGreaterThanOrEqual(9)
    expect(asked).toBeLessThanOrEqual(12)
    expect(errors()).toHaveLength(before)
    expect(await w.condition('Drifted', claim)).toBe('True Said')
    said = undefined
    await w.pass(31_000)
    expect(await w.condition('Drifted', claim)).toBeUndefined()
  })

  const taint = { key: 'example.com/team', effect: 'NoSchedule' }
  test.each<[string, object]>([
    ['annotations', { metadata: { annotations: { note: 'a' } } }],
    ['labels', { metadata: { labels: { team: 'a' } } }],
    ['taints', { spec: { taints: [taint] } }],
    ['startupTaints', { spec: { startupTaints: [taint] } }],
    ['the name of the node class', { spec: { nodeClassRef: { ...template.spec.nodeClassRef, name: 'other' } } }],
    ['expireAfter', { spec: { expireAfter: '700h' } }],
    ['terminationGracePeriod', { spec: { terminationGracePeriod: '1h' } }],
  ])(
    'after a change of %s in the template, the nodes of this pool drift, and those of other pools do not',
    async (_name, changed) => {
      const w = await held()
      await createDisruptablePool(
        w,
        'other',
        { disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } },
        template,
      )
      const [mine, theirs] = [await launchNode(w), await launchNode(w, { pool: 'other' })]
      await patchPool(w, 'general', { spec: { weight: 5, limits: { cpu: '1000' } } })
      await w.pass(500)
      expect(await w.condition('Drifted', mine.claim)).toBeUndefined()
      await patchPool(w, 'general', { spec: { template: changed } })
      await w.pass(500)
      expect(await w.condition('Drifted', mine.claim)).toBe('True NodePoolDrifted')
      expect(await w.condition('Drifted', theirs.claim)).toBeUndefined()
    },
  )
})
