import { coreVocabulary, type Device, type DeviceRequest, type ResourceClaimSpec } from '@kerf/apis'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LabelRules } from '../requirements/label-rules.ts'
import { Requirements } from '../requirements/requirements.ts'
import { readDeviceDemand } from './device-demand.ts'
import { DevicePools } from './device-pools.ts'
import { type FoundDevices, searchDevices } from './device-search.ts'
import { readTemplateDevices } from './device-templates.ts'

/**
 * This file compares the search with an allocator that tries every allocation and checks each result as a whole. The allocator works on
 * plain data and shares no code with the search.
 */

const DRIVER = 'd.io'

interface PlainDevice {
  readonly kind: string
  readonly root: string | undefined
  /** The capacity of a shared device; `undefined` for a device that is taken as a whole. */
  readonly memory: number | undefined
  /** The amount of the pool's counter that the device takes. */
  readonly slices: number
  readonly taken: boolean
}

interface PlainAlternative {
  readonly kind: string | undefined
  readonly count: number | 'All'
  readonly memory: number | undefined
}

interface Problem {
  readonly devices: readonly PlainDevice[]
  readonly counter: number
  readonly claims: readonly {
    /** The alternatives of each request. */
    readonly requests: readonly (readonly PlainAlternative[])[]
    readonly isTied: boolean
  }[]
}

const anyDevice = fc.record({
  kind: fc.constantFrom('a', 'b'),
  root: fc.option(fc.constantFrom('r', 's'), { nil: undefined }),
  memory: fc.option(fc.constantFrom(2, 4), { nil: undefined }),
  slices: fc.constantFrom(0, 1, 2),
  taken: fc.boolean().map((one) => one && true),
})
const anyAlternative = fc.record({
  kind: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
  count: fc.constantFrom<(number | 'All')[]>(1, 1, 2, 'All'),
  memory: fc.option(fc.constantFrom(1, 2, 3), { nil: undefined }),
})
const anyProblem: fc.Arbitrary<Problem> = fc.record({
  devices: fc.array(anyDevice, { maxLength: 4 }),
  counter: fc.constantFrom(1, 2, 4),
  claims: fc.array(
    fc.record({
      requests: fc.array(fc.array(anyAlternative, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 2 }),
      isTied: fc.boolean(),
    }),
    { minLength: 1, maxLength: 2 },
  ),
})

/** A device that is allocated for one slot of a request. */
interface Grant {
  readonly claim: number
  readonly request: number
  readonly alternative: PlainAlternative
  readonly device: number
}

const matches = (alternative: PlainAlternative, device: PlainDevice): boolean =>
  alternative.kind === undefined || alternative.kind === device.kind

const has = (alternative: PlainAlternative, { memory = 0 }: PlainDevice, hasMemory: boolean): boolean =>
  alternative.memory === undefined || (hasMemory && alternative.memory <= memory)

/** Returns whether an allocation follows all rules. */
const isSound = ({ devices, counter, claims }: Problem, grants: readonly Grant[]): boolean => {
  let slices = 0
  for (const [index, device] of devices.entries()) {
    const own = grants.filter((grant) => grant.device === index)
    if (device.memory === undefined) {
      if (own.length > (device.taken ? 0 : 1)) return false
    } else {
      const memory = own.reduce(
        (sum, { alternative }) => sum + (alternative.memory ?? device.memory ?? 0),
        device.taken ? 1 : 0,
      )
      if (own.length > 0 && memory > device.memory) return false
      // A request must not use the same device twice.
      if (new Set(own.map(({ claim, request }) => `${claim}/${request}`)).size < own.length) return false
    }
    slices += device.slices * (own.length + (device.taken ? 1 : 0))
    if (
      !own.every(
        ({ alternative }) => matches(alternative, device) && has(alternative, device, device.memory !== undefined),
      )
    )
      return false
  }
  if (grants.some(({ device }) => (devices[device]?.slices ?? 0) > 0) && slices > counter) return false
  return claims.every(({ isTied }, claim) => {
    if (!isTied) return true
    const roots = grants.filter((grant) => grant.claim === claim).map(({ device }) => devices[device]?.root)
    return roots.every((root) => root !== undefined && root === roots[0])
  })
}

/** Tries every allocation until one satisfies all rules. */
const canServe = (problem: Problem): boolean => {
  const slots = problem.claims.flatMap(({ requests }, claim) =>
    requests.map((alternatives, request) => ({ claim, request, alternatives })),
  )
  const tryFrom = (place: number, grants: readonly Grant[]): boolean => {
    const slot = slots[place]
    if (slot === undefined) return isSound(problem, grants)
    const { claim, request } = slot
    return slot.alternatives.some((alternative) => {
      const grant = (device: number): Grant => ({ claim, request, alternative, device })
      if (alternative.count === 'All') {
        const all = problem.devices.flatMap((device, index) => (matches(alternative, device) ? [grant(index)] : []))
        return all.length > 0 && tryFrom(place + 1, [...grants, ...all])
      }
      const choose = (left: number, chosen: readonly Grant[]): boolean =>
        left === 0
          ? tryFrom(place + 1, [...grants, ...chosen])
          : problem.devices.some((_, index) => choose(left - 1, [...chosen, grant(index)]))
      return choose(alternative.count, [])
    })
  }
  return tryFrom(0, [])
}

const toDevice = ({ kind, root, memory, slices }: PlainDevice, index: number): Device => ({
  name: `d${index}`,
  attributes: { kind: { string: kind }, ...(root === undefined ? {} : { root: { string: root } }) },
  ...(memory === undefined ? {} : { allowMultipleAllocations: true, capacity: { memory: { value: String(memory) } } }),
  ...(slices === 0 ? {} : { consumesCounters: [{ counterSet: 's', counters: { c: { value: String(slices) } } }] }),
})

const toRequest = (alternatives: readonly PlainAlternative[], index: number): DeviceRequest => {
  const subRequests = alternatives.map(({ kind, count, memory }) => ({
    deviceClassName: 'any',
    ...(kind === undefined
      ? {}
      : { selectors: [{ cel: { expression: `device.attributes["${DRIVER}"].kind == "${kind}"` } }] }),
    ...(count === 'All' ? { allocationMode: 'All' } : { count }),
    ...(memory === undefined ? {} : { capacity: { requests: { memory: String(memory) } } }),
  }))
  const [only] = subRequests
  if (only !== undefined && alternatives.length === 1) return { name: `r${index}`, exactly: only }
  return {
    name: `r${index}`,
    firstAvailable: subRequests.map((each, alternative) => ({ ...each, name: `w${alternative}` })),
  }
}

const classes = new Map([
  ['any', { apiVersion: 'resource.k8s.io/v1', kind: 'DeviceClass', metadata: { name: 'any' }, spec: {} }],
])

const search = ({ devices, counter, claims }: Problem) => {
  const rules = new LabelRules(coreVocabulary)
  const spec = (slices: number) => ({
    driver: DRIVER,
    pool: { name: 'p', generation: 1, resourceSliceCount: slices },
    allNodes: true,
  })
  const slice = (name: string, more: object) => ({
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: { name },
    spec: { ...spec(2), ...more },
  })
  const pools = new DevicePools(
    [
      slice('counters', { sharedCounters: [{ name: 's', counters: { c: { value: String(counter) } } }] }),
      slice('devices', { devices: devices.map(toDevice) }),
    ],
    () => true,
    rules,
  )
  const used = new Map<string, bigint>()
  for (const [index, { taken, memory }] of devices.entries()) {
    const own = pools.devices.get(`${DRIVER}/p/d${index}`)
    if (!taken || own === undefined) continue
    for (const { resource, amount } of own.uses) used.set(resource, (used.get(resource) ?? 0n) + amount)
    if (memory !== undefined) used.set(`capacity ${own.id} memory`, 1_000_000_000n)
  }
  const demands = claims.map(({ requests, isTied }) => {
    const spec: ResourceClaimSpec = {
      devices: {
        requests: requests.map(toRequest),
        ...(isTied ? { constraints: [{ matchAttribute: `${DRIVER}/root` }] } : {}),
      },
    }
    return readDeviceDemand(spec, classes)
  })
  const type = { name: 'm', requirements: [], offerings: [], capacity: {}, overhead: {} }
  return searchDevices(
    demands,
    {
      node: undefined,
      pools: pools.near(undefined),
      promised: readTemplateDevices(type),
      used: (resource) => used.get(resource) ?? 0n,
      admits: () => true,
    },
    Requirements.none,
  )
}

const toGrants = ({ claims }: Problem, { picks }: FoundDevices): readonly Grant[] =>
  picks.flatMap(({ claim, request, device }): readonly Grant[] => {
    const [name = '', alternativeName = 'w0'] = request.split('/')
    const alternative = claims[claim]?.requests[Number(name.slice(1))]?.[Number(alternativeName.slice(1))]
    return alternative === undefined
      ? []
      : [{ claim, request: Number(name.slice(1)), alternative, device: Number(device.name.slice(1)) }]
  })

test('finds devices if and only if an allocation exists', () => {
  let served = 0
  fc.assert(
    fc.property(anyProblem, (problem) => {
      const found = search(problem)
      expect('picks' in found).toBe(canServe(problem))
      if ('picks' in found) {
        served++
        const grants = toGrants(problem, found)
        expect(grants).toHaveLength(found.picks.length)
        expect(isSound(problem, grants)).toBe(true)
      }
    }),
    { numRuns: 2_000 },
  )
  // The test would prove little if the search never found devices.
  expect(served).toBeGreaterThan(200)
})
