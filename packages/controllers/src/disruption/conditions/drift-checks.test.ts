import { annotations, type Condition, labels, type NodeClaim, type NodePool } from '@kerf/apis'
import type { InstanceType, Offering, RequirementSpec } from '@kerf/engine'
import type { CloudProvider } from '@kerf/provider-contract'
import { condition, nodeClaim, nodePool } from '@kerf/testing'
import { describe, expect, test } from 'vitest'
import { manualState } from '../../testing/by-hand/manual-state.ts'
import { DriftChecks } from './drift-checks.ts'

const signal = new AbortController().signal
const HOUR = 3_600_000
const TYPE = 's-4x'

const isIn = (key: string, ...values: readonly string[]): RequirementSpec => ({ key, operator: 'In', values })
const offering = (capacityType: string, zone = 'a'): Offering => ({
  requirements: [isIn(labels.capacityType, capacityType), isIn(labels.zone, zone)],
  price: 1,
  available: true,
})
const typeWith = (...offerings: readonly Offering[]): InstanceType => ({
  name: TYPE,
  requirements: [isIn(labels.instanceType, TYPE)],
  offerings,
  capacity: {},
  overhead: {},
})

interface Traits {
  readonly hash?: string | undefined
  readonly version?: string | undefined
  readonly capacityType?: string
  readonly type?: string | undefined
  readonly launched?: Condition['status']
}

const stamped = (hash: string | undefined, version: string | undefined) => ({
  ...(hash === undefined ? {} : { [annotations.nodePoolHash]: hash }),
  ...(version === undefined ? {} : { [annotations.nodePoolHashVersion]: version }),
})
const driftingClaim = (traits: Traits = {}): NodeClaim => {
  const { capacityType = 'on-demand', launched = 'True' } = traits
  const { hash, version, type } = { hash: 'h', version: 'v3', type: TYPE, ...traits }
  const claim = nodeClaim('c', { conditions: [condition('Launched', launched)] })
  const carried = { [labels.capacityType]: capacityType, [labels.zone]: 'a', [labels.nodePool]: 'general' }
  return {
    ...claim,
    metadata: {
      ...claim.metadata,
      labels: type === undefined ? carried : { ...carried, [labels.instanceType]: type },
      annotations: stamped(hash, version),
    },
  }
}
const hashedPool = (hash: string | undefined, version: string | undefined, ...wanted: readonly string[]): NodePool => {
  const made = nodePool('general')
  const requirements =
    wanted.length === 0 ? [] : [{ key: labels.capacityType, operator: 'In' as const, values: [...wanted] }]
  const template = { spec: { ...made.spec.template.spec, requirements } }
  return {
    ...made,
    metadata: { ...made.metadata, annotations: stamped(hash, version) },
    spec: { ...made.spec, template },
  }
}
const same = hashedPool('h', 'v3')

const start = (types: readonly InstanceType[] = [typeWith(offering('on-demand'))], said?: string) => {
  const { clock, deps } = manualState()
  const asked = { types: 0 }
  const provider: CloudProvider = {
    ...deps.provider,
    controllers: () => [],
    instanceTypes: async () => {
      asked.types++
      return types
    },
    isDrifted: async () => said,
  }
  const checks = new DriftChecks({ clock, provider })
  const reason = (claim: NodeClaim, pool: NodePool = same) => checks.reasonOf(claim, pool, signal)
  return { clock, asked, reason }
}

// `docs/spec/lifecycle.md#other-claim-controllers`
describe('the reason why a claim has drifted', () => {
  test.each(['Unknown', 'False'] as const)('is undefined while Launched is %s', async (launched) => {
    const { reason } = start([], 'Said')
    expect(await reason(driftingClaim({ launched, hash: 'other' }))).toBeUndefined()
    expect(await reason(driftingClaim({ hash: 'other' }))).toBe('NodePoolDrifted')
  })

  test.each<[string, Traits, NodePool, string | undefined]>([
    ['equal', {}, same, undefined],
    ['different', { hash: 'other' }, same, 'NodePoolDrifted'],
    ['none on the claim', { hash: undefined }, same, undefined],
    ['none on the pool', {}, hashedPool(undefined, 'v3'), undefined],
    ['different, with different versions', { hash: 'other', version: 'v2' }, same, undefined],
    ['different, without a version on the claim', { hash: 'other', version: undefined }, same, undefined],
    ['different, without a version on the pool', { hash: 'other' }, hashedPool('h', undefined), undefined],
    ['different, without any version', { hash: 'other', version: undefined }, hashedPool('h', undefined), undefined],
  ])('template hashes: %s', async (_name, traits, pool, expected) => {
    expect(await start().reason(driftingClaim(traits), pool)).toBe(expected)
  })

  test('the template is checked first, then requirements, then the instance type, and finally the provider', async () => {
    const { clock, reason } = start([], 'Said')
    await clock.advance(2 * HOUR)
    expect(await reason(driftingClaim({ hash: 'other' }), hashedPool('h', 'v3', 'spot'))).toBe('NodePoolDrifted')
    expect(await reason(driftingClaim(), hashedPool('h', 'v3', 'spot'))).toBe('RequirementsDrifted')
    expect(await reason(driftingClaim())).toBe('InstanceTypeNotFound')
    const offered = start(undefined, 'Said')
    await offered.clock.advance(2 * HOUR)
    expect(await offered.reason(driftingClaim())).toBe('Said')
  })

  test.each<[string, Traits, readonly InstanceType[], string | undefined]>([
    ['unchanged', {}, [typeWith(offering('on-demand'))], undefined],
    [
      'unknown, because the claim lacks the label',
      { type: undefined },
      [typeWith(offering('on-demand'))],
      'InstanceTypeNotFound',
    ],
    ['gone', {}, [], 'InstanceTypeNotFound'],
    ['an empty list', {}, [typeWith()], 'InstanceTypeNotFound'],
    ['only in another zone', {}, [typeWith(offering('on-demand', 'b'))], 'InstanceTypeNotFound'],
    ['only spot', {}, [typeWith(offering('spot'))], 'InstanceTypeNotFound'],
    ['still reserved', { capacityType: 'reserved' }, [typeWith(offering('reserved'))], undefined],
    ['on-demand instead of reserved', { capacityType: 'reserved' }, [typeWith(offering('on-demand'))], undefined],
    ['spot instead of reserved', { capacityType: 'reserved' }, [typeWith(offering('spot'))], 'InstanceTypeNotFound'],
    ['gone instead of reserved', { capacityType: 'reserved' }, [typeWith()], 'InstanceTypeNotFound'],
    [
      'those of a size whose nodes have the shared name of all sizes',
      { type: 'flexible' },
      [{ ...typeWith(offering('on-demand')), requirements: [isIn(labels.instanceType, 'flexible', TYPE)] }],
      undefined,
    ],
  ])(
    'a claim that is an hour old, with an instance type whose offerings are %s',
    async (_name, traits, types, expected) => {
      const { clock, reason } = start(types)
      await clock.advance(HOUR)
      expect(await reason(driftingClaim(traits))).toBeUndefined()
      await clock.advance(1)
      expect(await reason(driftingClaim(traits))).toBe(expected)
    },
  )

  test('after an instance type was found, it is not checked again for half an hour', async () => {
    const { clock, asked, reason } = start()
    await clock.advance(HOUR + 1)
    for (let minute = 0; minute < 30; minute++) {
      await reason(driftingClaim())
      await clock.advance(60_000)
    }
    expect(asked.types).toBe(1)
    await reason(driftingClaim())
    expect(asked.types).toBe(2)
  })
})
