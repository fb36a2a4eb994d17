import { formatQuantity, type Quantity, quantityFormatOf, untoleratedTaint } from '@kerf/apis'
import { forEachBit } from '../instance-types/claim-constraints-table.ts'
import { fittingTypes } from '../instance-types/fitting-types.ts'
import { type ClaimConstraints, NO_CONSTRAINTS } from '../model/claim-constraints.ts'
import type { ConstraintsId } from '../model/ids.ts'
import type { PodGroup, Variant } from '../model/pod-group.ts'
import type { Template } from '../model/template.ts'
import type { TopologyGroup } from '../model/topology-group.ts'
import type { Run } from '../packing/packing-run.ts'
import type { Reason } from '../reason.ts'
import { unmetMinValues } from '../requirements/min-values.ts'
import { Requirements } from '../requirements/requirements.ts'

/** How many offerings of a NodePool were left after one more constraint. */
export interface FunnelStage {
  readonly constraint: string
  readonly offeringsLeft: number
}

/** What a NodePool says to a pod. */
export interface PoolFunnel {
  readonly nodePool: string
  readonly stages: readonly FunnelStage[]
  /** Why nothing is left; absent when the pool could launch a node for the pod. */
  readonly reason: Reason | undefined
}

const countOf = (bits: Uint32Array): number => {
  let count = 0
  forEachBit(bits, () => count++)
  return count
}

export const amountText = (name: string, amount: bigint): string =>
  formatQuantity(amount as Quantity, quantityFormatOf(name))

/**
 * Asks one pool, stage by stage in the order of the decision: taints, limits, labels, volumes, devices, topology, room,
 * minValues. `isPlaced`: the pod has a place, and the devices found for it are not in its way.
 */
export const poolFunnel = (
  run: Run,
  podGroup: PodGroup,
  variant: Variant,
  template: Template,
  isPlaced = false,
): PoolFunnel => {
  const stages: FunnelStage[] = [{ constraint: 'catalogue', offeringsLeft: template.offerings.length }]
  const subject = `nodepool/${template.name}`
  const refuse = (constraint: string, code: Reason['code'], detail: Reason['detail']): PoolFunnel => ({
    nodePool: template.name,
    stages: [...stages, { constraint, offeringsLeft: 0 }],
    reason: { code, subject, detail },
  })
  const { constraintsTable, rules } = run.problem

  const taint = untoleratedTaint(template.taints, variant.preferences.tolerations)
  if (taint !== undefined) {
    const text = `${taint.key}${taint.value ? `=${taint.value}` : ''}:${taint.effect}`
    return refuse(`taint ${text}`, 'taint.not-tolerated', { taint: text })
  }
  const limits = run.limits[template.index]
  if (limits?.nodesExhausted === true) return refuse('limit on nodes', 'nodepool.node-limit', {})
  const allowed = limits?.allowed(constraintsTable)
  if (allowed === undefined) {
    const resources = [...(limits?.remaining() ?? [])].map(([name, left]) => `${name} (${amountText(name, left)} left)`)
    return refuse('limits', 'nodepool.limit', { resource: resources.join(', ') })
  }
  let constraints = constraintsTable.root(template.index, allowed)
  if (allowed !== 0)
    stages.push({ constraint: 'limits', offeringsLeft: countOf(constraintsTable.get(constraints).offerings) })

  const apply = (constraint: string, wanted: Requirements, code: Reason['code']): PoolFunnel | undefined => {
    for (const requirement of wanted.byKey.values()) {
      const before = constraintsTable.get(constraints).requirements
      const next = constraintsTable.join(
        constraints,
        constraintsTable.requirementNumber(Requirements.of([requirement])),
      )
      const name = `${constraint}${requirement}`
      if (next === NO_CONSTRAINTS) {
        const refusal = before.refusal(Requirements.of([requirement]), rules.isWellKnown)
        const { key } = requirement
        if (refusal?.kind === 'unknown-label') {
          return refuse(name, 'requirement.label-unknown', { key, hint: rules.typoHint(key, before.byKey.keys()) })
        }
        const found = refusal === undefined ? 'no offering of it' : String(refusal.existing)
        return refuse(name, code, { key, wanted: String(requirement), found })
      }
      constraints = next
      stages.push({ constraint: name, offeringsLeft: countOf(constraintsTable.get(constraints).offerings) })
    }
    return undefined
  }
  const byLabels = apply('', constraintsTable.requirementSet(variant.requirements), 'requirement.unsatisfied')
  if (byLabels !== undefined) return byLabels
  const [volumes] = podGroup.volumeAlternatives
  const byVolumes = volumes === undefined ? undefined : apply('volumes: ', volumes, 'volume.topology')
  if (byVolumes !== undefined) return byVolumes

  if (podGroup.devices !== undefined && run.devices !== undefined) {
    const before = countOf(constraintsTable.get(constraints).offerings)
    const target = run.nodes.size + run.claims.size
    const { devices } = run
    const narrowed = isPlaced
      ? devices.narrowAnew(target, podGroup.devices, constraints, podGroup.row)
      : devices.narrow(target, podGroup.devices, constraints, podGroup.row, false)
    const { shortage } = devices
    if (narrowed !== NO_CONSTRAINTS) {
      constraints = narrowed
      const offeringsLeft = countOf(constraintsTable.get(constraints).offerings)
      if (offeringsLeft < before) stages.push({ constraint: 'devices', offeringsLeft })
    } else if (shortage !== undefined) {
      return refuse('devices', 'device.unavailable', { ...shortage })
    }
  }

  const culprit = topologyCulprit(run, podGroup, variant, constraints)
  if (culprit !== undefined) {
    const { code, key, maxSkew } = culprit
    return refuse(`${code.slice('topology.'.length)} over ${key}`, code, { key, maxSkew })
  }
  if (variant.keyTerms.length > 0) {
    constraints = run.bestConstraints(constraints, variant, podGroup)
    if (constraints === NO_CONSTRAINTS)
      return refuse('topology', 'topology.spread', { key: 'several labels at once', maxSkew: 0 })
    stages.push({ constraint: 'topology', offeringsLeft: countOf(constraintsTable.get(constraints).offerings) })
  }

  const final = constraintsTable.get(constraints)
  let fitting = 0
  forEachBit(final.offerings, (offering) => {
    if (final.index.fits(offering, podGroup.row)) fitting++
  })
  if (fitting === 0) return refuse('resources', 'resources.exceeded', shortage(final, podGroup))
  stages.push({ constraint: 'resources', offeringsLeft: fitting })
  if (final.hasMinValues) {
    const types = fittingTypes(final, podGroup.row).map(({ requirements }) => requirements)
    const unmet = unmetMinValues(final.requirements, types)
    if (unmet.size > 0) return refuse('minValues', 'min-values.unmet', { keys: [...unmet.keys()], types: types.length })
  }
  return { nodePool: template.name, stages, reason: undefined }
}

interface Culprit {
  readonly code: 'topology.spread' | 'topology.affinity' | 'topology.anti-affinity'
  readonly key: string
  readonly maxSkew: number
}

const culpritOf = ({ type, key, maxSkew }: TopologyGroup): Culprit => ({ code: `topology.${type}`, key, maxSkew })

/** The first group that leaves a new node of this state no domain. */
const topologyCulprit = (
  run: Run,
  podGroup: PodGroup,
  variant: Variant,
  constraints: ConstraintsId,
): Culprit | undefined => {
  const newHost = run.nodes.size + run.claims.size
  for (const group of variant.hostGroups) {
    if (!run.counts.allowsHost({ ...variant, hostGroups: [group] }, podGroup, newHost)) return culpritOf(group)
  }
  for (const terms of variant.keyTerms) {
    if (terms.groups.length === 0) continue
    const { domains } = run.problem.constraintsTable.openDomains(constraints, terms.key)
    for (const group of terms.groups) {
      if (run.counts.choose({ ...terms, groups: [group] }, podGroup, domains) === undefined) return culpritOf(group)
    }
    const [first] = terms.groups
    if (first !== undefined && run.counts.choose(terms, podGroup, domains) === undefined) return culpritOf(first)
  }
  return undefined
}

/** Which resource no offering of a state has enough of, and how much it lacks of the largest. */
const shortage = (constraints: ClaimConstraints, podGroup: PodGroup): Reason['detail'] => {
  const { template } = constraints.index
  for (const [name, asked] of podGroup.requests) {
    let most: bigint | undefined
    let largest = ''
    forEachBit(constraints.offerings, (offering) => {
      const entry = template.offerings[offering]
      const type = template.types[entry?.type ?? 0]
      const overhead = template.daemonGroups[type?.daemonGroup ?? 0]?.overhead.get(name) ?? 0n
      const allocatable = (entry?.allocatable.get(name) ?? 0n) - overhead
      if (most !== undefined && allocatable <= most) return
      most = allocatable
      largest = type?.type.name ?? ''
    })
    if (most !== undefined && asked > most) {
      const available = most < 0n ? 0n : most
      return {
        resource: name,
        requested: amountText(name, asked),
        available: amountText(name, available),
        short: amountText(name, asked - most),
        largest,
        ...(name === 'cpu' && asked >= 1_000_000_000_000_000n
          ? { hint: 'a million CPU or more: m meant, M written?' }
          : {}),
      }
    }
  }
  return { resource: 'all resources together', short: 'some', largest: 'every type' }
}
