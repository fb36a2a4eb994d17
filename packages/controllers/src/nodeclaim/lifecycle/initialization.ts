import {
  annotations,
  findCondition,
  isConditionTrue,
  isEphemeralTaint,
  isSameTaint,
  labels,
  type Node,
  type NodeClaim,
  ownValue,
  parseResources,
  type Taint,
} from '@kerf/apis'
import type { Deps } from '../../deps.ts'
import { restamped, withCondition } from '../claim-changes.ts'
import type { ClaimNodes } from '../claim-nodes.ts'
import type { DevicePools } from './device-pools.ts'
import { patchNode } from './node-sync.ts'
import type { Step } from './step.ts'

/** Why a node is not initialized yet. */
interface Obstacle {
  readonly reason: string
  readonly message: string
}

const taintText = ({ key, value, effect }: Taint): string =>
  value === undefined || value === '' ? `${key}:${effect}` : `${key}=${value}:${effect}`

const NOT_FOUND: Obstacle = { reason: 'NodeNotFound', message: 'Node not registered with cluster' }

/**
 * Returns the first obstacle in the order of `docs/spec/lifecycle.md#initialization`, or undefined if there is none. `devices` is undefined
 * if DRA requests are ignored.
 */
export const initializationObstacle = (
  claim: NodeClaim,
  node: Node | undefined,
  devices: DevicePools | undefined,
): Obstacle | undefined => {
  if (node === undefined) return NOT_FOUND
  if (!isConditionTrue(node, 'Ready')) return { reason: 'NodeNotReady', message: 'Node status is NotReady' }
  const present = node.spec.taints ?? []
  const startup = (claim.spec.startupTaints ?? []).find((taint) => present.some((other) => isSameTaint(other, taint)))
  if (startup !== undefined) {
    return { reason: 'StartupTaintsExist', message: `StartupTaint "${taintText(startup)}" still exists` }
  }
  const ephemeral = present.find(isEphemeralTaint)
  if (ephemeral !== undefined) {
    return {
      reason: 'KnownEphemeralTaintsExist',
      message: `KnownEphemeralTaint "${taintText(ephemeral)}" still exists`,
    }
  }
  const allocatable = parseResources(node.status?.allocatable)
  const missing = Object.entries(parseResources(claim.spec.resources?.requests)).find(
    ([name, amount]) => amount !== 0n && (ownValue(allocatable, name) ?? 0n) === 0n,
  )
  if (missing !== undefined) {
    return { reason: 'ResourceNotRegistered', message: `Resource "${missing[0]}" was requested but not registered` }
  }
  const driver = devices?.firstIncomplete(requestedDrivers(claim), node)
  if (driver !== undefined) {
    return {
      reason: 'DRADriverPoolsNotPublished',
      message: `DRA driver "${driver}" has not published a complete resource pool`,
    }
  }
  return undefined
}

const requestedDrivers = (claim: NodeClaim): readonly string[] =>
  (claim.metadata.annotations?.[annotations.requestedDraDrivers] ?? '')
    .split(',')
    .map((driver) => driver.trim())
    .filter((driver) => driver !== '')

/** Returns the step that marks a registered node as initialized when it is ready to run pods. */
export const initializationStep = (
  { client, clock, log }: Pick<Deps, 'client' | 'clock' | 'log'>,
  links: ClaimNodes,
  devices: DevicePools | undefined,
): Step => ({
  run: async (claim, signal) => {
    const status = findCondition(claim, 'Initialized')?.status
    if (status === 'True' || status === 'False') return { claim: restamped(claim, 'Initialized', clock.now()) }
    if (!isConditionTrue(claim, 'Registered')) return { claim }
    const node = links.nodeOf(claim)
    const obstacle = initializationObstacle(claim, node, devices)
    if (node === undefined || obstacle !== undefined) {
      const change = { type: 'Initialized', status: 'Unknown', ...(obstacle ?? NOT_FOUND) } as const
      return { claim: withCondition(claim, change, clock.now()) }
    }
    if (node.metadata.labels?.[labels.initialized] !== 'true') {
      const body = { metadata: { labels: { [labels.initialized]: 'true' } } }
      if (!(await patchNode(client, node.metadata.name, body, signal)))
        return { claim: withCondition(claim, { type: 'Initialized', status: 'Unknown', ...NOT_FOUND }, clock.now()) }
    }
    return {
      claim: withCondition(claim, { type: 'Initialized', status: 'True' }, clock.now()),
      stored: () =>
        log.info('initialized nodeclaim', {
          NodeClaim: { name: claim.metadata.name },
          'provider-id': claim.status?.providerID,
          Node: { name: node.metadata.name },
          allocatable: node.status?.allocatable,
        }),
    }
  },
})
